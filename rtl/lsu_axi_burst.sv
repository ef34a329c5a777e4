// SPDX-License-Identifier: MIT OR Apache-2.0
// Maps a line request to an AXI4 burst: its address, its beats and its attributes. Combinational.
//
// A request moves its whole line, as an INCR burst of full beats. An mmio request moves only the smallest naturally
// aligned block that holds its bytes, in one beat if the bus is wide enough. No burst crosses 4 KiB: a line never does,
// and a block never leaves its line. docs/axi.md has the table of the attributes.

module lsu_axi_burst
  import lsu_pkg::*;
#(
  parameter int unsigned LINE_BYTES = 128,
  parameter int unsigned DATA_BYTES = 128,
  localparam int unsigned BeatBits = LINE_BYTES > DATA_BYTES ? $clog2(LINE_BYTES / DATA_BYTES) : 1
) (
  input  req_kind_e             kind_i,
  input  space_e                space_i,
  input  attr_t                 attr_i,
  input  addr_t                 line_i,  // address of the line
  input  logic [LINE_BYTES-1:0] be_i,    // never 0

  // AxADDR and so on
  output addr_t                 addr_o,
  output logic [7:0]            len_o,
  output logic [2:0]            size_o,
  output logic                  lock_o,
  output logic [3:0]            cache_o,
  output logic [3:0]            qos_o,

  output logic [BeatBits-1:0]   beat_o   // where in the line the burst begins, in beats
);
  localparam int unsigned OffsetBits = $clog2(LINE_BYTES);
  localparam int unsigned SizeBits = $clog2(DATA_BYTES);
  // Eviction priorities that ask for no allocation in a cache.
  localparam logic [2:0] EvictFirst = 3'd2;
  localparam logic [2:0] NoAllocate = 3'd4;

  logic write, pair, mmio;
  assign write = kind_i inside {ReqWrite, ReqWriteExclusive};
  assign pair = kind_i inside {ReqReadExclusive, ReqWriteExclusive};
  assign mmio = !pair && space_i == SpaceGlobal && attr_i.semantics inside {SemMmio, SemMmioRelease};

  // The block of an mmio request. If the places of two enabled bytes differ in a bit, the block spans that bit and all
  // below it; the bits above are its address.
  // ------------------------------------------------------------------------------------------------------------------
  logic [OffsetBits-1:0] zero, one, spans;  // by bit of a place: 0 in some enabled byte, 1 in some, in the block's span
  for (genvar b = 0; b < OffsetBits; b++) begin : gen_bit
    logic [LINE_BYTES-1:0] set;  // the places that have this bit set: a constant
    for (genvar i = 0; i < LINE_BYTES; i++) begin : gen_place
      assign set[i] = 1'(i >> b);
    end
    assign zero[b] = (be_i & ~set) != '0;
    assign one[b] = (be_i & set) != '0;
    assign spans[b] = ((zero & one) >> b) != '0;
  end

  logic [OffsetBits-1:0] base, low;
  assign low = mmio ? spans : '1;
  assign base = one & ~low;
  assign addr_o = {line_i[ADDR_WIDTH-1:OffsetBits], base};

  // `low` has ones up to the block's size: those below the bus width give AxSIZE, those above it AxLEN.
  assign size_o = 3'($countones(low[SizeBits-1:0]));
  if (LINE_BYTES > DATA_BYTES) begin : gen_beats
    assign len_o = 8'(low[OffsetBits-1:SizeBits]);
    assign beat_o = base[OffsetBits-1:SizeBits];
  end else begin : gen_beat
    assign len_o = '0;
    assign beat_o = '0;
  end

  // Attributes
  // ----------
  logic through, uncached, keep;
  assign uncached = pair || attr_i.uncached || attr_i.cache_op == CacheCv || attr_i.semantics == SemVolatile;
  assign through = attr_i.cache_op == CacheWt;
  assign keep = !(attr_i.cache_op == CacheCs || attr_i.l2_priority inside {EvictFirst, NoAllocate});

  assign lock_o = pair;
  always_comb begin
    if (mmio) cache_o = 4'b0000;           // device, not bufferable
    else if (uncached) cache_o = 4'b0010;  // normal, neither cached nor bufferable
    else cache_o = {keep || !write, keep || write, 1'b1, !through};
  end
  // Priority for the requests that keep others of the unit waiting: a pair those on its line, an mmio request the next
  // one of its warp.
  assign qos_o = {3'b0, pair || mmio};
endmodule
