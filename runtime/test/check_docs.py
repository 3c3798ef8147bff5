#!/usr/bin/env python3
# ===- check_docs.py - The runtime's pages say what the runtime does --------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_docs.py REPOSITORY DSRT-CTS: docs/Runtime.md refuses what dsrt-cts prints as refused, and names every status;
# dsrt.h has the names of other libraries for what they have, too;
# docs/AddingABackend.md holds the example that unit/RegistryTest.cpp compiles and runs.
# ===------------------------------------------------------------------------===#
import pathlib
import re
import subprocess
import sys

repository, cts = pathlib.Path(sys.argv[1]), sys.argv[2]
runtime_page = (repository / "docs/Runtime.md").read_text()
backend_page = (repository / "docs/AddingABackend.md").read_text()
problems = []

def refused(rows):
    """{(dtype, reduction)} that a table of conformance refuses; a row may stand for several dtypes."""
    names = "sum mean max min prod and or".split()
    return {(dtype, name) for dtypes, *cells in rows for dtype in dtypes.split()
            for name, cell in zip(names, cells) if cell == "-"}


for backend in ("local", "nccl", "hccl"):
    table = subprocess.run([cts, backend, "1", "--table"], check=True, capture_output=True, text=True).stdout
    told = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()[2:]]
    shown = [[cell.strip() for cell in line.split("|")[3:11]]
             for line in runtime_page.splitlines() if line.startswith(f"| {backend} |") and line.count("|") > 12]
    if not shown or refused(told) != refused(shown):
        problems.append(f"docs/Runtime.md does not refuse what 'dsrt-cts {backend} 1 --table' does:\n" + table)

header = (repository / "runtime/include/dsrt/dsrt.h").read_text()
statuses = (repository / "runtime/include/dsrt/types.h").read_text().split("typedef enum dsrt_status {")[1].split(
    "} dsrt_status;")[0]
for status in re.findall(r"^  (DSRT_\w+) = \d+", statuses, re.MULTILINE):
    if f"`{status}`" not in runtime_page:
        problems.append(f"docs/Runtime.md does not explain {status}")

# What moves data, or makes what it moves in, says what MPI, NCCL and HCCL call it.
peers = (
    r"(create|create_named|register|memory_alloc|memory_copy|init|shutdown|abort|rank|num_ranks|size|all_reduce|reduce_scatter|all_gather|all_to_all|permute|broadcast|barrier|start|wait)")
functions = re.findall(r"((?:^///[^\n]*\n)*)^[^/\n]*\b(dsrt_\w+)\((?:const )?dsrt_context \*", header, re.MULTILINE)
for comment, name in functions:
    if re.search(rf"_{peers}$", name) and "quivalent to" not in comment:
        problems.append(f"dsrt.h does not say what {name} is equivalent to")
if not functions:
    problems.append("dsrt.h has no function of a context")

for mark, rows in (("conformance", r"\| local \| 1,2[^|]*\| f64 f32 [^|]*\| all "),
                   ("faults", r"\| local \| (timeout|peer failed)")):
    section = re.search(f"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", runtime_page, re.S)
    if not section or not re.search(rows, section[1]):
        problems.append(f"docs/Runtime.md has no table between the marks '{mark}'; its script writes it")

source = (repository / "runtime/test/unit/RegistryTest.cpp").read_text()
example = source.split("// [example]\n")[1]
if example not in backend_page:
    problems.append("docs/AddingABackend.md lacks the example of unit/RegistryTest.cpp")

if problems:
    sys.exit("\n".join(problems))
