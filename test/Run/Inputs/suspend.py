"""suspend.py TIMEOUT COMMAND...: runs the command three times as long as it takes to see that stopping it does no harm:
whenever it has reported so many epochs more, all of its processes are stopped, for longer than TIMEOUT (seconds), and
continued. It must end well, and must have been stopped three times."""
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "runtime" / "test" / "support"))
from jobs import Traces

timeout, command = float(sys.argv[1]), sys.argv[2:]
traces = Traces()
process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ, **traces.environment))


def to_all(which):
    for one in traces.processes():
        try:
            os.kill(one, which)
        except ProcessLookupError:
            pass


epochs, stops = 0, 0
for line in process.stdout:
    epochs += '"event":"progress"' in line
    # What was written before a stop is read after it.
    if epochs == 100 + 500 * stops and stops < 3:
        to_all(signal.SIGSTOP)
        time.sleep(1.5 * timeout)
        to_all(signal.SIGCONT)
        stops += 1
code = process.wait()
problems = traces.leftovers()
if code != 0:
    problems.append(f"exit code is {code}, expected 0")
if stops < 3:
    problems.append(f"the job was stopped {stops} times, expected 3")
sys.exit("; ".join(problems) or None)
