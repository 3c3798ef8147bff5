"""Kills a training at random moments. After each kill the same command goes on from what is there, to the bits of the
undisturbed training; the killed training, too, goes on with it until it is killed again.

kill_and_resume.py FOLDER KILLS SEED COMMAND..      COMMAND trains in FOLDER with --save w.safetensors --resume ..;
                                                    DS_KILLS overrides KILLS
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time


def checkpoints(folder):
    return {path.name for pattern in ("w*.safetensors", "w*.index.json") for path in folder.glob(pattern)}


def session(leader):
    """The processes of a session: a launcher gives its ranks process groups of their own."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
        except OSError:
            continue  # it has ended
        if fields and fields[0] != "Z" and int(fields[3]) == leader:
            found.append(int(entry.name))
    return found


def kill(process):
    """All of the job: a rank that outlives its launcher for a moment would write beside the next job."""
    while left := session(process.pid):
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.poll()


def main():
    folder, kills, rng, command = pathlib.Path(sys.argv[1]), int(os.environ.get("DS_KILLS",
                                                                                sys.argv[2])), random.Random(
                                                                                    sys.argv[3]), sys.argv[4:]
    shutil.rmtree(folder, ignore_errors=True)
    alone, killed, resumed = folder / "alone", folder / "killed", folder / "resumed"
    alone.mkdir(parents=True)
    killed.mkdir()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    began = time.monotonic()
    subprocess.run(command, cwd=alone, check=True, **quiet)
    whole = time.monotonic() - began
    bits = (alone / "w.safetensors").read_bytes()
    done = training = 0
    while done < kills:
        before = checkpoints(killed)
        process = subprocess.Popen(command, cwd=killed, start_new_session=True, **quiet)
        time.sleep(rng.uniform(0, whole))
        ended = process.poll()
        if ended is None:
            kill(process)
        told = process.communicate()[1]
        if ended not in (None, 0):
            sys.exit(f"after {done} kills: status {ended}: {told}")
        if ended is None:
            done += 1
            training += checkpoints(killed) != before
            shutil.rmtree(resumed, ignore_errors=True)
            shutil.copytree(killed, resumed)
            last = subprocess.run(command, cwd=resumed, **quiet)
            if last.returncode:
                sys.exit(f"after {done} kills: status {last.returncode}: {last.stderr}")
        at = resumed if ended is None else killed
        if (at / "w.safetensors").read_bytes() != bits:
            sys.exit(f"after {done} kills the training ended with other bits")
        if ended == 0:  # from the beginning once more
            for file in killed.iterdir():
                file.unlink()
    print(f"killed {done} times, {training} of them after it had written a checkpoint: the same bits each time")


main()
