// SPDX-License-Identifier: MIT OR Apache-2.0
// Whether two wide words are the same, as a slice's carry chain finds it: two bits of each in a LUT4, whose answer lets the
// carry pass or stops it. A tree of LUT4s takes more places, more wires and more time.

(* techmap_celltype = "$eq" *)
module wide_eq (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  (* force_downto *)
  input [A_WIDTH-1:0] A;
  (* force_downto *)
  input [B_WIDTH-1:0] B;
  (* force_downto *)
  output [Y_WIDTH-1:0] Y;
  wire _TECHMAP_FAIL_ = A_WIDTH != B_WIDTH || Y_WIDTH != 1 || A_WIDTH < 24;

  // The first cell begins the carry with bit 0; a half cell for each two bits after it, and one more that lets the carry
  // out, which is the second of its cell.
  localparam PAIRS = A_WIDTH / 2;
  localparam CELLS = PAIRS / 2 + 1;
  (* force_downto *)
  wire [CELLS*4:0] a = {{CELLS*4{1'b0}}, A} >> 1;
  (* force_downto *)
  wire [CELLS*4:0] b = {{CELLS*4{1'b0}}, B} >> 1;
  wire [CELLS:0] carry;

  CCU2C #(.INIT0(16'hffff), .INIT1(16'h0009), .INJECT1_0("NO"), .INJECT1_1("NO")) first (
    .A0(1'b1), .B0(1'b1), .C0(1'b1), .D0(1'b1), .A1(A[0]), .B1(B[0]), .C1(1'b1), .D1(1'b1), .COUT(carry[0])
  );

  genvar i;
  generate
    for (i = 0; i < CELLS; i = i + 1) begin : cells
      if (i < CELLS - 1) begin
        CCU2C #(.INIT0(16'h9009), .INIT1(16'h9009), .INJECT1_0("YES"), .INJECT1_1("YES")) two (
          .CIN(carry[i]),
          .A0(a[i*4]), .B0(b[i*4]), .C0(a[i*4+1]), .D0(b[i*4+1]),
          .A1(a[i*4+2]), .B1(b[i*4+2]), .C1(a[i*4+3]), .D1(b[i*4+3]), .COUT(carry[i+1])
        );
      end else begin
        CCU2C #(.INIT0(16'h9009), .INIT1(16'h0000), .INJECT1_0("YES"), .INJECT1_1("NO")) last (
          .CIN(carry[i]),
          .A0(a[i*4]), .B0(b[i*4]), .C0(a[i*4+1]), .D0(b[i*4+1]),
          .A1(1'b0), .B1(1'b0), .C1(1'b0), .D1(1'b0), .S1(Y)
        );
      end
    end
  endgenerate
endmodule
