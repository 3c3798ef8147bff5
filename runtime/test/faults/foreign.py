#!/usr/bin/env python3
# ===- foreign.py - No plugin comes from the current directory --------------===#
#
# Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# foreign.py PROGRAM PLUGIN MPI: a rank of its own is started in a folder that holds a plugin which says that it was
# loaded, by names with and without a slash and with a relative DS_PLUGIN_PATH. An absolute DS_PLUGIN_PATH does load it,
# which shows that it would have spoken.
# ===------------------------------------------------------------------------===#
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LIMIT = 60  # seconds
SPOKEN = "foreign code runs"


def main():
    program, plugin, mpi = sys.argv[1:]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        (folder / "sub").mkdir()
        # Beside the names that the program is called by, and in ../lib of them.
        for place in (folder, folder / "lib", folder / "sub"):
            place.mkdir(exist_ok=True)
            shutil.copy(plugin, place / f"libdsrt_mpi_{mpi}.so")

        def output(name, **variables):
            environment = {key: value for key, value in os.environ.items() if key != "DS_PLUGIN_PATH"}
            done = subprocess.run([name, "healthy"], executable=program, cwd=folder / "sub", stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=LIMIT,
                                  env={**environment, "DS_MPI": mpi, **variables})
            return done.stdout

        for name in ("program", "./program", "../program", ""):
            said = output(name)
            if SPOKEN in said or "rank 0: ok" not in said:
                problems.append(f"started as '{name}': {said}")
        for relative in (".", "sub", "../lib", "./"):
            said = output(program, DS_PLUGIN_PATH=relative)
            if SPOKEN in said or f"DS_PLUGIN_PATH is '{relative}', expected an absolute path" not in said:
                problems.append(f"with DS_PLUGIN_PATH={relative}: {said}")
        if SPOKEN not in (said := output(program, DS_PLUGIN_PATH=str(folder))):
            problems.append(f"the foreign plugin does not speak where it is asked for: {said}")
    sys.exit("\n".join(problems) or None)


main()
