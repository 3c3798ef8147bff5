#!/usr/bin/env python3
"""What steps move and compute on an NVIDIA H100, counted without one: launches, library calls, bytes, FLOP, and the
time they cannot be faster than.

    bench/gpu_bytes.py [--opt build/bin/ds-opt] [--table FILE [--write]] STEP.mlir[,KEY=VALUE]..

Bytes are those of the operands of each call, each read or written once: an upper bound for what a kernel reads twice
from cache, a lower one for what it reads twice from memory. The bound of a call is the longer one of its bytes at 2.7
TB/s and its FLOP at 52 TFLOP/s (f32), 350 (TF32) or 650 (16 bits), and 1.3 us for its node of the graph. With --table
the rows are compared with those of a file, which --write writes anew; the exit code is 1 where they differ."""
import argparse
import difflib
import math
import pathlib
import re
import subprocess
import sys

BANDWIDTH, NODE = 2.7e12, 1.3e-6
RATES = {"f32": 52e12, "tf32": 350e12, "16": 650e12}
BITS = {"i1": 8, "index": 64}
HEAD = ("step", "launches", "products", "convolutions", "kernels, MB", "library, MB", "GFLOP", "bound, ms")


def bytes_of(memref):
    *sizes, element = re.match(r"memref<([^,>]*)", memref)[1].split("x")
    return math.prod(map(int, sizes)) * BITS.get(element, int(re.sub(r"\D", "", element) or 0)) // 8


def numbers(name, text):
    return [int(number) for number in re.search(rf"\b{name} = array<i64: ([^>]*)>", text)[1].split(", ")]


def flop_of(specification):
    """Two for each product of two numbers."""
    if "source_sizes" not in specification:
        return 2 * math.prod(numbers("sizes", specification))
    groups = numbers("groups", specification)[0]
    return (2 * math.prod(numbers("destination_sizes", specification))
            * math.prod(numbers("weights_sizes", specification)[1:]) * groups)


def count(opt, step):
    path, *config = step.split(",")
    distribute = "--ds-data-parallel" + (f"=config={','.join(config)}" if config else "")
    text = subprocess.run([opt, path, distribute, "--ds-lower-to-driver=gpu", "--ds-map-to-gpu"], check=True,
                          capture_output=True, text=True).stdout
    library = dict(re.findall(r"func\.func private @(\w+)\(.*?ds\.(?:contraction|convolution) = \{(.*)\}\}", text))
    launches = {name: found.count("shape = array") for name, found in re.findall(
        r"func\.func private @(\w+)\(.*?ds\.launches = \[(.*)\]\}", text)}
    row = dict.fromkeys(HEAD[1:], 0)
    for name, types in re.findall(r"^ +(?:%\S+ = )?(?:func\.)?call @(\w+)\(.*?\) : \((.*?)\) ->", text, re.M):
        if name not in library and name not in launches:
            continue  # exchanges
        operands = re.findall(r"memref<[^>]*>*", types)
        moved, nodes, seconds = sum(map(bytes_of, operands)), launches.get(name, 1), 0
        if name in library:
            narrow = any(re.search(r"xb?f16\b", operand) for operand in operands[:2])
            flop = flop_of(library[name])
            seconds = flop / RATES["16" if narrow else "tf32" if "precision=tf32" in config else "f32"]
            row["GFLOP"] += flop / 1e9
            row["convolutions" if "source_sizes" in library[name] else "products"] += 1
        else:
            row["launches"] += nodes
        row["library, MB" if name in library else "kernels, MB"] += moved / 1e6
        row["bound, ms"] += 1e3 * (max(seconds, moved / BANDWIDTH) + nodes * NODE)
    return row


def shown(value):
    return str(value) if isinstance(value, int) else f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", default="build/bin/ds-opt")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("steps", nargs="+", metavar="STEP.mlir[,KEY=VALUE]")
    options = parser.parse_args()
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for step in options.steps:
        name = ", ".join([pathlib.Path(step.split(",")[0]).stem, *step.split(",")[1:]])
        lines.append("| " + " | ".join([name, *map(shown, count(options.opt, step).values())]) + " |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.table and options.write:
        options.table.write_text(text)
    elif options.table and options.table.read_text() != text:
        print("\n".join(difflib.unified_diff(options.table.read_text().splitlines(), lines, str(options.table), "now",
                                             lineterm="")), file=sys.stderr)
        sys.exit(f"error: steps move or compute something else; if that is meant, write {options.table.name} anew with "
                 "--write")


main()
