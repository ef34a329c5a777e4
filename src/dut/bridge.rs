// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bridge to C++, which no other Rust file names.

/// The receiver of a trace.
pub struct Sink(pub Take);

type Take = Box<dyn FnMut(Piece<'_>)>;

/// A piece of a trace.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// The beginning: the declarations, as the header of a VCD.
    Text(&'a [u8]),
    /// Whole records of changes, in the format of src/dut/trace.h.
    Changes(&'a [u32]),
}

impl Sink {
    fn text(&mut self, bytes: &[u8]) {
        (self.0)(Piece::Text(bytes));
    }

    fn changes(&mut self, words: &[u32]) {
        (self.0)(Piece::Changes(words));
    }
}

#[cxx::bridge(namespace = "gpu_lsu")]
pub mod ffi {
    /// A port of a Verilated unit: its bytes lie at `address` for as long as the unit lives.
    struct Port {
        name: &'static str,
        address: usize,
        bytes: usize,
    }

    extern "Rust" {
        type Sink;

        fn text(self: &mut Sink, bytes: &[u8]);
        fn changes(self: &mut Sink, words: &[u32]);
    }

    unsafe extern "C++" {
        include!("gpu-lsu/src/dut/shim.h");

        type Unit;

        fn new_unit(prefix: &str, power_up: i32) -> UniquePtr<Unit>;
        fn eval(self: Pin<&mut Unit>) -> Result<()>;
        fn last_words(self: Pin<&mut Unit>) -> String;
        fn ports(self: &Unit) -> Vec<Port>;
        fn open_trace(self: Pin<&mut Unit>, sink: Box<Sink>);
        fn dump(self: Pin<&mut Unit>, time: u64);
        fn close_trace(self: Pin<&mut Unit>);
        fn write_lines(self: Pin<&mut Unit>, path: &str);
        fn layout() -> String;
    }
}
