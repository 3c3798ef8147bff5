"""Sends a signal to a training once it has written a generation somewhere in FOLDER, and says how it ended:
signalled.py SIGNAL FOLDER COMMAND..      with VANISH for the signal the generation's folder is removed instead."""
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def main():
    name, folder, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    # Tests may run under nohup, which ignores SIGHUP for all that it starts.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline and not (written := list(folder.rglob("w-*.safetensors"))):
        time.sleep(0.01)
    if name == "VANISH":
        shutil.rmtree(written[0].parent)
    else:
        process.send_signal(getattr(signal, name))
    try:
        print(f"{name}: exit code {process.wait(60)}", flush=True)
    finally:
        process.kill()


main()
