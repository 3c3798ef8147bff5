"""Kills a training at random moments and starts it again with the same command, until it is done; its file must hold the bits of the
training that nobody disturbed.

kill_and_resume.py FOLDER KILLS SEED COMMAND..      COMMAND trains in FOLDER with --save w.safetensors --resume ..; DS_KILLS overrides KILLS
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time


def main():
    folder, kills, rng, command = pathlib.Path(sys.argv[1]), int(os.environ.get("DS_KILLS", sys.argv[2])), random.Random(sys.argv[3]), sys.argv[4:]
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "alone").mkdir(parents=True)
    (folder / "killed").mkdir()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    began = time.monotonic()
    subprocess.run(command, cwd=folder / "alone", check=True, **quiet)
    whole = time.monotonic() - began
    done = 0
    while done < kills:
        # A session of its own: the launcher and its ranks are killed as one.
        process = subprocess.Popen(command, cwd=folder / "killed", start_new_session=True, **quiet)
        time.sleep(rng.uniform(0, whole / 2))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            done += 1
        elif process.returncode == 0:  # it came to its end: from the beginning once more
            for file in (folder / "killed").iterdir():
                file.unlink()
        process.communicate()
        if process.returncode not in (0, -signal.SIGKILL):
            sys.exit(f"ended with {process.returncode} after {done} kills")
    last = subprocess.run(command, cwd=folder / "killed", **quiet)
    if last.returncode:
        sys.exit(f"after {done} kills: status {last.returncode}: {last.stderr}")
    if (folder / "alone" / "w.safetensors").read_bytes() != (folder / "killed" / "w.safetensors").read_bytes():
        sys.exit(f"after {done} kills the training ended with other bits")
    print(f"killed {done} times: same bits")


main()
