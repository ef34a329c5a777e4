// SPDX-License-Identifier: MIT OR Apache-2.0
// Shared memory: LANES banks of 32 bits (PORT-SPAD, PORT-BANK).
//
//                +--------+     +-------+     +---------+     +-------+
//   dispatch --->| access |---->| banks |---->| collect |---->| drain |---> lsu_writeback
//                +--------+     +-------+     +---------+     +-------+
//
// access: each bank serves one word a cycle, to every lane and register that wants it, so an operation takes as
// many cycles as its busiest bank has distinct words. collect gathers a load's words in one of two buffers; drain
// hands them out a register a beat while the next operation fills the other. Operations go whole, in order.
// A compare-and-store reads as a load does; a cycle later its lanes act on the words, in ascending order, and these are
// written while the next words are read (SM5-CAS, SM5-ORDER). Only a store must wait for that cycle.
// Golden model: src/model/scratchpad.rs.

module lsu_scratchpad
  import lsu_pkg::*;
  import lsu_internal_pkg::*;
#(
  parameter int unsigned LANES = 32,
  parameter int unsigned SHARED_BYTES = 32768
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous, active low

  // From dispatch; shared_i is not empty
  input  logic                valid_i,
  output logic                ready_o,
  input  slot_t               slot_i,
  input  op_t                 op_i,
  input  logic [LANES-1:0]    shared_i,
  input  addr_t [LANES-1:0]   addr_i,
  input  rows_t               rows_i,   // for which the ring holds data
  input  ring_ptr_t           front_i,  // of the store data: its lowest register
  input  logic [LANES*32-1:0] ring_i [RING_BEATS],

  // Whether an operation of a warp is at the banks (PTX-SEM)
  input  warp_t fence_warp_i,
  output logic  fence_waits_o,

  // To lsu_inflight
  output logic  store_done_o,
  output slot_t store_slot_o,

  // To lsu_writeback
  output logic                beat_valid_o,
  input  logic                beat_ready_i,
  output beat_t               beat_o,
  output logic [LANES-1:0]    beat_mask_o,
  output logic [LANES*32-1:0] beat_data_o
);
  import lsu_cas_pkg::*;
  import lsu_extract_pkg::*;

  localparam int unsigned BankBits = $clog2(LANES);
  localparam int unsigned Rows = SHARED_BYTES / 4 / LANES;
  localparam int unsigned RowBits = $clog2(Rows);
  typedef logic [BankBits-1:0] bank_t;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [BankBits+RowBits-1:0] word_t;  // word number: {row, bank}

  // The operation at the banks
  logic                valid_q;
  slot_t               slot_q;
  warp_t               warp_q;
  tag_t                tag_q;
  format_t             format_q;
  logic [2:0]          registers_q;
  logic                store_q;
  logic                swap_q;     // a compare-and-store
  logic [LANES-1:0]    shared_q;
  rows_t [LANES-1:0]   wants_q;    // words of the access that are still to be made
  word_t [LANES-1:0]     word_q;
  logic [LANES-1:0][1:0] byte_q;
  logic [LANES*32-1:0] data_q [ROWS];
  logic [31:0]         access_q;   // bytes of a store that move
  logic                in_word_q;  // it lies within one word
  logic [4:0]          element_bytes_q;

  // The compare-and-store that was there a cycle before
  logic                step_q;       // words of a compare-and-store were read
  logic                step_last_q;  // ... its last
  slot_t               step_slot_q;
  warp_t               step_warp_q;
  logic [LANES-1:0]    step_served_q;
  bank_t [LANES-1:0]   step_bank_q;
  row_t                step_row_q [LANES];  // by bank
  logic [LANES*32-1:0] step_compare_q, step_value_q;

  // Access: choose a word for each bank
  // -----------------------------------
  logic [LANES-1:0] bank_used;
  row_t             bank_row [LANES];
  logic [3:0]       bank_be [LANES];
  logic [31:0]      bank_data [LANES];
  rows_t [LANES-1:0] served;
  logic [3:0]       be;
  logic [31:0]      value;
  logic             over;     // no word is left after this cycle
  logic             proceed;
  word_t            word;
  bank_t            bank;
  row_t             row;
  always_comb begin
    over = 1'b1;
    word = '0;
    bank = '0;
    row = '0;
    be = '0;
    value = '0;
    bank_used = '0;
    served = '0;
    for (int b = 0; b < LANES; b++) begin
      bank_row[b] = '0;
      bank_be[b] = '0;
      bank_data[b] = '0;
    end
    if (valid_q) begin
      for (int l = 0; l < LANES; l++) begin
        for (int k = 0; k < ROWS; k++) begin
          if (wants_q[l][k]) begin
            word = word_q[l] + word_t'(k);
            bank = bank_t'(word);
            row = row_t'(word >> BankBits);
            if (!bank_used[bank]) bank_row[bank] = row;
            bank_used[bank] = 1'b1;
            if (bank_row[bank] == row) begin
              served[l][k] = 1'b1;
              if (store_q) begin
                be = access_q[k*4+:4];
                value = data_q[k][l*32+:32];
                if (element_bytes_q < 5'd4) value = 32'(side_by_side(element_bytes_q, rows_at(l)) >> (k % 4 * 32));
                if (in_word_q) begin
                  be = be << byte_q[l];
                  value = value << {byte_q[l], 3'b0};
                end
                bank_be[bank] |= be;
                bank_data[bank] = (bank_data[bank] & ~byte_mask(be)) | (value & byte_mask(be));
              end
            end else begin
              over = 1'b0;
            end
          end
        end
      end
    end
  end

  function automatic logic [ROWS-1:0][31:0] rows_at(int l);
    return {data_q[7][l*32+:32], data_q[6][l*32+:32], data_q[5][l*32+:32], data_q[4][l*32+:32],
            data_q[3][l*32+:32], data_q[2][l*32+:32], data_q[1][l*32+:32], data_q[0][l*32+:32]};
  endfunction

  function automatic rows_t words_in(logic [31:0] access);
    for (int k = 0; k < ROWS; k++) words_in[k] = access[k*4+:4] != '0;
  endfunction

  assign fence_waits_o = (valid_q && warp_q == fence_warp_i) || (step_q && step_warp_q == fence_warp_i);

  // A load starts once the buffer that it will fill is free, or becomes free in this cycle.
  logic       fill_q;
  logic [1:0] busy_q;    // reserved, until its last beat is handed over
  logic       begun_q;   // the operation holds its buffer already
  logic       drain_q;   // the buffer to drain next
  logic       drained;
  assign drained = beat_valid_o && beat_ready_i && beat_o.last;
  always_comb begin
    if (store_q) proceed = valid_q && !step_q;
    else proceed = valid_q && (swap_q || begun_q || !busy_q[fill_q] || (drained && drain_q == fill_q));
  end
  assign ready_o = !valid_q || (proceed && over);

  assign store_done_o = (proceed && over && store_q) || (step_q && step_last_q);
  assign store_slot_o = step_q ? step_slot_q : slot_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      begun_q <= 1'b0;
    end else begin
      if (ready_o) valid_q <= valid_i;
      begun_q <= proceed && !over;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      slot_q <= slot_i;
      warp_q <= op_i.warp;
      tag_q <= op_i.tag;
      format_q <= format_of(op_i);
      registers_q <= registers_of(op_i.element_bytes);
      store_q <= op_i.kind == KindStore;
      swap_q <= op_i.kind == KindCmpStore;
      shared_q <= shared_i;
      for (int l = 0; l < LANES; l++) begin
        if (!shared_i[l]) wants_q[l] <= '0;
        else if (op_i.kind == KindStore) wants_q[l] <= words_in(access_mask(op_i));
        else wants_q[l] <= rows_t'(words_of(op_i));
        word_q[l] <= word_t'(addr_i[l] >> 2);
        byte_q[l] <= addr_i[l][1:0];
      end
      if (op_i.kind != KindLoad) begin
        automatic ring_ptr_t from = front_i;
        access_q <= access_mask(op_i);
        in_word_q <= access_bytes(op_i) <= 6'd4;
        element_bytes_q <= op_i.element_bytes;
        for (int r = 0; r < ROWS; r++) begin
          if (rows_i[r]) begin
            data_q[r] <= ring_i[from];
            from = from + ring_ptr_t'(1);
          end
        end
      end
    end else if (proceed) begin
      wants_q <= wants_q & ~served;
    end
  end

  // Step
  // ----
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= 1'b0;
    else step_q <= proceed && swap_q;
  end

  always_ff @(posedge clk_i) begin
    if (proceed && swap_q) begin
      step_last_q <= over;
      step_slot_q <= slot_q;
      step_warp_q <= warp_q;
      for (int l = 0; l < LANES; l++) begin
        step_served_q[l] <= served[l][0];
        step_bank_q[l] <= bank_t'(word_q[l]);
        step_row_q[l] <= bank_row[l];
      end
      step_compare_q <= data_q[0];
      step_value_q <= data_q[1];
    end
  end

  logic [LANES-1:0][31:0] read_q;
  logic [LANES-1:0]       step_writes;  // by bank
  logic [31:0]            step_word [LANES];
  step_t                  s;
  always_comb begin
    step_writes = '0;
    s = '0;
    for (int b = 0; b < LANES; b++) step_word[b] = '0;
    if (step_q) begin
      for (int b = 0; b < LANES; b++) step_word[b] = read_q[b];
      for (int l = 0; l < LANES; l++) begin
        if (step_served_q[l]) begin
          s = step(step_word[step_bank_q[l]], step_compare_q[l*32+:32], step_value_q[l*32+:32]);
          step_word[step_bank_q[l]] = s.value;
          if (s.stores) step_writes[step_bank_q[l]] = 1'b1;
        end
      end
    end
  end

  // The banks
  // ---------
  // A bank is read or written in a cycle, never both, but for the words of a compare-and-store: who reads one in the
  // cycle in which it is written gets what is written.
`ifdef SYNTHESIS
  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    logic [31:0] mem [Rows];
    logic [31:0] old_q, new_q;
    logic        forward_q;
    logic [3:0]  be;
    assign read_q[b] = forward_q ? new_q : old_q;
    assign be = step_writes[b] ? 4'hf : proceed && store_q ? bank_be[b] : '0;
    always_ff @(posedge clk_i) begin
      if (proceed && !store_q && bank_used[b]) begin
        old_q <= mem[bank_row[b]];
        forward_q <= step_writes[b] && step_row_q[b] == bank_row[b];
        new_q <= step_word[b];
      end
      for (int i = 0; i < 4; i++) begin
        if (be[i]) mem[step_writes[b] ? step_row_q[b] : bank_row[b]][i*8+:8] <= step_writes[b] ? step_word[b][i*8+:8]
                                                                                              : bank_data[b][i*8+:8];
      end
    end
  end
`else
  // The same in one array, with writes that block: a simulator need not keep four bytes of every bank aside each cycle.
  logic [31:0] mem [LANES][Rows];
  always_ff @(posedge clk_i) begin
    for (int b = 0; b < LANES; b++) if (step_writes[b]) mem[b][step_row_q[b]] = step_word[b];
    if (proceed) begin
      for (int b = 0; b < LANES; b++) begin
        if (!store_q) begin
          if (bank_used[b]) read_q[b] <= mem[b][bank_row[b]];
        end else begin
          for (int i = 0; i < 4; i++) if (bank_be[b][i]) mem[b][bank_row[b]][i*8+:8] = bank_data[b][i*8+:8];
        end
      end
    end
  end
`endif

  // Collect
  // -------
  logic               collect_q;
  logic               collect_last_q;
  logic               collect_fill_q;
  rows_t [LANES-1:0]  collect_served_q;
  bank_t [LANES-1:0]  collect_bank_q;

  logic [1:0]            full_q;
  slot_t                 buffer_slot_q [2];
  warp_t                 buffer_warp_q [2];
  tag_t                  buffer_tag_q [2];
  format_t               buffer_format_q [2];
  logic [2:0]            buffer_registers_q [2];
  logic [LANES-1:0]      buffer_shared_q [2];
  logic [LANES-1:0][1:0] buffer_byte_q [2];
  logic [LANES-1:0][REGISTERS-1:0][31:0] buffer_word_q [2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      collect_q <= 1'b0;
      fill_q <= 1'b0;
      busy_q <= '0;
    end else begin
      collect_q <= proceed && !store_q && !swap_q;
      if (drained) busy_q[drain_q] <= 1'b0;
      if (proceed && !store_q && !swap_q) begin
        busy_q[fill_q] <= 1'b1;
        if (over) fill_q <= !fill_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (proceed && !store_q && !swap_q) begin
      collect_last_q <= over;
      collect_fill_q <= fill_q;
      collect_served_q <= served;
      for (int l = 0; l < LANES; l++) collect_bank_q[l] <= bank_t'(word_q[l]);
      if (over) begin
        buffer_slot_q[fill_q] <= slot_q;
        buffer_warp_q[fill_q] <= warp_q;
        buffer_tag_q[fill_q] <= tag_q;
        buffer_format_q[fill_q] <= format_q;
        buffer_registers_q[fill_q] <= registers_q;
        buffer_shared_q[fill_q] <= shared_q;
        buffer_byte_q[fill_q] <= byte_q;
      end
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_buffer
    logic [LANES-1:0][REGISTERS-1:0][31:0] words_q;
    assign buffer_word_q[i] = words_q;
    always_ff @(posedge clk_i) begin
      if (collect_q && collect_fill_q == 1'(i)) begin
        for (int l = 0; l < LANES; l++) begin
          for (int k = 0; k < REGISTERS; k++) begin
            if (collect_served_q[l][k]) words_q[l][k] <= read_q[bank_t'(collect_bank_q[l]+bank_t'(k))];
          end
        end
      end
    end
  end

  // Drain
  // -----
  logic [2:0] reg_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
      drain_q <= 1'b0;
      reg_q <= '0;
    end else begin
      if (collect_q && collect_last_q) full_q[collect_fill_q] <= 1'b1;
      if (drained) begin
        full_q[drain_q] <= 1'b0;
        drain_q <= !drain_q;
        reg_q <= '0;
      end else if (beat_valid_o && beat_ready_i) begin
        reg_q <= reg_q + 3'd1;
      end
    end
  end

  assign beat_valid_o = full_q[drain_q];
  assign beat_o = '{
    slot: buffer_slot_q[drain_q], warp: buffer_warp_q[drain_q], tag: buffer_tag_q[drain_q], index: reg_t'(reg_q),
    last: reg_q == buffer_registers_q[drain_q] - 3'd1
  };
  assign beat_mask_o = buffer_shared_q[drain_q];
  always_comb begin
    beat_data_o = '0;
    if (beat_valid_o) begin
      for (int l = 0; l < LANES; l++) begin
        if (buffer_shared_q[drain_q][l]) begin
          beat_data_o[l*32+:32] = extract({32'b0, buffer_word_q[drain_q][l][2'(reg_q)]},
                                          {1'b0, buffer_byte_q[drain_q][l]},
                                          buffer_format_q[drain_q].register_bytes,
                                          buffer_format_q[drain_q].sign_extend);
        end
      end
    end
  end
endmodule
