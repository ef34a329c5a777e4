// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden model: what the unit must do with each operation, without a clock.
//!
//! The model follows the clauses, but computes each rule in another way than hardware would: as containment in
//! intervals with exact sums, as quotients and remainders, and byte by byte. An operation passes through it as follows:
//!
//! ```text
//!  Op, Lanes, Ctrl -> plan ---------------------------------> faults, requests      (in order: PORT-GROUP)
//!                      | legal  address  align  window  coalesce                    (SPA 5.0)
//!                      | legal  r700: address  clamp  buffer                        (R700)
//!                      | legal  ptx: address  align  space  vector  coalesce        (PTX)
//!                      | legal  sm5: uav  coalesce                                  (SM5)
//!                      +--> Scratchpad::access -> registers                         (PORT-SPAD, PORT-BANK)
//!                      +--> Memory::read_line -> load -> registers                  (a request at a time)
//!                      +--> filled -> registers                                     (what no memory answers)
//!                      +--> Memory::read_line -> cas::second_half -> Memory::write  (PORT-CAS)
//!                      +--> Memory::write
//!                      +--> bus_error                                               (COM-BUSERR)
//! ```
//!
//! | file | rule |
//! |---|---|
//! | `word` | the arithmetic of the files below, over machine integers or over the terms of a solver |
//! | `address`, `clamp`, `buffer`, `align`, `window`, `space`, `uav`, `cas`, `extract` | pure functions for one lane |
//! | `legal` | COM-ILLEGAL |
//! | `coalesce` | PORT-GROUP, PORT-MIN, COM-SAMEADDR |
//! | `plan`, `load` | one operation, all its lanes |
//! | `r700` | the same for R700: R700-ELEM, R700-READ, PORT-GROUP for each GPR |
//! | `ptx`, `vector` | the same for PTX: the requests of mmio; the bytes of elements and sinks |
//! | `sm5`, `cas` | the same for SM5: the first and the second halves of exclusive pairs |
//! | `allowed`, `atomic` | SM5-ORDER and SM5-CAS for checkers: the allowed results, and whether a history is atomic |
//! | `order` | PTX-SEM: which accesses an operation must wait for, and the judge of whether it did |
//! | `perform` | one operation performed as a whole, with no other in flight |
//! | `served` | which registers, and which bytes of a line, a request serves for each lane |
//! | `scratchpad`, `memory` | the contents of both |
//! | `wild` | which resource a compare-and-store leaves undefined according to its source |
//! | `trace`, `r700_trace`, `ptx_trace`, `sm5_trace` | one lane again, slowly, with the clauses that apply |
//!
//! No input makes the model panic, except a [`Shape`](crate::op::Shape) that no unit can have. Raw codes without a
//! meaning make an operation illegal, and bits that a port does not have are dropped. If control registers are not
//! multiples of 32 (for buffers: of 4), there is an answer, but it has no meaning.

pub mod address;
pub mod align;
pub mod allowed;
pub mod atomic;
pub mod buffer;
pub mod cas;
pub mod clamp;
pub mod coalesce;
pub mod extract;
mod legal;
mod load;
pub mod memory;
pub mod order;
mod perform;
mod plan;
mod ptx;
mod ptx_trace;
mod r700;
mod r700_trace;
pub mod scratchpad;
mod served;
mod sm5;
mod sm5_trace;
pub mod space;
pub mod trace;
pub mod uav;
pub mod vector;
mod wild;
pub mod window;
pub mod word;

pub use coalesce::Request;
pub use legal::legal;
pub use load::{bus_error, load};
pub use memory::Memory;
pub use order::{Order, is_release, orders, private};
pub use perform::{Made, Performed, perform};
pub use plan::{Filled, Plan, plan};
pub use r700_trace::{Dword, Fate, R700Trace, r700_trace};
pub use scratchpad::Scratchpad;
pub use served::{delivers, lane_bytes};
pub use sm5_trace::{Scaled, Sm5Trace, Test, Tested, sm5_trace};
pub use trace::{Place, Trace, trace};
pub use wild::{Wild, wild};

use crate::op::MAX_LANES;

/// The values of one 32-bit register in every lane.
pub type Register = [u32; MAX_LANES];
