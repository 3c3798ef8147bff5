"""What becomes of a training that gets a signal, by how it was started: a row of the table of docs/Checkpoints.md for
each way.

signals.py FOLDER PAGE NAME[@SIGNAL,..]=LAUNCHER.. -- COMMAND..

LAUNCHER, in which COMMAND stands, trains with --save w.safetensors --save-every ..; PAGE must have the rows, of which
other signals than SIGNAL are not tried. Where NAME begins with "one rank of", the signal goes to the last rank alone.
"""
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import launchers

SIGNALS = "SIGTERM", "SIGUSR1", "SIGHUP", "SIGINT", "SIGKILL"


def end(folder, command, name, chosen):
    """Exit code, and what there is to go on from. The launcher gets the signal, or of the ranks those that are
    `chosen`."""
    # of its own: ranks that outlive their launcher still write to the last one's
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    mark = f"{os.getpid()}-{folder.name}"
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, "DS_TEST_MARK": mark}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline and not list(folder.glob("w-*.safetensors")):
        time.sleep(0.01)
    for pid in sorted(launchers.ranks(mark))[chosen] if chosen else [process.pid]:
        os.kill(pid, getattr(signal, name))
    code = process.wait(60)
    saved = name != "SIGKILL" and (folder / "w.safetensors").exists()  # ranks that outlive their launcher save
    if not saved and not list(folder.glob("w-*.safetensors")):
        return f"{code}, nothing"
    return f"{code if code >= 0 else 128 - code}, {'saved' if saved else 'checkpoint'}"


def fits(ended, cell):
    """Whether "75, saved" is what a cell says, which may leave two codes open: "0 or 75, saved"."""
    codes, _, left = (cell or "").rpartition(", ")
    return ended in [f"{code}, {left}" for code in codes.split(" or ")]


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    split = sys.argv.index("--")
    folder, page, ways, command = (pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(), sys.argv[3:split],
                                   sys.argv[split + 1:])
    folder.mkdir(exist_ok=True)
    wrong = 0
    for way in ways:
        name, _, launcher = way.partition("=")
        name, _, only = name.partition("@")
        line = shlex.split(launcher.replace("COMMAND", shlex.join(command)))
        launcher = line[:line.index("ds-run")]
        ends = {}
        for s in SIGNALS if not only else only.split(","):
            chosen = slice(-1, None) if name.startswith("one rank of") else None
            if not chosen and launcher and s == "SIGUSR1" and not launchers.passes_on(launcher, s):
                print(f"{shlex.join(launcher)} passes {s} to nobody: the ranks get it without it", flush=True)
                chosen = slice(None)
            ends[s] = end(folder, line, s, chosen)
        written = next((row.strip("| ").split(" | ") for row in page.splitlines() if row.startswith(f"| {name} |")),
                       [name])
        same = all(fits(e, dict(zip(SIGNALS, written[1:])).get(s)) for s, e in ends.items())
        print(f"| {name} | " + " | ".join(ends.values()) + " |", "" if same else f"but the page has {written[1:]}",
              flush=True)
        wrong += not same
    sys.exit(f"{wrong} rows are not those of the table" if wrong else 0)


main()
