"""early_signals.py FOLDER WAY=COMMAND..: COMMAND waits for its step, which is a pipe that nobody writes to. Each signal
must end it at once, with the code of a training that was asked to end, and leave no process. A command that begins with
NAME=VALUE gets these variables."""
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import time

import launchers

CODES = {"SIGTERM": 75, "SIGUSR1": 75, "SIGHUP": 75, "SIGINT": 130}


def waits(pid):
    """Whether it sleeps on a pipe that it opens: all signals are taken by then."""
    try:
        return "wait_for_partner" in pathlib.Path(f"/proc/{pid}/wchan").read_text() or pathlib.Path(
            f"/proc/{pid}/syscall").read_text().startswith("257 ")
    except OSError:
        return False


def end(folder, command, variables, name):
    mark = f"{os.getpid()}-{name}"
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, **variables, "DS_TEST_MARK": mark},
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    size = int(command[command.index("--launch") + 1]) if "--launch" in command else 0
    ranks = lambda: [pid for pid in launchers.ranks(mark) if not size or pid != process.pid]
    launchers.wait_for(lambda: len(waiting := ranks()) == max(size, 1) and all(map(waits, waiting)), process, 60)
    process.send_signal(getattr(signal, name))
    began = time.monotonic()
    told = process.communicate(timeout=60)[1]
    left = launchers.wait_for(lambda: not launchers.ranks(mark), process, 10)
    words = [line for line in told.splitlines() if line.startswith("ds-run: ended by a signal before the first step")]
    return process.returncode, len(words), time.monotonic() - began < 30, not left and launchers.ranks(mark)


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "step.mlir")
    wrong = 0
    for way in sys.argv[2:]:
        name, _, text = way.partition("=")
        words = shlex.split(text)
        variables = {}
        while "=" in words[0]:
            key, _, value = words.pop(0).partition("=")
            variables[key] = value
        for sign, code in CODES.items():
            got = end(folder, words, variables, sign)
            if got != (code, 1, True, False):
                print(f"{name}: {sign}: exit code {got[0]}, {got[1]} sentences, in time: {got[2]}, left: {got[3]}; "
                      f"expected {code}, 1, True, nobody", flush=True)
                wrong += 1
        print(f"{name}: tried", flush=True)
    sys.exit(wrong > 0)


main()
