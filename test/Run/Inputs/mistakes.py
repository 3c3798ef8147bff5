"""A mistake that one rank alone has reaches the others at once, and is told once: the first one on every way to start
ranks, the others on the next way each. DS_ALL_WAYS=1 makes every mistake on every way.

mistakes.py FOLDER STEP.mlir WAY=COMMAND..   COMMAND starts two processes, its words separated by blanks; FOLDER holds
                                             the files of make_data.py
                                             linear. The timeout is the default one, ten minutes.
"""
import os
import pathlib
import subprocess
import sys
import time

LIMIT = 120  # seconds, on a busy machine
MISTAKES = {
    "unknown option": ("--epoch", "unknown option '--epoch', did you mean '--epochs'?"),
    "no number": ("--steps=many", "--steps"),
    "missing file": ("--data x=absent.npy,y=y.npy", "cannot read 'absent.npy'"),
    "missing step": ("absent.mlir", "absent.mlir"),
    "configuration": ("--config no_such_key=1", "no_such_key"),
    "fewer ranks": ("--ranks 1", "--ranks is 1, but the launcher has started 2 processes"),
}
DATA = "--data x=x.npy,y=y.npy --arg lr=0.05 --steps 2"


def line(step, more, way):
    backend = f" --backend {way}" if way in ("nccl", "hccl") else ""
    if more.endswith(".mlir"):
        return f"ds-run {more} {DATA}{backend}"
    return (f"ds-run {step} {DATA if '--data' not in more else DATA.replace('--data x=x.npy,y=y.npy', '')} "
            f"{more}{backend}")


failed = 0
ways = [argument.split("=", 1) for argument in sys.argv[3:]]
folder, step = pathlib.Path(sys.argv[1]), sys.argv[2]
for number, (name, (mistake, sentence)) in enumerate(MISTAKES.items()):
    for way, command in ways if number == 0 or os.environ.get("DS_ALL_WAYS") else [ways[number % len(ways)]]:
        for guilty in ((0, 1) if name == "unknown option" else (1,)):
            (folder / "mistake.sh").write_text(f'if [ "$RANK_OF" = {guilty} ]; then exec {line(step, mistake, way)}; '
                                               f'else exec {line(step, "", way)}; fi\n')
            start = time.monotonic()
            done = subprocess.run(command.split() + [
                "sh", "-c", "RANK_OF=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$DS_RANK}} . ./mistake.sh"],
                                  cwd=folder, capture_output=True, text=True, timeout=LIMIT)
            told = [text for text in done.stderr.splitlines() if text.startswith(("ds-run: error: ", "absent.mlir"))]
            good = done.returncode != 0 and len(told) == 1 and sentence in told[0]
            failed += not good
            print(f"{name} on rank {guilty}, {way}: " + ("told" if good else "WRONG after "
                                                         f"{time.monotonic() - start:.0f} s, status {done.returncode}: "
                                                         f"{done.stderr[-700:]!r}"))
sys.exit(failed > 0)
