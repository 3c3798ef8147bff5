#!/usr/bin/env python3
"""check.py TABLE [--run DATA] [--ranks N,..] [--only WORD]: compares the table of upstream's operations with what ds-opt registers, and each row with what
the compiler does. Each accepted operation is distributed and compared with one device over a field; with --run DATA it also runs on N ranks against one
device. Needs ds-opt and ds-run on the path."""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

DIALECTS = "func arith math complex index ub cf linalg tensor scf ml_program tosa shape bufferization".split()
KINDS = ("scalar", "tensor", "part", "refused", "untried")
Row = collections.namedtuple("Row", "line kind code operation reason")

AFTER = {"p": "", "q": "%p = arith.sitofp %q : i32 to f32", "v": "%w1 = arith.index_cast %v : index to i32; %p = arith.sitofp %w1 : i32 to f32",
         "u": "%p = arith.uitofp %u : i1 to f32", "z": "%w1 = complex.re %z : complex<f32>; %w2 = complex.im %z : complex<f32>; %p = arith.addf %w1, %w2 : f32"}
SCALAR = """%e8 = tensor.empty() : tensor<8x4xf32>
%r = linalg.map ins(%x, %i : tensor<8x4xf32>, tensor<8x4xi32>) outs(%e8 : tensor<8x4xf32>) (%a: f32, %k: i32, %out: f32) {{
%b = arith.constant 0.75 : f32
%i1 = arith.constant 1 : i32
%i3 = arith.constant 3 : i32
%j = arith.ori %k, %i1 : i32
%l = arith.andi %k, %i3 : i32
%n = arith.index_cast %k : i32 to index
%m = arith.index_cast %j : i32 to index
%t = arith.cmpi sge, %j, %i1 : i32
%c = complex.create %a, %b : complex<f32>
%d = complex.create %b, %a : complex<f32>
{code}
linalg.yield %p : f32
}}"""
STEP = """ml_program.global private @twos(dense<2.0> : tensor<8x4xf32>) : tensor<8x4xf32>
func.func private @twice(%y: tensor<8x4xf32>) -> tensor<8x4xf32> {{
%s = arith.addf %y, %y : tensor<8x4xf32>
return %s : tensor<8x4xf32>
}}
func.func @step(%w: tensor<4xf32> {{ds.param = "w", ds.init = "normal(0.5)"}}, %rows: tensor<8x4xf32> {{ds.batch = 0, ds.name = "x"}},
    %i: tensor<8x4xi32> {{ds.batch = 0, ds.name = "i"}}) -> (tensor<4xf32> {{ds.updates = "w"}}) {{
%e84 = tensor.empty() : tensor<8x4xf32>
%wb = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e84 : tensor<8x4xf32>) dimensions = [0]
%wy = arith.mulf %rows, %wb : tensor<8x4xf32>
%x = arith.mulf %wy, %wb : tensor<8x4xf32>
{code}
%z4 = arith.constant dense<0.0> : tensor<4xf32>
%g0 = linalg.reduce {{ arith.addf }} ins({result} : tensor<8x4xf32>) outs(%z4 : tensor<4xf32>) dimensions = [0]
%rate = arith.constant dense<0.001> : tensor<4xf32>
%d0 = arith.mulf %g0, %rate : tensor<4xf32>
%new = arith.subf %w, %d0 : tensor<4xf32>
return %new : tensor<4xf32>
}}
"""


def read(path):
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        kind, second, *rest = (part.strip() for part in line.split(" | "))
        if kind not in KINDS or not rest:
            sys.exit(f"{path}:{number}: error: a row is 'KIND | text | operations', with a KIND of {', '.join(KINDS)}")
        code = second if kind in ("scalar", "tensor") else rest[1] if len(rest) > 1 else ""
        for operation in rest[0].split():
            rows.append(Row(number, kind, re.sub(r"\bOP\b", operation, code), operation, "" if kind in ("scalar", "tensor") else second))
    return rows


def step_of(row):
    lines = lambda code: re.sub(r"; *|(?<=\{) (?=[%^])|(?<=\)) (?=\^)", "\n", code)
    code = lines(row.code)
    if row.kind == "scalar":
        last = [name for name in re.findall(r"%([pqvuz])\b[^=\n]*=", row.code)][-1]
        code = SCALAR.format(code=code + "\n" + lines(AFTER[last]))
    return STEP.format(code=code, result="%r#1" if "%r:2" in code else "%r")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, env=None, timeout=300)
    return done.returncode, done.stdout + done.stderr


def first_error(text):
    found = [line for line in text.splitlines() if "error" in line]
    return re.sub(r"^.*?error: ", "", found[0]) if found else text.strip()[-200:]


class Checker:
    def __init__(self, folder, ranks, runs):
        self.folder, self.ranks, self.runs = folder, ranks, runs

    def judge(self, row):
        """What the compiler does: 'rule', 'decomposed' or 'refused', and what was found wrong."""
        if not row.code:
            return row.kind, None
        path = self.folder / f"{row.operation}.mlir"
        path.write_text(step_of(row))
        code, text = run("ds-opt", str(path), "--ds-prepare-step")
        if code and row.kind != "refused":
            return "refused", first_error(text)
        verdict = "rule" if re.search(rf"\b{re.escape(row.operation)}\b(?!\.)", text) else "decomposed"
        code, text = run("ds-run", str(path), "--ranks", "2", "--config", "batch=global", "--check=exact")
        if row.kind == "refused":
            return ("refused", None) if code == 1 else (verdict, "it is taken")
        if code and "undecided" not in text:
            return "refused", first_error(text)
        for ranks in self.ranks if self.runs else ():
            code, text = run("ds-run", str(path), "--ranks", ranks, "--config", "batch=global", "--data", self.runs, "--steps", "2", "--check=2")
            if code:
                return verdict, f"on {ranks} ranks: {first_error(text)}"
        return verdict, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--run", metavar="DATA")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows, problems = read(options.table), []
    code, text = run("ds-opt", "--list-operations=" + ",".join(DIALECTS))
    if code:
        sys.exit(text)
    registered, counted = set(text.split()), collections.Counter(row.operation for row in rows)
    problems += [f"{name}: is registered, and no row has it" for name in sorted(registered - set(counted))]
    problems += [f"{name}: a row has it, and it is not registered" for name in sorted(set(counted) - registered)]
    problems += [f"{name}: {times} rows have it" for name, times in sorted(counted.items()) if times > 1]
    rows = [row for row in rows if options.only in row.operation]
    verdicts = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checker = Checker(pathlib.Path(folder), options.ranks.split(","), options.run)
        for row, (verdict, problem) in zip(rows, pool.map(checker.judge, rows)):
            verdicts[row.operation] = verdict
            if problem:
                problems.append(f"{row.operation}: {options.table.name}:{row.line} says '{row.kind}', the compiler: {verdict}: {problem}")
    counts = collections.Counter(verdicts.values())
    print(f"{len(verdicts)} operations: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts)) + f"; {len(problems)} problems")
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
