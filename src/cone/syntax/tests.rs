// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constructs that other units use and this one does not.

mod damage;

use super::*;
use crate::cone::{
    design::{Drive, Kind},
    tokens::Token,
};

fn design(text: &str) -> Design {
    read(vec![("other.sv".to_owned(), text.to_owned())])
}

fn words(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.text).collect::<Vec<_>>().join(" ")
}

/// A drive as text: `2: q <= d if not ! rst_n`, `3-4: r.a = b`.
fn told(design: &Design, drive: &Drive) -> String {
    let Drive { target: (_, name), field, value, guards, kind, line, end, .. } = drive;
    let lines = if line == end { line.to_string() } else { format!("{line}-{end}") };
    let field = field.as_ref().map_or_else(String::new, |field| format!(".{field}"));
    let by = match kind {
        Kind::Wire => "=",
        Kind::Register => "<=",
        Kind::Bind => "<-",
    };
    let guard = |&(guard, wanted): &(usize, bool)| {
        format!("{}{}", if wanted { "" } else { "not " }, words(&design.guards[guard].asks))
    };
    let guards: Vec<_> = guards.iter().map(guard).collect();
    let under = if guards.is_empty() { String::new() } else { format!(" if {}", guards.join(" and ")) };
    format!("{lines}: {name}{field} {by} {}{under}", words(value))
}

fn drives(text: &str) -> Vec<String> {
    let design = design(text);
    design.drives.iter().map(|drive| told(&design, drive)).collect()
}

/// The drives of a module with this body, which begins on line 2.
fn items(text: &str) -> Vec<String> {
    drives(&format!("module m (input logic clk);\n{text}\nendmodule\n"))
}

#[test]
fn assignments_of_any_form_are_read() {
    let cases: &[(&str, &[&str])] = &[
        ("assign #1 a = b, {c, d[i]} = e;", &["2: a = b", "2: c = e [ i ]", "2: d = e [ i ]"]),
        ("assign (strong0, weak1) a = b;", &["2: a = b"]),
        ("wire [3:0] a = b, c;", &["2: a = b"]),
        ("pkg::pair_t [1:0] a = '{x: b, y: c};", &["2: a = '{ x : b , y : c }"]),
        ("`TYPE a = b;", &["2: a = b"]),
        ("assign a = b // not c\n  ? d\n  : /* e */ f;", &["2-4: a = b ? d : f"]),
        ("always @(posedge clk) a.x[i] <= #1 b;", &["2: a.x <= b [ i ]"]),
        (
            "always @(posedge clk) begin a += b; a <<= 1; c++; --c; end",
            &["2: a = b", "2: a = 1", "2: c = c", "2: c = c"],
        ),
        ("always_latch if (en) a = repeat (2) @(negedge clk) b;", &["2: a = b if en"]),
        ("always begin @(posedge clk); a <= b; end", &["2: a <= b"]),
        ("always_comb begin : named automatic logic a = b; c = a; end : named", &["2: a = b", "2: c = a"]),
        ("assign \\odd;name  = a;", &["2: \\odd;name = a"]),
        ("(* keep = \"a = b;\" *) assign c = d;", &["2: c = d"]),
        ("initial a = b;\nassign c = d;", &["3: c = d"]),
    ];
    for (text, expected) in cases {
        assert_eq!(items(text), *expected, "{text}");
    }
}

#[test]
fn conditions_of_any_form_are_read() {
    let cases: &[(&str, &[&str])] = &[
        (
            "always @(posedge clk or negedge rst_n)\n  if (!rst_n) q <= 0;\n  else q <= d;",
            &["3: q <= 0 if ! rst_n", "4: q <= d if not ! rst_n"],
        ),
        (
            "always @* if (a) ; else if (b) x = 1; else x = 2;",
            &["2: x = 1 if not a and b", "2: x = 2 if not a and not b"],
        ),
        ("always_comb if (a) if (b) x = 1; else x = 2;", &["2: x = 1 if a and b", "2: x = 2 if a and not b"]),
        (
            "always_comb casez (op)\n  4'b1??0, 4'b01??: x = 1;\n  default x = a ? b : c;\nendcase",
            &["3: x = 1 if op inside { 4'b1??0 , 4'b01?? }", "4: x = a ? b : c if not op inside { 4'b1??0 , 4'b01?? }"],
        ),
        (
            "always_comb unique case (op) inside [1:3]: x = 1; a ? b : c: begin y = 2; end endcase",
            &[
                "2: x = 1 if op inside { [ 1 : 3 ] }",
                "2: y = 2 if not op inside { [ 1 : 3 ] } and op inside { a ? b : c }",
            ],
        ),
        ("always_comb foreach (a[i]) x[i] = a[i];", &["2: x = a [ i ] [ i ] if a [ i ]"]),
        ("always_comb do x = y; while (z);", &["2: x = y if z"]),
        ("always_comb repeat (3) while (z) x = y;", &["2: x = y if 3 and z"]),
        (
            "generate for (genvar g = 0; g < 2; g++) begin : lane\n  if (g == 0) assign x[g] = a; else begin : b assign y = a; end\nend endgenerate",
            &["3: x = a [ g ] if g == 0", "3: y = a if not g == 0"],
        ),
        (
            "case (N) 1, 2: assign x = a; default: begin assign y = a; end endcase",
            &["2: x = a if N inside { 1 , 2 }", "2: y = a if not N inside { 1 , 2 }"],
        ),
        (
            "always_comb begin fork x = a; y = b; join_none disable fork; z = c; end",
            &["2: x = a", "2: y = b", "2: z = c"],
        ),
        ("always @(posedge clk) begin assert (a) x <= b; else x <= c; y <= d; end", &["2: y <= d"]),
    ];
    for (text, expected) in cases {
        assert_eq!(items(text), *expected, "{text}");
    }
}

#[test]
fn an_arm_of_a_long_table_has_its_own_condition() {
    let arms: String = (0..1000).map(|arm| format!("{arm}: x = {arm};\n")).collect();
    let design = design(&format!("module m;\nalways_comb case (a)\n{arms}endcase\nendmodule\n"));
    let last = design.drives.last().unwrap();
    let &(own, wanted) = last.guards.last().unwrap();
    assert_eq!((words(&design.guards[own].asks), wanted), ("a inside { 999 }".to_owned(), true));
    assert_eq!(last.guards.len(), MOST_GUARDS + 1);
}

#[test]
fn ports_and_arguments_of_either_style_are_known() {
    let design = design(
        "module old (a, b, q);\n  input [3:0] a, b;\n  output q;\n  reg q;\n  task step;\n    input x;\n    output y;\n    y = x;\n  endtask\n\
         endmodule\nmodule new_one #(parameter P = 1) (input wire a, b [2], output pkg::t q = 0, axi.master m);\nendmodule\n",
    );
    let scopes = design.scopes.iter().skip(1).map(|scope| {
        let outputs: Vec<_> = scope.ports.iter().filter(|port| scope.outputs.contains(*port)).collect();
        format!("{} ({}) out {outputs:?}", scope.name, scope.ports.join(", "))
    });
    assert_eq!(
        scopes.collect::<Vec<_>>(),
        ["old (a, b, q) out [\"q\"]", "step (x, y) out [\"y\"]", "new_one (a, b, q, m) out [\"q\", \"m\"]"]
    );
    assert_eq!((&*design.scopes[1].declared["q"], &*design.scopes[3].declared["q"]), ("reg", "pkg"));
}

#[test]
fn instances_connect_by_name_by_place_and_by_themselves() {
    let inner = "module inner (input a, b, output q);\nendmodule\n";
    let outer = "module outer;\n  inner #(.P(1)) one (x, , y), two (.q(z), .b(), .a(w[1:0]));\n  inner three [1:0] (.*);\n  inner four (\n    // none\n    .a,\n    .q(v)\n  );\nendmodule\n";
    assert_eq!(
        drives(&format!("{inner}{outer}")),
        [
            "4: a <- x",
            "4: y <- q",
            "4: z <- q",
            "4: a <- w [ 1 : 0 ]",
            "5: a <- a",
            "5: b <- b",
            "5: q <- q",
            "8: a <- a",
            "9: v <- q",
        ]
    );
}

#[test]
fn functions_drive_their_names_and_are_given_arguments() {
    let text = "function automatic void set(input int a, output int b);\n  b = a;\nendfunction : set\nmodule m;\n  function [3:0] low;\n    input [7:0] v;\n    begin\n      low = v[3:0];\n    end\n  endfunction\n\
                assign x = low(y);\n  always_comb if (a) return b;\nendmodule\n";
    assert_eq!(drives(text), ["2: b = a", "8: low = v [ 3 : 0 ]", "11: x = low ( y )", "12: m = b if a", "11: v <- y"]);
}

#[test]
fn values_of_enumerations_are_counted() {
    let text = "typedef enum logic [1:0] {\n  A, // one\n  B = 2'd2, C\n} t; module m; enum {D = 7, E, F = D + 2, G} x; endmodule";
    let mut constants: Vec<_> = design(text).constants.into_iter().collect();
    constants.sort();
    let names = constants.iter().map(|(name, value)| (&**name, *value));
    assert!(names.eq([("A", 0), ("B", 2), ("C", 3), ("D", 7), ("E", 8)]), "{constants:?}");
}

#[test]
fn comments_are_kept_with_their_lines() {
    let design = design("// one\nmodule m; /* two\n * three */ assign a = // four\n  b;\nendmodule \"// none\"\n");
    let mut comments: Vec<_> = design.comments.into_iter().map(|((_, line), said)| (line, said)).collect();
    comments.sort();
    let expected = [(1, "one"), (2, "two"), (3, "four")];
    assert!(comments.iter().map(|(line, said)| (*line, &**said)).eq(expected), "{comments:?}");
}

/// Whatever may precede an assignment leaves it alone.
#[test]
fn what_is_no_hardware_is_passed_over() {
    let cases = [
        "`define BOTH(x) a = x; \\\n  b = x;",
        "`timescale 1ns/1ps",
        "`ifdef A\n`else\n`endif",
        "`CHECK(a, b = c)",
        "`CHECK(a, b = c);",
        "parameter A = 1, B = 2; localparam type T = logic;",
        "typedef struct packed { logic a; t b; } s_t; typedef class c;",
        "import p::*; import \"DPI-C\" function int f(int a); genvar g;",
        "class c extends d #(int); int a = 1; function new(); a = b; endfunction endclass",
        "interface class c; endclass virtual class d; endclass",
        "interface i (input x); assign a = x; modport m (import f); endinterface",
        "program p; initial a = b; endprogram",
        "property p; @(posedge clk) a |-> if (b) c else d; endproperty",
        "sequence s; a ##1 b; endsequence",
        "Named: assert property (p) else $error(\"a = b;\");",
        "cover property (@(posedge clk) a ##[1:2] b) begin a = b; end",
        "covergroup g @(posedge clk); coverpoint a { bins x = {1}; } endgroup",
        "default clocking cb @(posedge clk); input a; endclocking default disable iff (rst);",
        "clocking cb @(posedge clk); output a; endclocking default clocking cb;",
        "bind m checks u_checks (.a(b)); let max(a, b) = a > b ? a : b;",
        "initial begin a = b; forever #5 clk = ~clk; end final if (a) b = c; else d = e;",
        "specify (a => b) = 1; endspecify and #1 g1 (a, b, c); defparam u.P = 1;",
        "extern module other (input a); alias a = b;",
        "always_comb begin f(a, b); void'(g(c)); $display(\"a = %d;\", a); a -> b; break; end",
    ];
    for text in cases {
        let read = items(&format!("{text}\nassign z = y;"));
        assert!(read.len() == 1 && read[0].ends_with(": z = y"), "{text}: {read:?}");
    }
}
