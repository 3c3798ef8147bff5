"""interrupt.py LOG COMMAND...: sends SIGINT once the command reports progress; it must then end with exit code 130."""
import signal
import subprocess
import sys

log = open(sys.argv[1], "w")
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True)
interrupted = False
for line in process.stdout:
    log.write(line)
    if not interrupted and '"event":"progress"' in line:
        process.send_signal(signal.SIGINT)
        interrupted = True
code = process.wait()
if code != 130:
    sys.exit("exit code is %d, expected 130" % code)
