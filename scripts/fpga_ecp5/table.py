# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of modules."""

HEAD = ("module", "sites", "flip-flops", "DPR16X4", "DP16KD", "MULT18", "levels", "the longest path")
KINDS = ("TRELLIS_FF", "TRELLIS_DPR16X4", "DP16KD", "MULT18X18D")


def text(unit):
    lines = [HEAD] + [cells(row) for row in unit.rows.values()]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD) - 1)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])])
        + "  " + line[-1]
        for line in lines
    )


def cells(row):
    name = "  " * row.depth + row.module + (f" x{row.instances}" if row.instances > 1 else "")
    counted = [f"{row.count[kind]:,}" for kind in KINDS]
    ends = f"{row.path.start} -> {row.path.end}" + ("; cells that feed themselves left out" if row.path.loops else "")
    return (name, f"{row.sites:,}", *counted, str(row.path.levels), ends)
