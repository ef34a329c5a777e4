# SPDX-License-Identifier: MIT OR Apache-2.0
"""What wide_mux.v and wide_eq.v make is proved to be what they made it of, by Yosys' `sat` and its own models of the cells."""

import synthesis
import yosys

MODELS = "read_verilog +/lattice/common_sim.vh +/lattice/ccu2c_sim.vh"
# Widths around what fills the cells of a chain, and that of a line's address.
SAME = [24, 25, 26, 27, 35]
ONE_OF = [2, 3]


def prove(work):
    """Refuses a map that is wrong."""
    designs = [
        *((f"same{width}", f"input [{width - 1}:0] a, b, output y); assign y = a == b", "CCU2C") for width in SAME),
        *((f"one_of{2**bits}", f"input [{2 * 2**bits - 1}:0] a, input [{bits - 1}:0] s, output [1:0] y); assign y = a[s*2 +: 2]",
           "PFUMX") for bits in ONE_OF),
    ]
    yosys.all_of([lambda design=design: compare(*design, work) for design in designs])


def compare(name, body, cell, work):
    source = work / f"{name}.v"
    source.write_text(f"module gold({body}; endmodule\n")
    commands = [
        f"read_verilog {source}", "proc", "opt -full; peepopt; opt -full", "copy gold gate", "cd gate", *synthesis.choose_wide(), "cd",
        *synthesis.make_wide("gate"), f"select -assert-any gate/t:{cell}", MODELS, "hierarchy", "proc", "flatten gate", "opt_clean",
        "miter -equiv -flatten -make_assert gold gate miter", "sat -verify -prove-asserts miter",
    ]
    try:
        yosys.run(commands, work / f"{name}.log")
    except yosys.Refused as error:
        raise yosys.Refused(f"scripts/fpga_ecp5: a map makes something else of `{body.partition('; ')[2]}`\n{error}") from error
