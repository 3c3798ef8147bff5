"""Where programs lie."""
import os
import shutil


def which(program):
    """The path of a program, or None. A name without a slash is looked for on PATH, but not in its empty elements: those are the current directory,
    where what is called like the program can be anybody's."""
    return shutil.which(str(program), path=os.pathsep.join(filter(None, os.environ.get("PATH", os.defpath).split(os.pathsep))))
