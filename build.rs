// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the RTL: rtl/ -> Verilator -> C++ -> a static library, behind the bridge of src/dut.

#[cfg(feature = "rtl")]
#[path = "build/rtl.rs"]
mod rtl;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "rtl")]
    if let Err(error) = rtl::build() {
        eprintln!("\nerror: {error}\n");
        std::process::exit(1);
    }
}
