# same_loss.py TOLERANCE BACKEND... -- DS-RUN ARGUMENTS...: trains once per backend and compares the last loss of each
# with that of the first.
import json
import subprocess
import sys

split = sys.argv.index("--")
tolerance, backends, command = float(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]


def last_loss(backend):
    run = subprocess.run([*command, "--backend", backend, "--json"], check=True, capture_output=True, text=True)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    progress = [event for event in events if event["event"] == "progress"]
    return progress[-1]["step"], progress[-1]["metrics"]["loss"]


step, expected = last_loss(backends[0])
print(f"{backends[0]}: loss {expected:.9f} after {step} steps")
for backend in backends[1:]:
    end, loss = last_loss(backend)
    difference = abs(loss - expected)
    print(f"{backend}: loss {loss:.9f} after {end} steps, "
          f"{'same' if difference <= tolerance and end == step else 'DIFFERENT'}")
