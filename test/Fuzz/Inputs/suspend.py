"""suspend.py SECONDS COMMAND...: stops the command's processes for so long once it has a child, and continues them."""
import os
import pathlib
import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[2:], start_new_session=True)
children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
while process.poll() is None and not children.read_text().strip():
    time.sleep(0.01)
os.killpg(process.pid, signal.SIGSTOP)
time.sleep(float(sys.argv[1]))
os.killpg(process.pid, signal.SIGCONT)
sys.exit(process.wait())
