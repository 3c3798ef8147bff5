"""A cleaner removes the file of a lock: remove_lock.py FILE COMMAND.. starts the job that saves FILE, removes
FILE.lock, and prints what the job says at its next checkpoint. Another job that came meanwhile keeps its file."""
import pathlib
import subprocess
import sys
import time

file, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
lock = file.with_name(file.name + ".lock")
job = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while not lock.exists() or not list(file.parent.glob(f"{file.stem}-*")):
    if job.poll() is not None:
        sys.exit(f"ended with {job.returncode}: {job.stderr.read()}")
    time.sleep(0.01)
lock.unlink()
file.write_bytes(b"of another job")
try:
    _, told = job.communicate(timeout=120)
finally:
    job.kill()
print(told, end="")
if job.returncode != 1 or file.read_bytes() != b"of another job":
    sys.exit(f"code {job.returncode}, and the file holds {file.read_bytes()[:40]}")
