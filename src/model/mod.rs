// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden model: what the unit must do with an operation, without a clock.
//!
//! It is written from the clauses, by another route than hardware would take: containment in intervals with exact
//! sums, quotients and remainders, bytes one by one. One operation's way through it:
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
//! | `word` | the arithmetic of the files below: machine integers now, terms of a solver later |
//! | `address`, `clamp`, `buffer`, `align`, `window`, `space`, `uav`, `cas`, `extract` | pure functions of one lane |
//! | `legal` | COM-ILLEGAL |
//! | `coalesce` | PORT-GROUP, PORT-MIN, COM-SAMEADDR |
//! | `plan`, `load` | one operation, all its lanes |
//! | `r700` | the same for R700: R700-ELEM, R700-READ, PORT-GROUP a GPR |
//! | `ptx`, `vector` | the same for PTX: mmio's requests; bytes of elements and sinks |
//! | `sm5`, `cas` | the same for SM5: its pairs' first and second halves |
//! | `allowed`, `atomic` | SM5-ORDER and SM5-CAS for checkers: what is allowed, and whether a history is atomic |
//! | `order` | PTX-SEM: what must wait for what, and the judge of it |
//! | `perform` | one operation made whole, where no other is under way |
//! | `served` | which registers, and which bytes of a line, a request has for each lane |
//! | `scratchpad`, `memory` | contents |
//! | `wild` | what a compare-and-store leaves undefined by its source |
//! | `trace`, `r700_trace`, `ptx_trace`, `sm5_trace` | one lane again, slowly, naming the clauses |
//!
//! No input makes the model panic: raw codes without a meaning make an operation illegal, and bits that a port does
//! not have are dropped. Control registers that are not multiples of 32 (of buffers: 4) get an answer without a
//! meaning. The exception is a [`Shape`](crate::op::Shape) that no unit has.

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
pub use order::{Order, orders};
pub use perform::{Made, Performed, perform};
pub use plan::{Filled, Plan, plan};
pub use r700_trace::{Dword, Fate, R700Trace, r700_trace};
pub use scratchpad::Scratchpad;
pub use served::{delivers, lane_bytes};
pub use sm5_trace::{Scaled, Sm5Trace, Test, Tested, sm5_trace};
pub use trace::{Place, Trace, trace};
pub use wild::{Wild, wild};

use crate::op::MAX_LANES;

/// A 32-bit register of every lane.
pub type Register = [u32; MAX_LANES];
