#!/usr/bin/env python3
"""check.py TABLE [--run DATA] [--ranks N,..] [--only WORD] | --page: compares the table of upstream's operations with
what ds-opt registers, and each row with what the compiler does. Each accepted operation is distributed and compared
with one device over a field; with --run DATA it also runs on N ranks against one device. Each refusal has the row's
sentence. Needs ds-opt and ds-run on the path. --page writes the table as a page, without them."""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import steps

DIALECTS = "func arith math complex index ub cf linalg tensor scf ml_program tosa shape bufferization".split()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, env=None, timeout=300)
    return done.returncode, done.stdout + done.stderr


def first_error(text):
    found = [line for line in text.splitlines() if "error" in line]
    return re.sub(r"^.*?error: ", "", found[0]) if found else text.strip()[-200:]


class Checker:
    def __init__(self, folder, ranks, data):
        self.folder, self.ranks, self.data = folder, ranks, data

    def judge(self, row):
        """Whether the compiler takes the row's step, and what was found wrong."""
        step = steps.step_of(row)
        if not holds(row.operation, step):
            return False, "the row's code does not hold it"
        path = self.folder / f"{row.line}-{row.operation}.mlir"
        path.write_text(step)
        code, text = run("ds-run", str(path), "--ranks", "2", "--config", "batch=global", "--check=exact")
        if code:
            said = first_error(text)
            right = code == 1 and row.verdict == "refused" and re.sub(r"\bOP\b", row.operation, row.sentence) in said
            return False, None if right else f"the compiler refuses it: {said}"
        for ranks in self.ranks if self.data else ():
            code, text = run("ds-run", str(path), "--ranks", ranks, "--config", "batch=global", "--data", self.data,
                             "--steps", "2", "--check=2")
            if code:
                return True, f"on {ranks} ranks: {first_error(text)}"
        return True, "the compiler takes it" if row.verdict == "refused" else None


def holds(operation, text):
    """Whether the text has the operation, by its whole name."""
    return bool(re.search(rf"\b{re.escape(operation)}\b(?!\.)", re.sub(r"(?<![\w.])return\b", "func.return", text)))


def verdicts_of(rows, folder):
    """'rule' for each row whose operation ds-prepare-step keeps, else 'decomposed'; all in one run of ds-opt."""
    path = folder / "accepted.mlir"
    path.write_text("\n// -----\n".join(map(steps.step_of, rows)))
    code, text = run("ds-opt", str(path), "--split-input-file", "--ds-prepare-step")
    prepared = text.split("// -----")
    if code or len(prepared) != len(rows):
        sys.exit(f"ds-opt prepares {len(prepared)} of {len(rows)} steps: {first_error(text)}")
    return ["rule" if holds(row.operation, text) else "decomposed" for row, text in zip(rows, prepared)]


def page(rows):
    """The table by dialect and verdict, each refusal with its sentence."""
    counts = collections.Counter(row.verdict for row in rows)
    lines = ["# Operations of upstream", "",
             f"What ds does with each of the {len(rows)} operations that {len(DIALECTS)} dialects of upstream "
             f"register. {counts['rule']} have a rule that places",
             f"them, {counts['decomposed']} are written by operations that have one before a step is distributed, "
             f"{counts['refused']} are refused with a sentence.",
             "[operations.txt](../test/Upstream/operations.txt) has a step for each, which a test compares with one "
             "device, over a finite field",
             "and on 1, 2 and 4 ranks, or with the sentence."]
    for dialect in sorted(DIALECTS):
        own = [row for row in rows if row.operation.startswith(f"{dialect}.")]
        lines += ["", f"## {dialect}", "", "| verdict | operations |", "|---|---|"]
        groups = collections.defaultdict(list)
        for row in own:
            groups[(steps.VERDICTS.index(row.verdict), row.sentence)].append(row.operation.split(".", 1)[1])
        for (verdict, sentence), names in sorted(groups.items()):
            said = f"refused: {re.sub(r'OP', '..', sentence)}" if sentence else steps.VERDICTS[verdict]
            lines.append(f"| {said} | {', '.join(f'`{name}`' for name in sorted(names))} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--run", metavar="DATA")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    rows, problems = steps.read(options.table, sys.exit), []
    if options.page:
        print(page(rows), end="")
        return 0
    code, text = run("ds-opt", "--list-operations=" + ",".join(DIALECTS))
    if code:
        sys.exit(text)
    registered, counted = set(text.split()), collections.Counter(row.operation for row in rows)
    problems += [f"{name}: is registered, and no row has it" for name in sorted(registered - set(counted))]
    problems += [f"{name}: a row has it, and it is not registered" for name in sorted(set(counted) - registered)]
    problems += [f"{name}: {times} rows have it" for name, times in sorted(counted.items()) if times > 1]
    rows = [row for row in rows if options.only in row.operation]
    wrong = lambda row, what: problems.append(f"{row.operation}: {options.table.name}:{row.line} says '{row.verdict}': "
                                              f"{what}")
    verdicts = collections.Counter()
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder, taken = pathlib.Path(name), []
        for row, (is_taken, problem) in zip(rows,
                                            pool.map(Checker(folder, options.ranks.split(","), options.run).judge,
                                                     rows)):
            taken += [row] if is_taken else []
            verdicts["refused"] += not is_taken
            if problem:
                wrong(row, problem)
        for row, verdict in zip(taken, verdicts_of(taken, folder) if taken else []):
            verdicts[verdict] += 1
            if row.verdict not in (verdict, "refused"):
                wrong(row, f"the compiler: {verdict}")
    print(f"{len(rows)} operations: " + ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in sorted(verdicts))
          + f"; {len(problems)} problems")
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
