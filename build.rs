// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the RTL: rtl/ -> Verilator -> C++ -> a static library, behind the bridge of src/dut.

#[cfg(feature = "rtl")]
#[path = "build/rtl.rs"]
mod rtl;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Clippy links nothing and has its own build directory, so the C++ would be made twice.
    #[cfg(feature = "rtl")]
    let links = !std::env::var("RUSTC_WORKSPACE_WRAPPER").is_ok_and(|wrapper| wrapper.contains("clippy-driver"));
    #[cfg(feature = "rtl")]
    if let Err(error) = rtl::sources().and_then(|dir| if links { rtl::build(&dir) } else { Ok(()) }) {
        eprintln!("\nerror: {error}\n");
        std::process::exit(1);
    }
}
