// SPDX-License-Identifier: MIT OR Apache-2.0
//! THE list of clauses: the ids by which the model, coverage, reports and replays refer to the rules.

use std::{fmt, str::FromStr};

/// The page of the specification that a clause stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Page {
    /// Rules of every instruction set.
    Common,
    /// Promises at the unit's ports.
    Ports,
    /// SPA 5.0 (Maxwell) `LD` and `ST`.
    Spa5,
    /// ATI R700 memory writes and reads.
    R700,
    /// `st` of PTX.
    Ptx,
    /// `atomic_cmp_store` of Direct3D shader model 5.
    Sm5,
}

macro_rules! clauses {
    ($($variant:ident $page:ident $id:literal $text:literal)*) => {
        /// One rule.
        // Brackets in a rule's text are no links.
        #[allow(rustdoc::broken_intra_doc_links)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Clause { $(#[doc = concat!("`", $id, "`: ", $text)] $variant,)* }

        impl Clause {
            /// Every clause, in the order of the pages.
            pub const ALL: &'static [Clause] = &[$(Clause::$variant),*];

            /// The id, as it stands in reports.
            pub fn id(self) -> &'static str {
                match self { $(Clause::$variant => $id,)* }
            }

            /// The rule in one sentence.
            pub fn text(self) -> &'static str {
                match self { $(Clause::$variant => $text,)* }
            }

            /// The page it stands on.
            pub fn page(self) -> Page {
                match self { $(Clause::$variant => Page::$page,)* }
            }
        }
    };
}

clauses! {
    ComInactive Common "COM-INACTIVE" "an inactive lane reads, writes and raises nothing, and keeps its registers"
    ComHelper Common "COM-HELPER" "helper lanes do nothing in an operation that suppresses them, as a program's stores do; in others they act"
    ComSameaddr Common "COM-SAMEADDR" "of two lanes that store to one byte in one group, the higher lane wins"
    ComFault Common "COM-FAULT" "a lane reports its first applicable fault, and no fault stops another lane"
    ComAttr Common "COM-ATTR" "cache operator, priorities and policy reach the memory port unchanged"
    ComIllegal Common "COM-ILLEGAL" "an illegal operation faults every active lane and touches no memory"
    ComPrivate Common "COM-PRIVATE" "private memory is at base + thread * stride + offset, and the offset is below the size"
    ComGlobal Common "COM-GLOBAL" "a global access lies wholly in one allocation range"
    ComBuserr Common "COM-BUSERR" "a response with error faults the lanes it served, and their loads give 0"
    ComOwn Common "COM-OWN" "a thread's load sees that thread's earlier stores"

    PortOp Ports "PORT-OP" "one operation a handshake, carrying everything but the store data"
    PortData Ports "PORT-DATA" "store data comes a register a beat, ascending, in the order of the operations"
    PortWb Ports "PORT-WB" "each register of each loaded lane is written back exactly once"
    PortDone Ports "PORT-DONE" "done follows every answer and every write-back, in issue order within a warp"
    PortHold Ports "PORT-HOLD" "what is offered stays offered, unchanged, until it is taken"
    PortProgress Ports "PORT-PROGRESS" "while the environment answers, the unit moves"
    PortReset Ports "PORT-RESET" "after reset nothing old is in flight and nothing old is answered"
    PortReq Ports "PORT-REQ" "a request carries exactly the bytes, data, owner and attributes of its lanes"
    PortRsp Ports "PORT-RSP" "the first answer completes a request, the last frees its id"
    PortId Ports "PORT-ID" "an id is not used again before its last answer"
    PortHazard Ports "PORT-HAZARD" "requests that share a byte are not in flight together when one of them writes"
    PortOrder Ports "PORT-ORDER" "a warp's requests are accepted in issue order"
    PortGroup Ports "PORT-GROUP" "the lowest pending lane leads a request, and every lane with bytes in its line joins"
    PortMin Ports "PORT-MIN" "a group touches each line once"
    PortRate Ports "PORT-RATE" "without stalls: one request a cycle, and one one-line operation a cycle"
    PortCas Ports "PORT-CAS" "a compare-and-store owns its line and its id from the exclusive read to the final answer; without a match nothing is written, a refusal repeats the pair"
    PortFair Ports "PORT-FAIR" "no warp, and no pair, waits for another's business"
    PortSpad Ports "PORT-SPAD" "scratchpad operations are made whole, in the order of the operations"
    PortBank Ports "PORT-BANK" "a scratchpad access costs the largest number of distinct words in one bank"

    Spa5EaAbs Spa5 "SPA5-EA-ABS" "without an address register the address is the zero-extended immediate"
    Spa5Ea32 Spa5 "SPA5-EA-32" "a 32-bit address is register plus signed immediate, modulo 2^32"
    Spa5Ea64 Spa5 "SPA5-EA-64" "a 64-bit address is the register pair plus signed immediate, modulo 2^64; bit 40 and above is out of window"
    Spa5EaPair Spa5 "SPA5-EA-PAIR" "address pairs start even (R254 pairs with RZ), and data registers are aligned to their number and below R255"
    Spa5Size Spa5 "SPA5-SIZE" "an access moves 1, 2, 4, 8 or 16 bytes; U.128 moves what 128 moves"
    Spa5Ext Spa5 "SPA5-EXT" "LD.S8 and LD.S16 sign-extend, U8 and U16 zero-extend; ST does not care"
    Spa5Multi Spa5 "SPA5-MULTI" "the lower register is at the lower address"
    Spa5Rz Spa5 "SPA5-RZ" "a load to RZ is made and its value dropped; a store from RZ stores zeros"
    Spa5Align Spa5 "SPA5-ALIGN" "the access is made at the address with its low log2(size) bits cleared"
    Spa5Space Spa5 "SPA5-SPACE" "a lane whose predicate is true is local or global, else shared"
    Spa5Window Spa5 "SPA5-WINDOW" "predicate true: local inside the local window, else global; false: inside the shared window"
    Spa5Oob Spa5 "SPA5-OOB" "out of window or allocation: the lane faults, LD writes 0, ST writes nothing"
    Spa5Straddle Spa5 "SPA5-STRADDLE" "an aligned access is wholly in or wholly out of a range"

    R700First R700 "R700-FIRST" "first_dw = (ARRAY_BASE + use_index * index) * (ELEM_SIZE + 1), exact, of every type"
    R700Elem R700 "R700-ELEM" "component c of the k-th GPR is at first_dw + k * (ELEM_SIZE + 1) + c; masked ones leave memory alone; the later GPR wins"
    R700Clamp R700 "R700-CLAMP" "a dword at or past (ARRAY_BASE + ARRAY_SIZE) * (ELEM_SIZE + 1) is not written, those below are; no fault"
    R700Size R700 "R700-SIZE" "ARRAY_SIZE counts elements, 1 to 4096; the field holds one less"
    R700Unit R700 "R700-UNIT" "base and size are scaled by ELEM_SIZE + 1 once, and by nothing else"
    R700Driver R700 "R700-DRIVER" "drivers' form: ARRAY_BASE counts 4 dwords in scratch and reduction, 1 in stream and ring; index and size are scaled by ELEM_SIZE + 1; MEM_EXPORT and READ_MEM: first_dw is the index, no array"
    R700Hint R700 "R700-HINT" "where the two forms of the equation move different dwords, both are said, and the line that selects the other"
    R700Export R700 "R700-EXPORT" "MEM_EXPORT and READ_MEM: any dwords of the export buffer, one to four a GPR, linear, without order between threads"
    R700Flush R700 "R700-FLUSH" "what another thread wrote may be read only after a flush: what is before it is done before anything after it starts"
    R700Stage R700 "R700-STAGE" "pixel, vertex, geometry and export shaders have a scratch buffer each; the reduction buffer is one program's at a time"
    R700Bound R700 "R700-BOUND" "a dword below the limit but past the buffer's size is not moved and faults its lane out of allocation; others go ahead"
    R700Place R700 "R700-PLACE" "byte address = buffer base + thread * stride + 4 * dword; reduction and export have no stride"
    R700Ack R700 "R700-ACK" "an _ACK write is complete when memory has acknowledged every write at system scope"
    R700Vpm R700 "R700-VPM" "with VALID_PIXEL_MODE threads that are not valid pixels write nothing; COMP_MASK 0 moves nothing"
    R700Gproob R700 "R700-GPROOB" "a GPR past the program's last is not transferred; an index GPR past it reads 0"
    R700Read R700 "R700-READ" "reads take elements as writes put them; DST_SEL picks a component, 0, 1, or leaves the destination alone"
    R700Readoob R700 "R700-READOOB" "a dword at or past the limit reads 0"
    R700Raw R700 "R700-RAW" "a thread's read returns what that thread wrote before"

    PtxVec Ptx "PTX-VEC" "element i of 1, 2, 4 or 8 goes to a + i * sizeof(type); narrow types take the low bits"
    PtxSink Ptx "PTX-SINK" "the bytes of an element `_` stay as they are"
    PtxSpace Ptx "PTX-SPACE" "no space is generic: local window, then shared window, else global; .shared is .shared::cta, .param is .param::func"
    PtxEa Ptx "PTX-EA" "the address is register or symbol plus offset modulo 2^64; bit 40 and above is out of window"
    PtxOffset Ptx "PTX-OFFSET" "written out, .local, .shared and .param take offsets in the space and .global an address; .shared::cluster goes out of the memory port"
    PtxAlign Ptx "PTX-ALIGN" "the access is made at the address with its low log2(size) bits cleared"
    PtxSem Ptx "PTX-SEM" "weak may merge; relaxed is single-copy atomic; release follows every earlier access; mmio is one exact request a lane, in lane order"
    PtxGlobalOnly Ptx "PTX-GLOBAL-ONLY" "a generic access of 256 bits that falls in local or shared memory is illegal; a hint there is ignored"
    PtxParam Ptx "PTX-PARAM" "st.param has no guard, and parameter memory is private to a thread"
    PtxSyntax Ptx "PTX-SYNTAX" "guard, st, modifiers in any order, address in brackets, value, policy, semicolon"
    PtxTarget Ptx "PTX-TARGET" "target and version of PTX know every feature that is used"
    PtxL1 Ptx "PTX-L1" "one state space at most, neither .const nor .param::entry, and no parameter that is an input"
    PtxL2 Ptx "PTX-L2" "relaxed, release and mmio are not for .local and .param, volatile not for .param, nor for .local before PTX 9.1"
    PtxL3 Ptx "PTX-L3" "relaxed and release have one scope; weak and volatile have none; no scope without an order"
    PtxL4 Ptx "PTX-L4" "mmio is .mmio.relaxed.sys or, from PTX 9.3, .mmio.release.sys, generic or .global, scalar, without priorities and hints"
    PtxL5 Ptx "PTX-L5" "a store is never acquire, acq_rel or seq_cst"
    PtxL6 Ptx "PTX-L6" "one cache operator of .wb, .cg, .cs, .wt, on weak stores only"
    PtxL7 Ptx "PTX-L7" "no cache operator with a priority of L1"
    PtxL8 Ptx "PTX-L8" "priorities of L1 and hints are for global and generic addresses, and not for volatile"
    PtxL9 Ptx "PTX-L9" "one priority a level; those of L2 are for 256 bits, and neither evict_unchanged nor no_allocate"
    PtxL10 Ptx "PTX-L10" ".L2::cache_hint and a third operand come together; it is a 64-bit b register or an integer"
    PtxL11 Ptx "PTX-L11" "128 bits at most, or .v8 of a 32-bit type, or .v4 of a 64-bit type"
    PtxL12 Ptx "PTX-L12" "256 bits go to global and generic addresses only"
    PtxL13 Ptx "PTX-L13" "sinks stand in vectors of 256 bits, beside at least one value"
    PtxL14 Ptx "PTX-L14" "exactly one type of b8 to b128, u8 to u64, s8 to s64, f32, f64"
    PtxL15 Ptx "PTX-L15" "no guard on st.param to a parameter of a call"
    PtxL16 Ptx "PTX-L16" "a number alone, `[100]`, is an address in .local only"
    PtxL17 Ptx "PTX-L17" "a named variable is declared, of the space that is written or, generic, of global, shared or local; st.param names a parameter"
    PtxL18 Ptx "PTX-L18" "as many values as elements, each a register, literal or sum that its type takes; in a vector registers have the width of the first, if that is one"
    PtxL19 Ptx "PTX-L19" "no .v8 of 8- and 16-bit types"
    PtxLdIndex Ptx "PTX-LD-INDEX" "var[i], var[reg] and var[reg+i] choose an element of an array; (reg+i) * size is taken modulo 2^32"

    Sm5Cas Sm5 "SM5-CAS" "if the dword equals src0, bit for bit, it becomes src1, in one atomic step; nothing is returned"
    Sm5Order Sm5 "SM5-ORDER" "lanes of one instruction on one dword take effect one after the other, in ascending order"
    Sm5Kind Sm5 "SM5-KIND" "the destination is u# raw, structured or typed R32_UINT or R32_SINT, or g# raw or structured"
    Sm5Raw Sm5 "SM5-RAW" "raw: byte address = a.x"
    Sm5Struct Sm5 "SM5-STRUCT" "structured: byte address = a.x * stride + a.y, exact"
    Sm5Typed Sm5 "SM5-TYPED" "typed: byte address = 4x + row_pitch * y + slice_pitch * z, each index below its own dimension"
    Sm5OobUav Sm5 "SM5-OOB-UAV" "u# raw, typed, and structured with a.x out of range: nothing is written, out of allocation"
    Sm5OobOffset Sm5 "SM5-OOB-OFFSET" "structured u# with a.y past the stride: nothing is written, and the lane's fault is undefined"
    Sm5OobTgsm Sm5 "SM5-OOB-TGSM" "g# out of its own bounds: nothing is written, and the lane's fault is undefined"
    Sm5Align Sm5 "SM5-ALIGN" "the address is forced to a multiple of 4; the lane is misaligned if that traps"
    Sm5Unbound Sm5 "SM5-UNBOUND" "an unbound u# slot is out of bounds: nothing is written"
    Sm5Inactive Sm5 "SM5-INACTIVE" "an inactive lane, discarded pixel or helper does nothing, silently"
    Sm5Stage Sm5 "SM5-STAGE" "pixel and compute shaders, every stage from Direct3D 11.1 on, no shader model before 5; g# in compute shaders; limits of declarations"
    Sm5Wild Sm5 "SM5-WILD" "a resource that a lane makes undefined is named, and what is read of it later is this unit's choice"
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// No clause has this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown clause `{0}`")]
pub struct UnknownClause(String);

impl FromStr for Clause {
    type Err = UnknownClause;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        Clause::ALL.iter().copied().find(|clause| clause.id() == id).ok_or_else(|| UnknownClause(id.to_owned()))
    }
}
