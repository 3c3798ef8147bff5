"""Locations of programs and libraries."""
import os
import pathlib
import shutil
import sys


def which(program):
    """Returns the path of a program, or None. A name without a slash is searched on PATH, but not in its empty
    elements: these are the current directory, where anyone may have put a program with this name."""
    return shutil.which(str(program), path=os.pathsep.join(filter(None,
                                                                  os.environ.get("PATH",
                                                                                 os.defpath).split(os.pathsep))))


PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "native"  # bin and lib of a wheel


def tool(name):
    """Returns the path of a program of ds, or None: from this package if it was installed with programs, else from
    PATH."""
    own = PACKAGE / "bin" / name
    return str(own) if own.exists() else which(name)


def library(name):
    """Returns the path of a library of ds, or None: in the lib folder beside ds-run, found by DS_RUN or on PATH."""
    beside = which(os.environ["DS_RUN"]) if os.environ.get("DS_RUN") else tool("ds-run")
    found = beside and pathlib.Path(beside).resolve().parents[1] / "lib" / name
    return str(found) if found and found.exists() else None


def main():
    """Entry point of the package's commands: replaces this process by the program of the same name."""
    name = os.path.basename(sys.argv[0])
    program = PACKAGE / "bin" / name
    if not program.exists():
        sys.exit(f"{name}: error: this package was installed without programs; build ds, or install its wheel")
    os.execv(program, [str(program), *sys.argv[1:]])
