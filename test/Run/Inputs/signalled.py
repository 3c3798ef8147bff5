"""Sends a signal to a training once it has written a checkpoint somewhere in FOLDER, and says how it ended:
signalled.py SIGNAL[@ranks] FOLDER COMMAND..      with VANISH for the signal the checkpoint's folder is removed instead;
                                                  with @ranks each rank gets it
from here, whatever its launcher would do with it."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import launchers


def main():
    name, folder, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    # Tests may run under nohup, which ignores SIGHUP for all that it starts.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    name, _, whom = name.partition("@")
    mark = f"{os.getpid()}"
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, env={**os.environ, "DS_TEST_MARK": mark})
    deadline = time.monotonic() + 60
    while (process.poll() is None and time.monotonic() < deadline
           and not (written := list(folder.rglob("w-*.safetensors")))):
        time.sleep(0.01)
    if name == "VANISH":
        shutil.rmtree(written[0].parent)
    else:
        for pid in launchers.ranks(mark) if whom else [process.pid]:
            os.kill(pid, getattr(signal, name))
    try:
        print(f"{name}: exit code {process.wait(60)}", flush=True)
    finally:
        process.kill()


main()
