# SPDX-License-Identifier: MIT OR Apache-2.0
"""Modules to cells of an ECP5, as nextpnr wants them, as files of JSON."""

from pathlib import Path

import yosys


def module(hierarchy, instance, out):
    """A module by itself, flat; the parts of what is opened are empty boxes in it."""
    boxes = [f"blackbox {part.name}" for part in instance.parts.values()]
    read = [f"read_rtlil {hierarchy.design}", *boxes]
    yosys.run([*read, *steps(instance.name, out)], out.with_suffix(".log"))


def wrapped(hierarchy, wrapper, top, out):
    """A module with all that it holds, in a wrapper of Verilog. Its parts are mapped one by one, each as it is by itself, and
    then put into one: ABC gives all of a netlist the time that its longest path takes."""
    parts = " ".join(sorted({instance.name for instance in hierarchy.instances()}))
    read = [f"read_rtlil {hierarchy.design}", f"read_verilog {wrapper}", f"setattr -mod -set keep_hierarchy 1 {parts}"]
    joined = [f"setattr -mod -unset keep_hierarchy {parts}", "flatten", "opt_clean"]
    yosys.run([*read, *steps(top, out, joined)], out.with_suffix(".log"))


# What `synth_ecp5` does at its label `coarse`, but for `share`: that looks by SAT for operators which are never used at
# once, for minutes, and what it finds lies in longer paths.
COARSE = """proc -latches error; setattr -set keep 1 a:keep %ci1:+[Q]; check; flatten; tribuf -logic; deminout; opt_expr; check; opt_clean; opt -nodffe -nosdff;
fsm; opt; wreduce; peepopt; opt_clean; techmap -map +/cmp2lut.v -D LUT_WIDTH=4; opt_expr; opt_clean;
techmap -map +/mul2dsp.v -map +/lattice/dsp_map_18x18.v -D DSP_A_MAXWIDTH=18 -D DSP_B_MAXWIDTH=18 -D DSP_A_MINWIDTH=2
-D DSP_B_MINWIDTH=2 -D DSP_NAME=$__MUL18X18; chtype -set $mul t:$__soft_mul; alumacc; opt; memory -nomap; opt_clean"""


# Wide multiplexers and wide comparisons, which are made before ABC and of cells that it knows for less: the first and the
# last file say how.
WIDE_MUX, WIDE_MUX_BOXES, WIDE_EQ = (Path(__file__).with_name(name) for name in ("wide_mux.v", "wide_mux_boxes.v", "wide_eq.v"))

# What ABC may take for a path. Without it a part that has no long path is made as fast as can be, of four times the LUTs.
PERIOD_PS = 4_000


def steps(top, out, last=()):
    """Flip-flops get the names of what they hold before ABC forgets them. The label `check`, which makes up names for
    all nets, is left out."""
    return [
        f"hierarchy -check -top {top}",
        f"synth_ecp5 -noiopad -run begin:coarse -top {top}",
        *" ".join(COARSE.split()).split("; "),
        *choose_wide(),
        f"synth_ecp5 -noiopad -run map_ram:map_luts -top {top}",
        "rename -wire t:TRELLIS_FF",
        f"scratchpad -set abc9.D {PERIOD_PS}",
        f"synth_ecp5 -noiopad -run map_luts:check -top {top}",
        *make_wide(),
        "blackbox =A:whitebox",
        *last,
        "delete t:$scopeinfo",
        f"write_json {out}",
    ]


def choose_wide():
    """Before ABC: the wide operators of the current module, or of all."""
    return [
        f"read_verilog -lib {WIDE_MUX_BOXES.absolute()}",
        f"techmap -map {WIDE_MUX.absolute()} -D CHOOSE t:$bmux",
        f"techmap -map {WIDE_EQ.absolute()} t:$eq",
    ]


def make_wide(module="*"):
    """After it: cells of the boxes that were left."""
    return [f"techmap -map {WIDE_MUX.absolute()} {module}/t:ONE_OF_*"]
