// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scratchpad keeps everything that was stored (PORT-SPAD), also over a reset.

use gpu_lsu::{cosim::stimulus, sets::Isa};

use crate::units::{all, on_bench};

#[test]
fn the_scratchpad_outlives_a_reset() {
    for shape in all() {
        for (isa, number) in [Isa::Spa5, Isa::Ptx, Isa::Sm5].into_iter().zip(0..) {
            let case = stimulus::block(Some(isa), 5, number, &shape, stimulus::BLOCK).case;
            let loaded = on_bench(shape, |bench| {
                bench.run(&case).unwrap_or_else(|mismatch| panic!("{shape} {isa}: {mismatch}"));
                bench.reset();
                bench.read_back(&case).unwrap_or_else(|(mismatch, _)| panic!("{shape} {isa}: {mismatch}"))
            });
            assert!(loaded.operations > 0 && loaded.unjudged.uninitialized == 0, "{shape} {isa}: {loaded:?}");
        }
    }
}
