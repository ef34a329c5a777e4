// SPDX-License-Identifier: MIT OR Apache-2.0
// The banks: LANES memories of 32 bits, each with one read and one write a cycle.
//
//               cycle 0             cycle 1       cycle 2
//   rows  ---> read ----------> word_o ------> the step of a compare-and-store
//   store data -------------------------------> write
//
// Bytes with a write on its way are forwarded to the read, so that an operation sees everything that the earlier ones
// stored, and a step sees what the step before it left (SM5-CAS, SM5-ORDER). The memory itself need not define what a
// read returns in the cycle of a write to the same word.

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
  input  logic [LANES-1:0][31:0] other_i,  // even banks: the new value, data_i to compare with; odd banks: the reverse
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

  // Of a compare-and-store, by bank: the comparison value and the new value
  function automatic logic [31:0] compare(int b);
    return b % 2 == 0 ? data_i[b] : other_i[b];
  endfunction

  function automatic logic [31:0] store(int b);
    return b % 2 == 0 ? other_i[b] : data_i[b];
  endfunction

`ifdef SYNTHESIS
  // A word arrives late in cycle 1, so it is compared in cycle 2, and all writes are made there.
  logic write_then_q, swap_then_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_then_q <= 1'b0;
      swap_then_q <= 1'b0;
    end else begin
      write_then_q <= write_q;
      swap_then_q <= swap_q;
    end
  end

  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    (* ram_style = "block", no_rw_check *) logic [31:0] mem [2**ROW_BITS];
    // In cycle 1: the word read; the bytes that a write made in the cycle of the read, which replace the word's; and
    // whether the write one cycle behind, which is made now, goes to the same word
    logic [31:0] old_q, new_q;
    logic [3:0]  take_q;
    logic        near_q;
    // In cycle 2
    logic                used_then_q;
    logic [ROW_BITS-1:0] row_then_q;
    logic [3:0]          be_then_q, be;
    logic [31:0]         found_q, compare_q, value_q;
    step_t               s;

    always_comb begin
      s = step(found_q, compare_q, value_q);
      be = '0;
      if (write_then_q && used_then_q) be = be_then_q;
      if (swap_then_q && used_then_q) be = {4{s.stores}};
      for (int i = 0; i < 4; i++) begin
        word_o[b][i*8+:8] = near_q && be[i] ? value_q[i*8+:8] : take_q[i] ? new_q[i*8+:8] : old_q[i*8+:8];
      end
    end

    always_ff @(posedge clk_i) begin
      if (read_i && used_i[b]) begin
        old_q <= mem[row_i[b]];
        take_q <= row_then_q == row_i[b] ? be : '0;
        new_q <= value_q;
        near_q <= used_q[b] && row_q[b] == row_i[b];
      end
      if (write_q || swap_q) begin
        used_then_q <= used_q[b];
        row_then_q <= row_q[b];
        be_then_q <= be_q[b];
        found_q <= word_o[b];
        compare_q <= compare(b);
        value_q <= swap_q ? store(b) : data_i[b];
      end
      for (int i = 0; i < 4; i++) if (be[i]) mem[row_then_q][i*8+:8] <= value_q[i*8+:8];
    end
  end

`else
  // The simulation twin: one array with blocking writes in cycle 1, so that a simulator need not keep words of every
  // bank aside.
  logic [31:0] mem [LANES][2**ROW_BITS];
  step_t       found;
  always_ff @(posedge clk_i) begin
    if (write_q) begin
      for (int b = 0; b < LANES; b++) begin
        if (used_q[b]) begin
          if (be_q[b] == '1) mem[b][row_q[b]] = data_i[b];
          else for (int i = 0; i < 4; i++) if (be_q[b][i]) mem[b][row_q[b]][i*8+:8] = data_i[b][i*8+:8];
        end
      end
    end
    if (swap_q) begin
      for (int b = 0; b < LANES; b++) begin
        found = step(word_o[b], compare(b), store(b));
        if (used_q[b] && found.stores) mem[b][row_q[b]] = found.value;
      end
    end
    if (read_i) begin
      for (int b = 0; b < LANES; b++) if (used_i[b]) word_o[b] <= mem[b][row_i[b]];
    end
  end
`endif
endmodule
