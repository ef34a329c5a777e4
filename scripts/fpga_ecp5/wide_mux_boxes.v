// SPDX-License-Identifier: MIT OR Apache-2.0
// The boxes of wide_mux.v, for all that stands between their making and their end.

(* blackbox *) module ONE_OF_4 (input [3:0] A, input [1:0] S, output Y); endmodule
(* blackbox *) module ONE_OF_8 (input [7:0] A, input [2:0] S, output Y); endmodule
