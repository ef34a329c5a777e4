// SPDX-License-Identifier: MIT OR Apache-2.0
// One of eight, or of four, as a slice has it: LUT4s that choose one of two, and the multiplexers behind them, PFUMX and
// L6MUX21. ABC knows these for functions of five to seven inputs alone, and takes six LUT4s for what fits in four.
//
// First (`CHOOSE`) each is made a box, which ABC leaves alone; then the box is made cells.

`ifdef CHOOSE

(* techmap_celltype = "$bmux" *)
module choose (A, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;
  input [WIDTH * 2**S_WIDTH - 1:0] A;
  input [S_WIDTH-1:0] S;
  output [WIDTH-1:0] Y;
  wire _TECHMAP_FAIL_ = S_WIDTH != 2 && S_WIDTH != 3;
  genvar i;
  generate
    for (i = 0; i < WIDTH; i = i + 1) begin : bits
      if (S_WIDTH == 2) begin
        ONE_OF_4 box (.A({A[3*WIDTH+i], A[2*WIDTH+i], A[WIDTH+i], A[i]}), .S(S), .Y(Y[i]));
      end else if (S_WIDTH == 3) begin
        ONE_OF_8 box (
          .A({A[7*WIDTH+i], A[6*WIDTH+i], A[5*WIDTH+i], A[4*WIDTH+i], A[3*WIDTH+i], A[2*WIDTH+i], A[WIDTH+i], A[i]}),
          .S(S), .Y(Y[i])
        );
      end
    end
  endgenerate
endmodule

`else

module ONE_OF_4 (input [3:0] A, input [1:0] S, output Y);
  wire low, high;
  LUT4 #(.INIT(16'hcaca)) lut_low (.A(A[0]), .B(A[1]), .C(S[0]), .D(1'b0), .Z(low));
  LUT4 #(.INIT(16'hcaca)) lut_high (.A(A[2]), .B(A[3]), .C(S[0]), .D(1'b0), .Z(high));
  PFUMX mux (.ALUT(high), .BLUT(low), .C0(S[1]), .Z(Y));
endmodule

module ONE_OF_8 (input [7:0] A, input [2:0] S, output Y);
  wire low, high;
  ONE_OF_4 mux_low (.A(A[3:0]), .S(S[1:0]), .Y(low));
  ONE_OF_4 mux_high (.A(A[7:4]), .S(S[1:0]), .Y(high));
  L6MUX21 mux (.D0(low), .D1(high), .SD(S[2]), .Z(Y));
endmodule

`endif
