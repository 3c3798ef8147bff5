"""Disturbs a training of ds-run --launch --min-processes: moves.py RIGHT ACTION@STEP.. -- COMMAND..

An action is kill:K or term:K, a signal to the K-th process of those that the launcher has started, kill:J,K to both
at once; add: COMMAND without --launch as one more process; add:WORDS: with such words after it; or hide:FOLDER, which
renames a folder. PORT in COMMAND becomes a free port. The training is stopped while an added process starts, since it
could end before. An action comes when a line of --json has that step. Prints for
each the number of processes that go on and whether the next step ended within 3 seconds, then the exit codes, and
whether all metrics are those of RIGHT, the lines of an undisturbed training.
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

LIMIT = 3
split = sys.argv.index("--")
actions = [(int(step), what) for what, _, step in (word.partition("@") for word in sys.argv[2:split])]
with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
command = [word.replace("PORT", str(port)) for word in sys.argv[split + 1:]]


def children(pid):
    return sorted(map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def without_launch(words):
    at = words.index("--launch")
    return words[:at] + words[at + 2:]


def connections():
    """Returns the number of connections to the roster."""
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[2].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def add(words):
    """Starts a process, and lets the others go on when it is connected to the roster."""
    before, others = connections(), children(launcher.pid)
    for one in others:
        os.kill(one, signal.SIGSTOP)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    while connections() <= before and process.poll() is None:
        time.sleep(0.01)
    for one in others:
        os.kill(one, signal.SIGCONT)
    return process


launcher = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
first, added, began, what, metrics = [], [], None, None, {}
with open(sys.argv[1]) as lines:
    right = {event["step"]: event["metrics"] for event in map(json.loads, lines) if event["event"] == "progress"}
for line in launcher.stdout:
    event = json.loads(line)
    if event["event"] == "progress":
        metrics[event["step"]] = event["metrics"]
    if event["event"] == "moved":
        print(f"{what}: {event['processes']} processes go on", flush=True)
    elif event["event"] == "moved_in" and began:
        seconds = time.monotonic() - began
        late = "in time" if seconds <= LIMIT else "too late"
        print(f"{what}: the next step ended after {seconds:.2f} s", late, flush=True)
        began = None
    elif event["event"] == "progress" and began is None and actions and event["step"] >= actions[0][0]:
        what, began = actions.pop(0)[1], time.monotonic()
        first = first or children(launcher.pid)
        kind, _, number = what.partition(":")
        if kind == "hide":
            os.rename(number, number + ".hidden")
            began = None
        elif kind == "add":
            words = without_launch(command) + number.split()
            added.append(add(words))
            began = time.monotonic() if not number else None  # it is refused
        else:
            for one in number.split(","):
                os.kill(first[int(one)], signal.SIGKILL if kind == "kill" else signal.SIGTERM)
print("exit codes", launcher.wait(), *(one.wait() for one in added))
other = [step for step in metrics if metrics[step] != right.get(step, metrics[step])]
if other:
    print("other metrics of steps", *other)
else:
    print("equal metrics of", len(metrics.keys() & right.keys()), "steps")
