"""evaluated.py COMMAND..: what a training with --json says of evaluations, of the best values and of its end, a line
each: to be read, and compared with another run."""
import json
import subprocess
import sys

done = subprocess.run([*sys.argv[1:], "--json"], stdout=subprocess.PIPE, text=True)
if done.returncode:
    sys.exit(done.returncode)
for line in done.stdout.splitlines():
    event = json.loads(line)
    if event["event"] == "evaluation":
        assert event["seconds"] >= 0, event
        values = ({"accuracy": event["accuracy"]} if "accuracy" in event else {}) | event.get("metrics", {})
        print(f"step {event['step']}:", ", ".join(f"{name} {value!r}" for name, value in sorted(values.items())))
    elif event["event"] == "best":
        print(f"best {event['metric']} {event['value']!r} of step {event['step']}")
    elif event["event"] == "early_stopping":
        print(f"ends behind step {event['step']}")
