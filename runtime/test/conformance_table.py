#!/usr/bin/env python3
# ===- conformance_table.py - What every backend does, from a run ------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# conformance_table.py BUILD PAGE [--ranks 1 2 ...]: runs the tests 'conformance.BACKEND.RANKS' of the build folder and
# writes between the marks 'conformance' of the page which reductions and movements of which dtype passed on how many
# ranks. 'all' are those of the backend's first cell, '-' is a case that the backend refuses, as its list says; dtypes
# with the same cells share a row. A failed test fails the script.
# ===------------------------------------------------------------------------===#
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DTYPES = "f64 f32 f16 bf16 i64 i32 i16 i8 i1 ui64 ui32 ui16 ui8".split()
REDUCTIONS = "sum mean max min prod and or".split()
COLUMNS = [*REDUCTIONS, "all_gather", "all_to_all", "collective_permute", "broadcast"]
CASE = re.compile(
    r"agrees_with_the_reference/(all_reduce|reduce_scatter|all_gather|all_to_all|permute|broadcast)_(?:([a-z]+)_)?([a-z]+\d+)_(\d+)$")


def tests_of(build):
    """{backend: {ranks: command}}"""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "conformance"], check=True,
                           capture_output=True, text=True).stdout
    found = collections.defaultdict(dict)
    for test in json.loads(shown)["tests"]:
        name = re.fullmatch(r"conformance\.(.+)\.(\d+)", test["name"])
        if name:
            environment = [p["value"] for p in test.get("properties", []) if p["name"] == "ENVIRONMENT"]
            found[name[1]][int(name[2])] = (test["command"], dict(v.split("=", 1) for v in sum(environment, [])))
    return found


def run(command, environment):
    """The supported cases {(column, dtype)} and the failures of one run."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        # Under a launcher every rank writes one; the last to write wins, and they agree.
        done = subprocess.run([*command, f"--gtest_output=json:{report}"], capture_output=True, text=True,
                              env=dict(os.environ, **environment))
        if not os.path.exists(report):
            return set(), [f"no report: {done.stdout[-500:]}{done.stderr[-500:]}"]
        suites = json.loads(pathlib.Path(report).read_text())["testsuites"]
    passed, failures = set(), [] if done.returncode == 0 else [f"exit code {done.returncode}"]
    for suite in suites:
        for test in suite["testsuite"]:
            if test.get("failures"):
                failures.append(test["name"])
            case = CASE.search(test["name"])
            if case and not test.get("failures") and not any(k.startswith("unsupported") for k in test):
                passed.add((case[2] if case[2] else case[1], case[3]))
    return passed, failures


def rows(backend, ranks, cells):
    """The rows of a backend. `cells` are the numbers of ranks on which a (column, dtype) passed, of `ranks` tried."""
    dtypes_of = collections.defaultdict(list)
    for dtype in DTYPES:
        passed = [cells.get((column, dtype), []) for column in COLUMNS]
        dtypes_of[tuple("-" if not each else "all" if each == ranks else ",".join(each)
                        for each in passed)].append(dtype)
    for found, dtypes in dtypes_of.items():
        yield "| " + " | ".join([backend, ",".join(ranks), " ".join(dtypes), *found]) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("page")
    parser.add_argument("--ranks", type=int, nargs="*")
    parser.add_argument("--backends", nargs="*")
    arguments = parser.parse_args()
    lines, failures = ["| backend | ranks | dtypes | " + " | ".join(COLUMNS) + " |",
                       "|---" * (3 + len(COLUMNS)) + "|"], []
    for backend, runs in tests_of(arguments.build).items():
        if arguments.backends and backend not in arguments.backends:
            continue
        cells = collections.defaultdict(list)
        tried = [ranks for ranks in sorted(runs) if not arguments.ranks or ranks in arguments.ranks]
        for ranks in tried:
            passed, failed = run(*runs[ranks])
            failures += [f"{backend} on {ranks} ranks: {f}" for f in failed]
            for cell in passed:
                cells[cell].append(str(ranks))
        lines += rows(backend, [str(ranks) for ranks in tried], cells)
    page = pathlib.Path(arguments.page)
    text, count = re.subn(r"(<!-- conformance -->\n).*?(<!-- /conformance -->)",
                          lambda m: m[1] + "\n".join(lines) + "\n" + m[2], page.read_text(), flags=re.S)
    if count != 1:
        failures.append(f"{page} has no marks 'conformance'")
    page.write_text(text)
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
