// SPDX-License-Identifier: MIT OR Apache-2.0
// THE table of the packed structs: name, Rust type, codes of the value, width in bits, from the highest bit down,
// exactly as rtl/lsu_pkg.sv declares them. Three readers include this file, each with its own `packed!`:
// src/op/packed.rs makes the Rust types, build/layout.rs the module that asks the RTL for the same bits,
// tests/agree/layout.rs compares.

packed! {
    /// What an access asks of the caches; it never changes a value (COM-ATTR).
    Attr as attr_t {
        /// A hint: all lanes of the load have one address (SPA5-SIZE, `U.128`).
        #[serde(default)]
        uniform: bool = 1,
        cache_op: u8 as Cache = 3,
        l1_priority: u8 as Priority = 3,
        l2_priority: u8 as Priority = 3,
        policy_valid: bool = 1,
        /// The 64-bit cache policy, one for the operation.
        #[serde(with = "hex")]
        policy: u64 = 64,
        semantics: u8 as Semantics = 3,
        scope: u8 as Scope = 2,
        uncached: bool = 1,
    }
}

packed! {
    /// The decoded operation: what is the same for all lanes (PORT-OP).
    ///
    /// Codes stay raw, because the wires can carry an illegal one and the unit must then answer it (COM-ILLEGAL).
    Op as op_t {
        /// R700 programs: whose scratch buffer the operation uses (R700-STAGE).
        #[serde(default)]
        stage: u8 as Stage = 2,
        kind: u8 as Kind = 2,
        addr_mode: u8 as AddrMode = 3,
        space: u8 as Space = 4,
        warp: u8 = 3,
        /// Unique while the operation is in flight.
        tag: u8 = 8,
        /// Bytes, already extended to 64 bits by the front end.
        #[serde(with = "hex")]
        imm: u64 = 64,
        /// 1, 2, 4, 8 or 16; 4 in a burst.
        element_bytes: u8 = 5,
        /// 1, 2, 4 or 8; 4 in a burst: the components of a GPR.
        element_count: u8 = 4,
        /// Bit i: element i moves; in the read of a burst, memory has component i.
        element_mask: u8 = 8,
        /// Applies to loads of 1- and 2-byte elements.
        sign_extend: bool = 1,
        /// Helper lanes count as inactive (COM-HELPER, R700-VPM).
        suppress_helpers: bool = 1,
        /// Complete on every write's last answer, not its first (R700-ACK).
        await_last: bool = 1,
        /// R700 buffer, u# or g#.
        slot: u8 = 3,
        /// Elements.
        array_base: u16 = 13,
        /// Elements, 1 to 4096.
        array_size: u16 = 13,
        /// Dwords - 1.
        elem_size: u8 = 2,
        use_index: bool = 1,
        /// Bit k: the k-th GPR of the burst moves.
        present_gprs: u16 = 16,
        /// R700 reads: DST_SEL_W, Z, Y, X, three bits each: 0 to 3 a component, 4 zero, 5 one, 7 none.
        component_select: u16 = 12,
        /// R700 reads: the constant 1 is 1.0.
        one_is_float: bool = 1,
        attr: Attr = 81,
    }
}

packed! {
    /// Bytes `[base, base + size)`; multiples of 32, the end at most 2^40.
    Range as range_t {
        #[serde(with = "hex")]
        base: u64 = 40,
        #[serde(with = "hex")]
        size: u64 = 40,
    }
}

packed! {
    /// A space of its own for each thread, at `base + thread * stride` (COM-PRIVATE). Multiples of 32 bytes.
    Private as private_t {
        #[serde(with = "hex")]
        base: u64 = 40,
        stride: u32 = 32,
        size: u32 = 32,
    }
}

packed! {
    /// An R700 buffer: a thread's dword is at `base + thread * stride + 4 * dword` (R700-PLACE). Multiples of 4 bytes;
    /// reduction and export have no stride other than 0.
    Buffer as buffer_t {
        #[serde(with = "hex")]
        base: u64 = 40,
        stride: u32 = 32,
        /// Bytes of one thread's part if there is a stride, else of the whole buffer.
        size: u32 = 32,
    }
}

packed! {
    /// u#: an unordered access view at the memory port. `base`, `size`, `stride` and pitches are multiples of 4 bytes,
    /// the end at most 2^40.
    Uav as uav_t {
        kind: u8 as Resource = 2,
        /// Of a typed resource.
        dimension: u8 as Dimension = 3,
        #[serde(with = "hex")]
        base: u64 = 40,
        #[serde(with = "hex")]
        size: u64 = 40,
        /// Bytes of a structure; not 0 if the resource is structured (SM5-STRUCT).
        stride: u16 = 12,
        /// Elements along x. This and the fields below describe typed resources (SM5-TYPED).
        width: u32 = 32,
        /// Elements along y.
        height: u16 = 16,
        /// Elements along z, or slices of an array.
        depth: u16 = 16,
        row_pitch: u32 = 32,
        slice_pitch: u32 = 32,
    }
}

packed! {
    /// g#: raw or structured thread-group memory, `[base, base + size)` of the scratchpad. Multiples of 4 bytes.
    Tgsm as tgsm_t {
        /// Any kind but typed.
        kind: u8 as Resource = 2,
        base: u32 = 32,
        size: u32 = 32,
        /// Bytes of a structure; not 0 if the resource is structured.
        stride: u16 = 12,
    }
}

packed! {
    /// The control registers. They change only while nothing is in flight.
    Ctrl as ctrl_t {
        /// Scratch buffers of vertex, geometry and export shaders (R700-STAGE).
        #[serde(default)]
        stage_scratch: [Buffer; 3] = 312,
        trap_misaligned: bool = 1,
        local_window: Range = 80,
        shared_window: Range = 80,
        local_memory: Private = 104,
        /// Bytes of the scratchpad that are allocated.
        shared_size: u32 = 32,
        /// Ranges of global memory that are allocated; size 0 is unused (COM-GLOBAL).
        alloc: [Range; 8] = 640,
        /// Whether R700-DRIVER applies instead of R700-FIRST.
        #[serde(default)]
        r700_driver_form: bool = 1,
        /// The R700 buffers, by [`BufferSlot`](super::BufferSlot); scratch is that of pixel shaders.
        #[serde(default)]
        buffer: [Buffer; 8] = 832,
        #[serde(default)]
        param_memory: Private = 104,
        /// The shared memory of the cluster, at the memory port (PTX-OFFSET).
        #[serde(default)]
        cluster: Range = 80,
        /// By slot; a slot of kind none is unbound (SM5-UNBOUND).
        #[serde(default)]
        uav: [Uav; 8] = 1800,
        #[serde(default)]
        tgsm: [Tgsm; 8] = 624,
    }
}
