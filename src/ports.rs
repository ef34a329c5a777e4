// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of rtl/lsu.sv: the name, direction, width and content of each.
//!
//! [`PORTS`] describes them. [`Ports`] holds one value for each, such as a pin or its levels in a wave.
//!
//! ```
//! use gpu_lsu::{op::Shape, ports::{Channel, PORTS}};
//!
//! let shape = Shape::with_lanes(32);
//! assert_eq!((PORTS.ctrl.width(&shape), PORTS.op_addr.width(&shape)), (4690, 3072));
//! let fields = PORTS.op.fields(&shape);
//! assert_eq!((fields[0].path.as_str(), fields[0].offset, fields[0].width), ("stage", 246, 2));
//! let done: Vec<_> = PORTS.payload(Channel::Done).map(|(port, _)| port.name).collect();
//! assert_eq!(done, ["done_warp_o", "done_tag_o", "done_fault_o"]);
//! ```

mod wires;

use bitvec::view::BitView;
pub use wires::{Levels, Wires};

use crate::op::{
    ADDR_WIDTH, Attr, Ctrl, FAULT_WIDTH, Fault, Op, ReqKind, Scope, Shape, Space,
    layout::{Content, Difference, Field, Struct},
};

/// Who drives a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The environment.
    Input,
    /// The unit.
    Output,
}

/// Ports that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Clock, reset and control registers, which have no handshake.
    Unit,
    /// Operations (PORT-OP).
    Op,
    /// Store data (PORT-DATA).
    Data,
    /// Write-back (PORT-WB).
    WriteBack,
    /// Completion (PORT-DONE).
    Done,
    /// Memory requests (PORT-REQ).
    Request,
    /// Memory responses (PORT-RSP).
    Response,
}

/// The role of a port in its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A level without a handshake.
    Level,
    /// High while the sender offers a payload.
    Valid,
    /// High while the receiver takes what is offered.
    Ready,
    /// A part of what the sender offers.
    Payload,
}

/// The bits of a port, independent of the unit's shape.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// This many bits of this content.
    Fixed(usize, Content),
    /// A bit for each lane, lane 0 lowest.
    LaneMask,
    /// This many bits of this content for each lane, lane 0 lowest.
    Lanes(usize, &'static Content),
    /// A bit for each byte of a line, byte 0 lowest.
    ByteMask,
    /// The bytes of a line, byte 0 lowest.
    Line,
}

impl Holds {
    const fn whole(whole: &'static Struct) -> Self {
        Holds::Fixed(whole.width, Content::Struct(whole))
    }
}

const NUMBER: Content = Content::Number(&[]);
const BIT: Holds = Holds::Fixed(1, NUMBER);
const WARP: Holds = Holds::Fixed(3, NUMBER);
const TAG: Holds = Holds::Fixed(8, NUMBER);
const ID: Holds = Holds::Fixed(6, NUMBER);

/// A port.
#[derive(Debug)]
pub struct Port {
    /// Its name in rtl/lsu.sv.
    pub name: &'static str,
    /// Who drives it.
    pub direction: Direction,
    /// The channel that it belongs to.
    pub channel: Channel,
    /// Its role in that channel.
    pub role: Role,
    /// What its bits are.
    pub holds: Holds,
}

impl Port {
    /// The width in bits.
    pub fn width(&self, shape: &Shape) -> usize {
        match self.holds {
            Holds::Fixed(width, _) => width,
            Holds::LaneMask => shape.lanes,
            Holds::Lanes(each, _) => shape.lanes * each,
            Holds::ByteMask => shape.line_bytes,
            Holds::Line => shape.line_bytes * 8,
        }
    }

    /// What the bits hold.
    pub fn content(&self, shape: &Shape) -> Content {
        match self.holds {
            Holds::Fixed(_, content) => content,
            Holds::LaneMask | Holds::ByteMask => NUMBER,
            Holds::Lanes(_, each) => Content::Array(shape.lanes, each),
            Holds::Line => Content::Array(shape.line_bytes, &NUMBER),
        }
    }

    /// Every number among the bits.
    pub fn fields(&self, shape: &Shape) -> Vec<Field> {
        self.content(shape).fields(self.width(shape))
    }

    /// The first number in which two values of this port differ. Each value begins with its least significant word.
    pub fn first_difference(&self, shape: &Shape, expected: &[u32], actual: &[u32]) -> Option<Difference> {
        self.content(shape).first_difference(self.width(shape), expected.view_bits(), actual.view_bits())
    }
}

macro_rules! direction {
    (input) => {
        Direction::Input
    };
    (output) => {
        Direction::Output
    };
}

macro_rules! ports {
    ($($channel:ident {
        $($direction:ident $role:ident $field:ident $name:literal: $holds:expr;)*
    })*) => {
        /// One value for each port.
        #[derive(Clone, Debug, Default)]
        pub struct Ports<T> {
            $($(#[doc = concat!("Of `", $name, "`.")] pub $field: T,)*)*
        }

        /// The description of each port.
        pub static PORTS: Ports<Port> = Ports {
            $($($field: Port {
                name: $name,
                direction: direction!($direction),
                channel: Channel::$channel,
                role: Role::$role,
                holds: $holds,
            },)*)*
        };

        impl<T> Ports<T> {
            /// Calls `make` for each port, in the order of rtl/lsu.sv.
            ///
            /// # Errors
            ///
            /// The first error of `make`.
            pub fn make<E>(make: impl FnMut(&'static Port) -> Result<T, E>) -> Result<Self, E> {
                // By way of a list: a `?` at each field would have to drop all fields before it, at every field anew.
                let all = [$($(&PORTS.$field,)*)*];
                let made: Vec<T> = all.into_iter().map(make).collect::<Result<_, E>>()?;
                let Ok([$($($field,)*)*]) = <[T; _]>::try_from(made) else { unreachable!("one for each port") };
                Ok(Ports { $($($field,)*)* })
            }

            /// Each port with its value, in the order of rtl/lsu.sv.
            pub fn iter(&self) -> impl Iterator<Item = (&'static Port, &T)> {
                [$($((&PORTS.$field, &self.$field),)*)*].into_iter()
            }

            /// Each port with its value, mutable, in the order of rtl/lsu.sv.
            pub fn iter_mut(&mut self) -> impl Iterator<Item = (&'static Port, &mut T)> {
                [$($((&PORTS.$field, &mut self.$field),)*)*].into_iter()
            }
        }
    };
}

include!("ports/table.rs");

impl<T> Ports<T> {
    /// The payload ports of a channel with their values, in the order of rtl/lsu.sv.
    pub fn payload(&self, channel: Channel) -> impl Iterator<Item = (&'static Port, &T)> {
        self.iter().filter(move |(port, _)| port.channel == channel && port.role == Role::Payload)
    }
}
