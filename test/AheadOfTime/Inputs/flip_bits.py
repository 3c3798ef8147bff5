"""Flipped bits of a bundle: flip_bits.py libNAME.so COUNT COMMAND..; the command, with a copy of the library behind its
first word, says one sentence and ends with 1 for a bit of each of COUNT regions of the library, and of its header."""
import pathlib
import subprocess
import sys

library, count, (program, *command) = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
copy = library.parent / "flipped"
copy.mkdir(exist_ok=True)
files = {name: (library.parent / name).read_bytes() for name in (library.name, library.name[3:-3] + ".h")}


def run(damaged=None, at=0):
    for name, data in files.items():
        data = bytearray(data)
        if name == damaged:
            data[at] ^= 1 << at % 8
        (copy / name).write_bytes(data)
    done = subprocess.run([program, str(copy / library.name), *command], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


if run()[0] != 0:
    sys.exit(f"the library itself is refused: {run()[1]}")
for name, regions in ((library.name, count), (library.name[3:-3] + ".h", 4)):
    for region in range(regions):
        at = (2 * region + 1) * len(files[name]) // (2 * regions)
        code, told = run(name, at)
        if code != 1 or told.count("\n") != 1 or not told.startswith(f"ds-run-bundle: error: '{copy / name}' "):
            sys.exit(f"bit of byte {at} of {name}: code {code}, {told!r}")
print(f"{count + 4} refused")
