"""Sends a signal to one rank of a job that ds-run has launched, once all of them train, and says how the job ended.

end_a_rank.py SIGNAL RANK COMMAND..
"""
import os
import pathlib
import signal
import subprocess
import sys
import time


def ranks_of(launcher):
    """The processes of the job by rank, as their launcher numbered them."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == launcher:
                variables = dict(item.split(b"=", 1)
                                 for item in (entry / "environ").read_bytes().split(b"\0") if b"=" in item)
                found[int(variables[b"DS_RANK"])] = int(entry.name)
        except (OSError, KeyError, IndexError):
            continue  # it has ended, or not begun
    return found


job = subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE, text=True)
for line in job.stdout:
    if "step " in line:  # all ranks have met
        break
victim = ranks_of(job.pid)[int(sys.argv[2])]
os.kill(victim, getattr(signal, "SIG" + sys.argv[1]))
began = time.monotonic()
try:
    job.wait(60)
    print(f"ended with {job.returncode} after {time.monotonic() - began:.1f} s")
except subprocess.TimeoutExpired:
    job.kill()
    print("hangs")
finally:
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        pass
