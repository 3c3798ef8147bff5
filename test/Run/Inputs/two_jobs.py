"""two_jobs.py FOLDER COMMAND..: COMMAND trains with --save w.safetensors --save-every ..; a second one must be told of
the first, and go on when that is dead."""
import pathlib
import signal
import subprocess
import sys
import time

folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
first = subprocess.Popen([*command, "--steps", "100000000"], cwd=folder, stdout=subprocess.DEVNULL)
try:
    while first.poll() is None and not list(folder.glob("w-*")):
        time.sleep(0.01)
    second = subprocess.run([*command, "--steps", "10"], cwd=folder, capture_output=True, text=True)
    print(f"second: exit code {second.returncode}, {second.stderr.strip()}")
    other = subprocess.run([w.replace("w.safetensors", "v.safetensors") for w in command] + ["--steps", "10"],
                           cwd=folder, capture_output=True, text=True)
    print(f"another name: exit code {other.returncode}{other.stderr}")
finally:
    first.send_signal(signal.SIGKILL)
    first.wait()
after = subprocess.run([*command, "--steps", "10"], cwd=folder, capture_output=True, text=True)
print(f"after a kill: exit code {after.returncode}{after.stderr}")
