// SPDX-License-Identifier: MIT OR Apache-2.0
// Shared by the parts of the scratchpad: functions on lane masks, and the bytes that an access moves.

package lsu_spad_pkg;
  parameter int unsigned LOAD_BUFFERS = 8;  // loads between the banks and their last beat

  typedef logic [31:0] mask_t;  // of lanes, or of lanes by half (lsu_spad_match); unused upper bits are 0
  typedef logic [4:0] lane_t;
  typedef logic [$clog2(LOAD_BUFFERS)-1:0] buffer_ptr_t;

  // The highest set bit alone.
  function automatic mask_t highest_bit(mask_t x);
    mask_t above;
    above = x;
    for (int k = 0; k < 5; k++) above |= above >> (1 << k);
    return x & ~(above >> 1);
  endfunction

  // More than one bit is set.
  function automatic logic several(mask_t x);
`ifdef SYNTHESIS
    logic [7:0] any, many;  // by four bits: some are set, more than one is
    for (int n = 0; n < 8; n++) begin
      any[n] = x[n*4+:4] != '0;
      many[n] = (x[n*4] && x[n*4+1]) || (x[n*4+2] && x[n*4+3]) || (x[n*4+:2] != '0 && x[n*4+2+:2] != '0);
    end
    several = many != '0;
    for (int n = 1; n < 8; n++) several |= any[n] && (any & 8'((9'd1 << n) - 9'd1)) != '0;
`else
    return (x & (x - 32'd1)) != '0;
`endif
  endfunction

  // The number of the one bit that is set; 0 if none is.
  function automatic lane_t number_of(mask_t x);
    return {|(x & 32'hffff_0000), |(x & 32'hff00_ff00), |(x & 32'hf0f0_f0f0), |(x & 32'hcccc_cccc),
            |(x & 32'haaaa_aaaa)};
  endfunction

  // The bytes of an access, a power of two, less one.
  function automatic logic [4:0] span_of(logic [4:0] element_bytes, logic [3:0] element_count);
    logic [7:0] bytes;
    case (element_count)
      4'd1:    bytes = 8'(element_bytes);
      4'd2:    bytes = 8'(element_bytes) << 1;
      4'd4:    bytes = 8'(element_bytes) << 2;
      default: bytes = 8'(element_bytes) << 3;
    endcase
    for (int k = 0; k < 5; k++) span_of[k] = (bytes >> (k + 1)) != '0;
  endfunction

  // The bytes that move, wherever the access lies in 32 bytes.
  function automatic logic [31:0] moves_of(logic [4:0] element_bytes, logic [3:0] element_count,
                                           logic [7:0] element_mask);
    logic [7:0] mask;
    case (element_count)
      4'd1:    mask = {8{element_mask[0]}};
      4'd2:    mask = {4{element_mask[1:0]}};
      4'd4:    mask = {2{element_mask[3:0]}};
      default: mask = element_mask;
    endcase
    case (element_bytes)
      5'd1:    moves_of = {4{mask}};
      5'd2:    for (int i = 0; i < 16; i++) moves_of[i*2+:2] = {2{mask[i%8]}};
      5'd4:    for (int i = 0; i < 8; i++) moves_of[i*4+:4] = {4{mask[i]}};
      5'd8:    for (int i = 0; i < 4; i++) moves_of[i*8+:8] = {8{mask[i]}};
      default: for (int i = 0; i < 2; i++) moves_of[i*16+:16] = {16{mask[i]}};
    endcase
  endfunction
endpackage
