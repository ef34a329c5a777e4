// SPDX-License-Identifier: MIT OR Apache-2.0
// The banks: LANES memories of 32 bits, each with a read and a write a cycle.
//
//               cycle 0             cycle 1
//   rows  ---> read ----------> word_o, the step of a compare-and-store
//   store data ---------------> write
//
// What is read in the cycle in which it is written comes from the write, so that an operation finds everything that the
// ones before it did, and a step what the step before it left (SM5-CAS, SM5-ORDER). Its bytes that are not written
// lie still, so the memory itself need not say what a read beside a write finds.

module lsu_spad_banks
  import lsu_cas_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned ROW_BITS = 8
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // By bank, in cycle 0
  input  logic                           read_i,   // a load, or a compare-and-store
  input  logic                           write_i,  // a store
  input  logic                           swap_i,   // a compare-and-store
  input  logic [LANES-1:0]               used_i,
  input  logic [LANES-1:0][ROW_BITS-1:0] row_i,
  input  logic [LANES-1:0][3:0]          be_i,

  // In cycle 1
  input  logic [LANES-1:0][31:0] data_i,
  input  logic [LANES-1:0][31:0] other_i,  // even banks: what to store where data_i is found; odd banks: the reverse
  output logic [LANES-1:0][31:0] word_o
);
  logic write_q, swap_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      swap_q <= 1'b0;
    end else begin
      write_q <= write_i;
      swap_q <= swap_i;
    end
  end

  logic [LANES-1:0]               used_q;
  logic [LANES-1:0][ROW_BITS-1:0] row_q;
  logic [LANES-1:0][3:0]          be_q;
  always_ff @(posedge clk_i) begin
    if (write_i || swap_i) begin
      used_q <= used_i;
      row_q <= row_i;
      be_q <= be_i;
    end
  end

  // What is written
  logic [LANES-1:0][3:0]  be;
  logic [LANES-1:0][31:0] value;
  step_t s;
  always_comb begin
    be = '0;
    value = data_i;
    s = '0;
    if (write_q) begin
      for (int b = 0; b < LANES; b++) be[b] = used_q[b] ? be_q[b] : '0;
    end
    if (swap_q) begin
      for (int b = 0; b < LANES; b++) begin
        s = step(word_o[b], b % 2 == 0 ? data_i[b] : other_i[b], b % 2 == 0 ? other_i[b] : data_i[b]);
        be[b] = {4{used_q[b] && s.stores}};
        value[b] = s.value;
      end
    end
  end

`ifdef SYNTHESIS
  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    (* no_rw_check *) logic [31:0] mem [2**ROW_BITS];
    logic [31:0] old_q, new_q;
    logic [3:0]  take_q;  // bytes of new_q
    always_comb for (int i = 0; i < 4; i++) word_o[b][i*8+:8] = take_q[i] ? new_q[i*8+:8] : old_q[i*8+:8];
    always_ff @(posedge clk_i) begin
      if (read_i && used_i[b]) begin
        old_q <= mem[row_i[b]];
        take_q <= row_q[b] == row_i[b] ? be[b] : '0;
        new_q <= value[b];
      end
      for (int i = 0; i < 4; i++) if (be[b][i]) mem[row_q[b]][i*8+:8] <= value[b][i*8+:8];
    end
  end
`else
  // The same in one array, with writes that block: a simulator need not keep four bytes of every bank aside each cycle.
  logic [31:0] mem [LANES][2**ROW_BITS];
  always_ff @(posedge clk_i) begin
    if (write_q || swap_q) begin
      for (int b = 0; b < LANES; b++) begin
        if (be[b] == '1) mem[b][row_q[b]] = value[b];
        else for (int i = 0; i < 4; i++) if (be[b][i]) mem[b][row_q[b]][i*8+:8] = value[b][i*8+:8];
      end
    end
    if (read_i) begin
      for (int b = 0; b < LANES; b++) if (used_i[b]) word_o[b] <= mem[b][row_i[b]];
    end
  end
`endif
endmodule
