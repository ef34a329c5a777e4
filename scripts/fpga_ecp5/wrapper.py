# SPDX-License-Identifier: MIT OR Apache-2.0
"""Verilog around a module, so that its ports need four pins: registers before its inputs, which shift, and behind its
outputs, folded into one bit. No path goes from a pin to a port but those of clock and reset.

    pin --> in_q --> module --> out_q --> fold_q --> pin
"""

TOP = "fpga_scan"
PORTS = ("clk_i", "rst_ni")


def verilog(module, ports):
    """`ports`: name -> (direction, width), of which clock and reset go through."""
    inputs = {name: width for name, (way, width) in ports.items() if way == "input" and name not in PORTS}
    outputs = {name: width for name, (way, width) in ports.items() if way == "output"}
    wires = [f".{name}({name})" for name in PORTS if name in ports]
    wires += [f".{name}({part})" for name, part in parts(inputs, "in_q")]
    wires += [f".{name}({part})" for name, part in parts(outputs, "out")]
    given, taken = sum(inputs.values()), sum(outputs.values())
    joined = ",\n    ".join(wires)
    return f"""module {TOP}(input clk_i, input rst_ni, input scan_i, output scan_o);
  reg [{given - 1}:0] in_q;
  reg [{taken - 1}:0] out_q, fold_q;
  wire [{taken - 1}:0] out;
  assign scan_o = fold_q[{taken - 1}];
  always @(posedge clk_i) begin
    in_q <= {{in_q, scan_i}};
    out_q <= out;
    fold_q <= out_q ^ {{fold_q, in_q[{given - 1}]}};
  end
  \\{module} unit (
    {joined}
  );
endmodule
"""


def parts(ports, vector):
    """Each port with its own part of a vector."""
    low = 0
    for name, width in ports.items():
        yield name, f"{vector}[{low + width - 1}:{low}]"
        low += width
