// SPDX-License-Identifier: MIT OR Apache-2.0
//! src/op/table.rs as a question to the RTL: a module that prints the bits of each field of each struct.

struct Struct {
    name: &'static str,
    fields: &'static [&'static str],
}

macro_rules! packed {
    ($(#[$doc:meta])* $name:ident as $sv:ident {
        $($(#[$fdoc:meta])* $field:ident: $ty:ty $(as $codes:ident)? = $width:expr,)*
    }) => {
        #[allow(non_upper_case_globals)]
        const $name: Struct = Struct { name: stringify!($sv), fields: &[$(stringify!($field)),*] };
    };
}

include!("../src/op/table.rs");

/// The module, which prints `struct width` and `struct.field mask`. It prints the hexadecimal mask digit by digit, as
/// Verilator has room for only a thousand characters at a time.
pub fn module() -> String {
    let mut body = String::new();
    let mut variables = String::new();
    for Struct { name, fields } in [Attr, Op, Range, Private, Buffer, Uav, Tgsm, Ctrl] {
        variables += &format!("  {name} v_{name}; logic [$bits({name})-1:0] one_{name}, mask_{name};\n");
        body += &format!("    $display(\"{name} %0d\", $bits({name}));\n");
        for field in fields {
            body += &format!(
                "    mask_{name} = '0;\n    for (int i = 0; i < $bits({name}); i++) begin\n      one_{name} = '0;\n      \
                 one_{name}[i] = 1'b1;\n      v_{name} = {name}'(one_{name});\n      mask_{name}[i] = v_{name}.{field} \
                 != '0;\n    end\n    $write(\"{name}.{field} \");\n    for (int i = ($bits({name}) + 3) / 4 - 1; i >= 0; \
                 i--) $write(\"%h\", 4'(mask_{name} >> (4 * i)));\n    $write(\"\\n\");\n"
            );
        }
    }
    format!("module lsu_layout;\n  import lsu_pkg::*;\n{variables}  initial begin\n{body}  end\nendmodule\n")
}
