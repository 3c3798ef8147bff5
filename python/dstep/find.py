"""Where programs and libraries lie."""
import os
import pathlib
import shutil
import sys


def which(program):
    """The path of a program, or None. A name without a slash is looked for on PATH, but not in its empty elements: those are the current directory,
    where what is called like the program can be anybody's."""
    return shutil.which(str(program), path=os.pathsep.join(filter(None, os.environ.get("PATH", os.defpath).split(os.pathsep))))


PACKAGE = pathlib.Path(__file__).resolve().parent / "native"  # bin and lib of a wheel


def tool(name):
    """The path of a program of ds: of this package where it was installed with them, else from PATH; or None."""
    own = PACKAGE / "bin" / name
    return str(own) if own.exists() else which(name)


def library(name):
    """The path of a library of ds, which lies in the lib folder beside ds-run, as DS_RUN or PATH names it; or None."""
    beside = which(os.environ["DS_RUN"]) if os.environ.get("DS_RUN") else tool("ds-run")
    found = beside and pathlib.Path(beside).resolve().parents[1] / "lib" / name
    return str(found) if found and found.exists() else None


def main():
    """What the package's commands are: the program of the same name takes the place of this process."""
    name = os.path.basename(sys.argv[0])
    program = PACKAGE / "bin" / name
    if not program.exists():
        sys.exit(f"{name}: error: this package was installed without programs; build ds, or install its wheel")
    os.execv(program, [str(program), *sys.argv[1:]])
