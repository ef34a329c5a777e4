// SPDX-License-Identifier: MIT OR Apache-2.0
// Additions, subtractions and comparisons of magnitude in a slice's carry chain, on all four inputs of its LUT4s.
//
// Of the wires of two tiles an input A reaches 5 and 7, B 1 and 3, C 4 and 6, D 0 and 2, and where a LUT4 is part of a chain
// nobody may exchange its inputs. Yosys' own map uses A and B, and chains above each other then want half of the wires. A
// carry that does not pass is either operand: one alone must be where the lower half of the LUT4 sees it, at A or B.

(* techmap_celltype = "$alu" *)
module carry (A, B, CI, BI, X, Y, CO);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CONSTMSK_BI_ = 0;
  parameter _TECHMAP_CONSTVAL_BI_ = 0;
  (* force_downto *)
  input [A_WIDTH-1:0] A;
  (* force_downto *)
  input [B_WIDTH-1:0] B;
  input CI, BI;
  (* force_downto *)
  output [Y_WIDTH-1:0] X, Y, CO;
  // Whether to subtract must be known; what is short is no chain.
  wire _TECHMAP_FAIL_ = Y_WIDTH <= 4 || !_TECHMAP_CONSTMSK_BI_;

  localparam CELLS = (Y_WIDTH + 1) / 2;
  localparam [15:0] EVEN = _TECHMAP_CONSTVAL_BI_ ? 16'ha5aa : 16'h5a5a;  // of A and C, A where the carry does not pass
  localparam [15:0] ODD = _TECHMAP_CONSTVAL_BI_ ? 16'hcc3c : 16'h33cc;   // of B and D, B
  (* force_downto *)
  wire [Y_WIDTH-1:0] AA, BB, BX;
  \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) wide_a (.A(A), .Y(AA));
  \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) wide_b (.A(B), .Y(BX));
  assign BB = _TECHMAP_CONSTVAL_BI_ ? ~BX : BX;
  (* force_downto *)
  wire [CELLS*2-1:0] a = AA, b = BX, sum;
  wire [CELLS:0] carry;
  assign carry[0] = CI;

  genvar i;
  generate
    for (i = 0; i < CELLS; i = i + 1) begin : cells
      CCU2C #(.INIT0(EVEN), .INIT1(ODD), .INJECT1_0("NO"), .INJECT1_1("NO")) two (
        .CIN(carry[i]),
        .A0(a[i*2]), .B0(1'b1), .C0(b[i*2]), .D0(1'b1), .A1(1'b1), .B1(a[i*2+1]), .C1(1'b1), .D1(b[i*2+1]),
        .S0(sum[i*2]), .S1(sum[i*2+1]), .COUT(carry[i+1])
      );
      assign CO[i*2] = (AA[i*2] && BB[i*2]) || (carry[i] && (AA[i*2] || BB[i*2]));
      if (i * 2 + 1 < Y_WIDTH) assign CO[i*2+1] = carry[i+1];
    end
  endgenerate

  assign Y = sum;
  assign X = AA ^ BB;
endmodule
