"""truncate.py FOLDER COMMAND...: empties every .npy file of the folder once the command reports progress, and lets the
command end."""
import pathlib
import subprocess
import sys

process = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True)
truncated = False
for line in process.stdout:
    if not truncated and '"event":"progress"' in line:
        for file in pathlib.Path(sys.argv[1]).glob("*.npy"):
            file.write_bytes(b"")
        truncated = True
code = process.wait()
if code or not truncated:
    sys.exit("exit code is %d; the files were %semptied" % (code, "" if truncated else "not "))
