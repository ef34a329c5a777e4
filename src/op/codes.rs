// SPDX-License-Identifier: MIT OR Apache-2.0
//! The codes that fields of a port can hold, as rtl/lsu_pkg.sv numbers them.

use super::layout::Code;

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant = $code,)* }

        impl $name {
            /// Every code, ascending.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The codes with their names, for readers that do not know the Rust type.
            pub const CODES: &'static [Code] = &[$(Code { name: stringify!($variant), value: $code }),*];

            /// The meaning of a raw code, if it has one.
            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

codes! {
    /// What an operation does.
    Kind { Load = 0, Store = 1, CmpStore = 2, }
}
codes! {
    /// How a lane's address words and the immediate form its effective address.
    AddrMode {
        /// The immediate alone.
        Abs = 0,
        /// Word 0 plus the immediate, modulo 2^32.
        Reg32 = 1,
        /// Words 1 and 0 plus the immediate, modulo 2^64.
        Reg64 = 2,
        /// R700-FIRST.
        Array = 3,
        /// SM5-RAW.
        Raw = 4,
        /// SM5-STRUCT.
        Struct = 5,
        /// SM5-TYPED.
        Typed = 6,
    }
}
codes! {
    /// The memory that an address names or that a request is for.
    Space {
        /// Each lane's predicate decides (SPA5-SPACE).
        Predicated = 0,
        /// The windows decide (PTX-SPACE).
        Generic = 1,
        Global = 2, Local = 3, Shared = 4, Cluster = 5, Param = 6,
        /// An R700 buffer, by slot.
        Buffer = 7,
        /// u#, by slot.
        Uav = 8,
        /// g#, by slot.
        Tgsm = 9,
    }
}
codes! {
    /// The R700 buffers, in the order of their slots.
    BufferSlot {
        /// Private to each thread.
        Scratch = 0,
        Reduction = 1,
        Stream0 = 2, Stream1 = 3, Stream2 = 4, Stream3 = 5,
        Ring = 6,
        /// General memory (R700-EXPORT).
        Export = 7,
    }
}
impl BufferSlot {
    /// The names in programs, reports and messages, by code.
    pub const NAMES: [&str; 8] = ["scratch", "reduction", "stream0", "stream1", "stream2", "stream3", "ring", "export"];

    /// The name of the buffer in an operation's slot; only the low three bits count.
    pub fn name(slot: u8) -> &'static str {
        Self::NAMES[usize::from(slot % 8)]
    }
}

codes! {
    /// Types of R700 program, each with a scratch buffer of its own (R700-STAGE).
    Stage {
        Pixel = 0, Vertex = 1, Geometry = 2,
        /// Export shader.
        Export = 3,
    }
}
impl Stage {
    /// The names in programs, reports and messages, by code.
    pub const NAMES: [&str; 4] = ["pixel", "vertex", "geometry", "export"];

    /// The name of the type in an operation's stage; only the low two bits count.
    pub fn name(stage: u8) -> &'static str {
        Self::NAMES[usize::from(stage % 4)]
    }
}

codes! {
    /// Cache operators, of loads and of stores.
    Cache { Ca = 0, Cg = 1, Ci = 2, Cv = 3, Wb = 4, Cs = 5, Wt = 6, }
}
codes! {
    /// Eviction priorities of a cache level.
    Priority {
        /// No priority, or `evict_normal`.
        Normal = 0,
        Unchanged = 1, First = 2, Last = 3, NoAllocate = 4,
    }
}
codes! {
    /// Memory-order semantics.
    Semantics { Weak = 0, Volatile = 1, Relaxed = 2, Release = 3, Mmio = 4, MmioRelease = 5, }
}
codes! {
    /// How far an access, or an acknowledgement, reaches.
    Scope { Cta = 0, Cluster = 1, Gpu = 2, Sys = 3, }
}
codes! {
    /// A lane's outcome; of several faults, the one with the lowest code is reported (COM-FAULT).
    Fault { None = 0, Illegal = 1, Window = 2, Allocation = 3, Undefined = 4, Bus = 5, Misaligned = 6, }
}
codes! {
    /// What a memory request asks for.
    ReqKind { Read = 0, Write = 1, ReadExclusive = 2, WriteExclusive = 3, }
}

codes! {
    /// What an SM5 resource is bound as.
    Resource { None = 0, Raw = 1, Structured = 2, Typed = 3, }
}
codes! {
    /// The indices of a typed resource (SM5-TYPED).
    Dimension {
        /// x, as for [`Dimension::Texture1d`].
        Buffer = 0,
        Texture1d = 1,
        /// x and slice; the slice is tested against the depth and scaled by the slice pitch.
        Texture1dArray = 2,
        /// x and y.
        Texture2d = 3,
        /// x, y and slice.
        Texture2dArray = 4,
        /// x, y and z.
        Texture3d = 5,
    }
}

impl Fault {
    /// The names that reports and `run` use.
    pub fn name(self) -> &'static str {
        match self {
            Fault::None => "ok",
            Fault::Illegal => "illegal",
            Fault::Window => "out of window",
            Fault::Allocation => "out of allocation",
            Fault::Undefined => "undefined",
            Fault::Bus => "bus error",
            Fault::Misaligned => "misaligned",
        }
    }
}
