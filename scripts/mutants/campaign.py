# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign: chooses mutants, builds a unit that holds them, runs it, and says what survived."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import equivalent
from places import LANES, find
from planted import Judge, choose

TARGET = Path("target/mutants")


def arguments():
    def count(text):
        return int(text.replace("_", ""), 0)

    parser = argparse.ArgumentParser(prog="scripts/mutate", description="Runs the bench on random mutants of rtl/.")
    parser.add_argument("--seed", type=count, default=1, help="of the mutants and of the operations (1)")
    parser.add_argument("--mutants", type=count, default=250, help="in one build, at most 65535 (250)")
    parser.add_argument("--ops", type=count, default=500_000, help="operations that a mutant must survive (500000)")
    parser.add_argument("--jobs", type=count, default=os.cpu_count(), help="mutants that run side by side (all cores)")
    parser.add_argument("--list", action="store_true", help="say what the mutants are, and run nothing")
    parser.add_argument("--only", metavar="N,N", help="the mutants of these numbers alone")
    return parser.parse_args()


def verilator():
    root = os.environ.get("VERILATOR_ROOT")
    own = Path(root) / "bin/verilator_bin" if root else None
    return str(own) if own and own.is_file() else shutil.which("verilator_bin")


def sources():
    """The RTL that is mutated, in the order in which it is read, and all files that a copy of it needs."""
    files = subprocess.run(["scripts/sources"], check=True, capture_output=True, text=True).stdout.split()
    return [file for file in files if not file.endswith(("_assert.sv", "_holders.sv"))], ["rtl/lint.vlt", *files]


def worker(rtl):
    """The program that runs mutants, built with the unit that holds them."""
    folder = TARGET / "build"
    command = ["cargo", "build", "--release", "--features", "planted-faults", "--bin", "mutants"]
    subprocess.run([*command, "--target-dir", str(folder)], check=True, env={**os.environ, "GPU_LSU_MUTANTS": str(rtl)})
    return folder / "release/mutants"


def verdicts(program, numbers, args, log):
    """What became of each, as it comes."""
    options = ["--ops", str(args.ops), "--seed", str(args.seed), "--jobs", str(args.jobs)]
    with subprocess.Popen([program, *options, *map(str, numbers)], stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            log.write(line)
            yield json.loads(line)
    if run.returncode != 0:
        raise ValueError(f"`{program}` ends with code {run.returncode}")


def position(place, texts):
    before = texts[place.file][: place.start]
    return f"{place.file}:{before.count(chr(10)) + 1}:{place.start - before.rfind(chr(10))}"


def table(mutants, outcomes):
    columns = ["killed", "panicked", "equivalent", "survived"]
    counts = Counter((mutant.kind, outcomes[mutant.number]) for mutant in mutants)
    print(f"{'':20}" + "".join(f"{column:>12}" for column in columns))
    for kind in sorted({mutant.kind for mutant in mutants}):
        print(f"{kind:20}" + "".join(f"{counts[kind, column]:12}" for column in columns))
    total = Counter(outcomes.values())
    print(f"{'all':20}" + "".join(f"{total[column]:12}" for column in columns))
    return total


def main():
    args = arguments()
    start = time.monotonic()
    mutated, all_files = sources()
    texts = {file: Path(file).read_text() for file in all_files}
    reasons = equivalent.read(texts)
    found = find(mutated, texts)
    folder = TARGET / (f"list-{args.seed}" if args.list else f"seed-{args.seed}")
    mutants = choose(found, args.seed, args.mutants, Judge(verilator(), texts, folder / "rtl"))
    if args.list:
        for mutant in mutants:
            *_, was, put = equivalent.where(mutant, texts)
            print(f"{mutant.number}: {position(mutant.place, texts)}: {mutant.kind}: {was} -> {put}")
        return 0
    print(f"mutate: {len(mutants)} mutants, seed {args.seed}, of {len(found)} places", file=sys.stderr, flush=True)
    program = worker(folder / "rtl")
    built = time.monotonic()

    if args.only:
        wanted = {int(number) for number in args.only.split(",")}
        if unknown := wanted - {mutant.number for mutant in mutants}:
            raise ValueError(f"--only: no mutants are {sorted(unknown)}")
        mutants = [mutant for mutant in mutants if mutant.number in wanted]
    keys = {mutant.number: equivalent.where(mutant, texts) for mutant in mutants}
    outcomes, clauses, remarks = {}, Counter(), []
    with open(folder / "verdicts.jsonl", "w") as log:
        # The unit without a fault first: what it fails is none of theirs.
        for verdict in verdicts(program, [0, *keys], args, log):
            number, outcome = verdict["mutant"], verdict["outcome"]
            if number == 0:
                if outcome != "survived":
                    raise ValueError(f"the bench refuses the unit without a fault: {verdict['says']}")
                continue
            clauses.update([verdict["clause"]] if verdict["clause"] else [])
            if keys[number] in reasons:
                if outcome != "survived":
                    remarks.append((number, f"listed as equivalent, but {outcome}: {verdict['says']}"))
                else:
                    outcome = "equivalent"
            elif outcome != "killed":
                remarks.append((number, f"{outcome} {verdict['says']}"))
            outcomes[number] = outcome
            if sys.stderr.isatty():
                print(f"\rmutate: {len(outcomes)} of {len(mutants)} ", end="", file=sys.stderr, flush=True)

    total = table(mutants, outcomes)
    print("\nkilled by: " + ", ".join(f"{clause} {count}" for clause, count in clauses.most_common()))
    place_of = {mutant.number: mutant for mutant in mutants}
    for number, remark in sorted(remarks):
        mutant = place_of[number]
        print(f"\n{number}: {position(mutant.place, texts)}: {mutant.kind}: {remark}")
        print(equivalent.entry(keys[number]), end="")
    judged = len(mutants) - total["equivalent"]
    rate = 100 * (judged - total["survived"]) / judged if judged else 100.0
    end = time.monotonic()
    print(
        f"\n{rate:.1f} % of {judged} mutants that are not equivalent are found within {args.ops} operations at {LANES} lanes"
        f" ({built - start:.0f} s to build, {end - built:.0f} s to run; {folder}/verdicts.jsonl)"
    )
    return 1 if remarks else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        print(f"error: `{' '.join(map(str, error.cmd))}` ends with code {error.returncode}", file=sys.stderr)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
    sys.exit(2)
