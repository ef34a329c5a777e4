// SPDX-License-Identifier: MIT OR Apache-2.0
// The types of the unit's ports, and nothing else.
//
// src/op/table.rs mirrors these structs field by field. From that table the build makes a module that asks this package
// for the bits of every field, and tests/agree/layout.rs fails if the two disagree.
// Encodings are part of the interface: append, never renumber.

package lsu_pkg;
  parameter int unsigned ADDR_WIDTH = 40;  // bits of a byte address at the memory port
  parameter int unsigned WARP_WIDTH = 3;   // bits of a warp number: WARPS is at most 8
  parameter int unsigned TAG_WIDTH = 8;    // bits; the issuer's own name for an operation in flight
  parameter int unsigned ID_WIDTH = 6;     // bits of a request's id: PENDING is at most 64
  parameter int unsigned REG_WIDTH = 6;    // bits of a register's index inside its operation
  parameter int unsigned GROUP_WIDTH = 4;  // bits of a group's number inside its operation (PORT-GROUP)
  parameter int unsigned ALLOCS = 8;       // ranges of global memory (COM-GLOBAL)
  parameter int unsigned BUFFERS = 8;      // R700 buffers
  parameter int unsigned SCRATCHES = 3;    // scratch buffers besides that of pixel shaders
  parameter int unsigned UAVS = 8;         // u# slots
  parameter int unsigned TGSMS = 8;        // g# slots

  typedef logic [ADDR_WIDTH-1:0] addr_t;
  typedef logic [WARP_WIDTH-1:0] warp_t;
  typedef logic [TAG_WIDTH-1:0] tag_t;
  typedef logic [ID_WIDTH-1:0] id_t;
  typedef logic [REG_WIDTH-1:0] reg_t;
  typedef logic [GROUP_WIDTH-1:0] group_t;

  typedef enum logic [1:0] {
    KindLoad     = 2'd0,
    KindStore    = 2'd1,
    KindCmpStore = 2'd2   // SM5-CAS
  } kind_e;

  // How a lane's effective address is made of its address words and the immediate.
  typedef enum logic [2:0] {
    AddrAbs    = 3'd0,  // the immediate alone
    AddrReg32  = 3'd1,  // word 0 + immediate, modulo 2^32
    AddrReg64  = 3'd2,  // {word 1, word 0} + immediate, modulo 2^64
    AddrArray  = 3'd3,  // R700-FIRST
    AddrRaw    = 3'd4,  // SM5-RAW
    AddrStruct = 3'd5,  // SM5-STRUCT
    AddrTyped  = 3'd6   // SM5-TYPED
  } addr_mode_e;

  // Which memory an address names; at the memory port, which memory a request is for.
  typedef enum logic [3:0] {
    SpacePredicated = 4'd0,  // SPA5-SPACE: each lane's predicate decides
    SpaceGeneric    = 4'd1,  // PTX-SPACE: the windows decide
    SpaceGlobal     = 4'd2,
    SpaceLocal      = 4'd3,
    SpaceShared     = 4'd4,
    SpaceCluster    = 4'd5,
    SpaceParam      = 4'd6,
    SpaceBuffer     = 4'd7,  // an R700 buffer, by slot
    SpaceUav        = 4'd8,  // u#, by slot
    SpaceTgsm       = 4'd9   // g#, by slot
  } space_e;

  // The R700 buffers, by slot.
  typedef enum logic [2:0] {
    BufferScratch   = 3'd0,  // private to each thread
    BufferReduction = 3'd1,
    BufferStream0   = 3'd2,
    BufferStream1   = 3'd3,
    BufferStream2   = 3'd4,
    BufferStream3   = 3'd5,
    BufferRing      = 3'd6,
    BufferExport    = 3'd7   // general memory, in any order between threads (R700-EXPORT)
  } buffer_e;

  // The type of an R700 operation's program; each type has its own scratch buffer (R700-STAGE).
  typedef enum logic [1:0] {
    StagePixel    = 2'd0,
    StageVertex   = 2'd1,
    StageGeometry = 2'd2,
    StageExport   = 2'd3   // export shader
  } stage_e;

  typedef enum logic [2:0] {
    CacheCa = 3'd0,
    CacheCg = 3'd1,
    CacheCi = 3'd2,
    CacheCv = 3'd3,
    CacheWb = 3'd4,
    CacheCs = 3'd5,
    CacheWt = 3'd6
  } cache_e;

  typedef enum logic [2:0] {
    SemWeak        = 3'd0,
    SemVolatile    = 3'd1,
    SemRelaxed     = 3'd2,
    SemRelease     = 3'd3,
    SemMmio        = 3'd4,
    SemMmioRelease = 3'd5   // makes requests like mmio, waits like a release
  } semantics_e;

  typedef enum logic [1:0] {
    ScopeCta     = 2'd0,
    ScopeCluster = 2'd1,
    ScopeGpu     = 2'd2,
    ScopeSys     = 2'd3
  } scope_e;

  // COM-ATTR: never changes a value; reaches the memory port unchanged.
  typedef struct packed {
    logic        uniform;       // a hint: all lanes of the load have one address (SPA5-SIZE, U.128)
    cache_e      cache_op;
    logic [2:0]  l1_priority;
    logic [2:0]  l2_priority;
    logic        policy_valid;
    logic [63:0] policy;
    semantics_e  semantics;
    scope_e      scope;
    logic        uncached;
  } attr_t;

  // One operation of one warp, the same for all lanes (PORT-OP). A new field becomes the highest, so that recorded bits
  // without it keep their meaning.
  typedef struct packed {
    stage_e      stage;             // of an R700 program: selects the scratch buffer
    kind_e       kind;
    addr_mode_e  addr_mode;
    space_e      space;
    warp_t       warp;
    tag_t        tag;
    logic [63:0] imm;               // bytes; already extended by the front end
    logic [4:0]  element_bytes;     // 1, 2, 4, 8, 16; of a burst 4
    logic [3:0]  element_count;     // 1, 2, 4, 8; of a burst 4: the components of a GPR
    logic [7:0]  element_mask;      // bit i: element i moves (PTX-SINK); of a burst's read: memory has component i
    logic        sign_extend;       // loads of 1- and 2-byte elements
    logic        suppress_helpers;  // COM-HELPER, R700-VPM
    logic        await_last;        // complete on every write's last answer, not its first (R700-ACK)
    logic [2:0]  slot;              // R700 buffer, u# or g#
    logic [12:0] array_base;        // elements
    logic [12:0] array_size;        // elements, 1 to 4096
    logic [1:0]  elem_size;         // dwords - 1
    logic        use_index;
    logic [15:0] present_gprs;      // bit k: the k-th GPR of the burst moves
    logic [11:0] component_select;  // R700 reads: DST_SEL_W, Z, Y, X: 0 to 3 a component, 4 zero, 5 one, 7 none
    logic        one_is_float;      // R700 reads: the constant 1 is 1.0
    attr_t       attr;
  } op_t;

  // A lane's outcome; of several faults, the one with the lowest code (COM-FAULT).
  typedef enum logic [2:0] {
    FaultNone       = 3'd0,
    FaultIllegal    = 3'd1,
    FaultWindow     = 3'd2,
    FaultAllocation = 3'd3,
    FaultUndefined  = 3'd4,
    FaultBus        = 3'd5,
    FaultMisaligned = 3'd6
  } fault_e;

  // Bytes [base, base + size); base and size are multiples of 32, the end is at most 2^ADDR_WIDTH.
  typedef struct packed {
    addr_t base;
    addr_t size;
  } range_t;

  // One thread's item starts at base + thread * stride (COM-PRIVATE). All multiples of 32 bytes.
  typedef struct packed {
    addr_t       base;
    logic [31:0] stride;
    logic [31:0] size;
  } private_t;

  // An R700 buffer: a thread's dword is at base + thread * stride + 4 * dword (R700-PLACE). All multiples of 4 bytes;
  // reduction and export have no stride other than 0.
  typedef struct packed {
    addr_t       base;
    logic [31:0] stride;
    logic [31:0] size;  // of one thread's part, where there is a stride
  } buffer_t;

  // The kind of an SM5 resource; for an operation that addresses another kind, it counts as unbound (SM5-UNBOUND).
  typedef enum logic [1:0] {
    ResourceNone       = 2'd0,
    ResourceRaw        = 2'd1,
    ResourceStructured = 2'd2,
    ResourceTyped      = 2'd3   // R32_UINT or R32_SINT
  } resource_e;

  // The indices of a typed resource (SM5-TYPED).
  typedef enum logic [2:0] {
    DimBuffer  = 3'd0,  // x
    Dim1d      = 3'd1,  // x
    Dim1dArray = 3'd2,  // x, slice: below depth, slice_pitch apart
    Dim2d      = 3'd3,  // x, y
    Dim2dArray = 3'd4,  // x, y, slice
    Dim3d      = 3'd5   // x, y, z
  } dimension_e;

  // u#. base, size, stride and pitches are multiples of 4 bytes; the end is at most 2^ADDR_WIDTH.
  typedef struct packed {
    resource_e   kind;
    dimension_e  dimension;
    addr_t       base;
    addr_t       size;
    logic [11:0] stride;  // of a structure; 0 only if not structured
    logic [31:0] width;   // of typed: elements along x
    logic [15:0] height;  // along y
    logic [15:0] depth;   // along z, or slices
    logic [31:0] row_pitch;
    logic [31:0] slice_pitch;
  } uav_t;

  // g#, raw or structured, in the scratchpad, not beyond its end. All multiples of 4 bytes.
  typedef struct packed {
    resource_e   kind;
    logic [31:0] base;
    logic [31:0] size;
    logic [11:0] stride;
  } tgsm_t;

  // Control registers. They change only while nothing is in flight. As in op_t, a new field becomes the highest.
  typedef struct packed {
    buffer_t [SCRATCHES-1:0] stage_scratch;  // of vertex, geometry and export shaders (R700-STAGE)
    logic                trap_misaligned;
    range_t              local_window;
    range_t              shared_window;
    private_t            local_memory;
    logic [31:0]         shared_size;  // bytes of the scratchpad that are allocated
    range_t [ALLOCS-1:0] alloc;        // size 0: unused
    logic                r700_driver_form;  // R700-DRIVER instead of R700-FIRST
    buffer_t [BUFFERS-1:0] buffer;     // by slot; scratch is that of pixel shaders
    private_t            param_memory;
    range_t              cluster;      // the shared memory of the cluster, at the memory port (PTX-OFFSET)
    uav_t [UAVS-1:0]     uav;          // by slot
    tgsm_t [TGSMS-1:0]   tgsm;         // by slot
  } ctrl_t;

  typedef enum logic [1:0] {
    ReqRead           = 2'd0,
    ReqWrite          = 2'd1,
    ReqReadExclusive  = 2'd2,
    ReqWriteExclusive = 2'd3
  } req_kind_e;
endpackage
