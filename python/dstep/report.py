"""A training to look at: one HTML file without scripts, made of what `ds-run --log-dir` has written.

    python -m dstep.report LOGS [-o report.html]        what was distributed, curves, a step of every rank, memory, and
                                                        what the run printed
    python -m dstep.report LOGS --tensorboard FOLDER    the same numbers as events of TensorBoard (needs tensorboardX)

LOGS is the folder of --log-dir, or its events.jsonl, of a run that is over, has failed or still goes on. `ds-run
--report` holds this file, drawing.py and escape.py, and runs them by a plain Python: they import nothing else of the
package.
"""
import argparse
import json
import math
import pathlib
import sys
import time

from .base.drawing import EVALUATED, KINDS, STYLE, counted, curve, names, number, rows, shade, size, table, timeline
from .base.escape import in_html, printable

SLOWEST = 15
CLASSES, MISTAKES = 30, 20  # the largest table of classes; beyond it, the number of most frequent mistakes


class LogError(ValueError):
    """A log that cannot be read, with the reason."""

    def __init__(self, text):
        super().__init__(printable(text))


def read(path):
    """Returns the events of a log, in order. The last line is left out if it is incomplete, because the run was
    killed."""
    path = pathlib.Path(path)
    file = path / "events.jsonl" if path.is_dir() else path
    try:
        lines = file.read_text().splitlines()
    except OSError as error:
        raise LogError(f"cannot read '{file}': {error.strerror}; ds-run --log-dir FOLDER writes "
                       "FOLDER/events.jsonl") from None
    events = []
    for count, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            event["event"], event["time_ms"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if count == len(lines) and not isinstance(error, RecursionError):
                break
            raise LogError(f"{file}:{count}: expected an event of ds-run as JSON, got '{line[:60]}'") from None
        events.append(event)
    if not events:
        raise LogError(f"'{file}' holds no events")
    return events


def series(events):
    """Returns {title: [(step, value)]}, with NaN for a missing value. If a restarted run repeated a step, the last one
    counts."""
    steps = {event["step"]: event for event in events if event["event"] == "step"}
    evaluations, step = {}, 0
    for event in events:
        step = event["step"] if event["event"] == "step" else step
        if event["event"] == "evaluation":
            # Logs of earlier versions name no step: the step before the evaluation.
            evaluations[event.get("step", step)] = event
    found = {"loss": []} if any("loss" in event["metrics"] for event in steps.values()) else {}  # drawn first
    for step in sorted(steps):
        event = steps[step]
        values = dict(event["metrics"])
        if event["seconds"] > 0:
            values["samples per second"] = event["samples"] / event["seconds"]
        if "exposed_seconds" in event and step - 1 not in evaluations:  # that step's wait includes the evaluation
            values["milliseconds in collectives"] = 1e3 * event["exposed_seconds"]
        values |= event.get("args", {})
        for name, value in values.items():
            found.setdefault(name, []).append((step, math.nan if value is None else value))
    for step, event in sorted(evaluations.items()):
        accuracy = {"accuracy": event["accuracy"]} if "accuracy" in event else {}
        for name, value in (accuracy | event.get("metrics", {})).items():
            found.setdefault(name + EVALUATED, []).append((step, math.nan if value is None else value))
    return found


def state(events):
    """Returns the state of the newest run of the log: (sentence, True if it went wrong)."""
    # A report event may follow the end.
    last = next(event for event in reversed(events) if event["event"] != "report" or event is events[0])
    if last["event"] != "end":
        return "The log ends without an end of the run: it still goes on, or was killed.", False
    if last.get("error"):
        return f"The run failed: {last['error']}", True
    why = [event["message"] for event in events if event["event"] == "not_finite" and event["stops"]]
    return ("The run ended with exit code "
            f"{last['exit_code']}{': ' + why[-1] if why and last['exit_code'] == 1 else ''}.", last["exit_code"] != 0)


def facts(events):
    """Returns the events of the runs that the report does not draw elsewhere."""
    for event in events:
        kind = event["event"]
        if kind not in ("step", "epoch", "evaluation", "end", "rank_last", "timeline", "operations", "collectives",
                        "memory", "confusion"):
            said = {name: value for name, value in event.items() if name not in ("event", "time_ms")}
            yield time.strftime("%H:%M:%S", time.localtime(event["time_ms"] / 1000)), kind, ", ".join(
                f"{name} {json.dumps(value)}" for name, value in said.items())


def exchange(events):
    """Returns the communication costs of a step, from the last run that reported them."""
    for event in reversed(events):
        if event["event"] == "exchange" and event.get("step_ns"):
            share = event["exposed_ns"] / event["step_ns"]
            return [("median step", f"{event['step_ns'] * 1e-6:.3g} ms"),
                    ("waits in collectives", f"{event['exposed_ns'] * 1e-6:.3g} ms, {share:.0%} of the step"),
                    ("bytes of that rank per step", size(event["bytes"] / max(event.get("steps", 1), 1))),
                    ("collectives started before they are waited for", event["starts"])]
    return []


def newest(events, kind):
    """Returns the last event of this kind in the newest run, or {}."""
    begin = max((i for i, event in enumerate(events) if event["event"] == "start"), default=0)
    return next((event for event in reversed(events[begin:]) if event["event"] == kind), {})


def distributed(event):
    """Returns a table of the collectives of a step, in their order."""
    listed = event.get("collectives", [])
    if not listed:
        return ""
    total = sum(one["bytes"] for one in listed)
    head = (f'<h2>What was distributed</h2>\n<p class="faint">{counted(len(listed), "collective")} in each step, '
            f"{size(total)} from each rank</p>\n")
    return head + table(
        ("collective", "for", "of", "bytes"), [(one["operation"] + (" (in flight)" if one["in_flight"] else ""), one[
            "purpose"], names(one["names"]) or "-", size(one["bytes"])) for one in listed], words=3)


def operations(event):
    listed = event.get("operations", [])
    total = sum(one["ms"] for one in listed)
    if not total:
        return ""
    lines = [(one["name"] + (f" ({one['implementation']})" if one["implementation"] else ""),
              KINDS.get(one["kind"], one["kind"]).split(" (")[0], f"{one['ms'] / total:.1%}",
              number(one["ms"]), number(1e3 * one["ms"] / max(one["calls"], 1)), one["calls"])
             for one in listed[:SLOWEST]]
    return ("<h2>The slowest operations</h2>\n" + f'<p class="faint">of {len(listed)}, over all steps and ranks</p>\n'
            + table(("operation", "", "share", "ms", "us each", "calls"), lines, words=2))


def confusion(event):
    """Returns a table of labels against predictions, or of the most frequent mistakes if there are many classes."""
    counts = event.get("counts", [])
    total, right = sum(map(sum, counts)), sum(row[label] for label, row in enumerate(counts))
    if not total:
        return ""
    head = (f'<h2>Confusion of classes</h2>\n<p class="faint">After step {in_html(event["step"])}: {right} of {total} '
            'are right. ')
    if len(counts) > CLASSES:
        mistakes = sorted(((count, label, predicted) for label, row in enumerate(counts)
                           for predicted, count in enumerate(row) if label != predicted and count),
                          key=lambda m: (-m[0], m[1:]))
        return head + f"Of {len(counts)} classes those that are mistaken most often.</p>\n" + table(
            ("label", "predicted as", "how often", "of the label"),
            [(label, predicted, count, f"{count / sum(counts[label]):.1%}")
             for count, label, predicted in mistakes[:MISTAKES]], words=2)
    lines = []
    for label, row in enumerate(counts):
        cells = "".join(f'<td class="{shade(count, sum(row), label == predicted)}">{count or ""}</td>'
                        for predicted, count in enumerate(row))
        share = f"{row[label] / sum(row):.1%}" if sum(row) else "-"
        lines.append(f"<tr><th>{label}</th>{cells}<td>{share}</td></tr>\n")
    titles = "".join(f"<th>{predicted}</th>" for predicted in range(len(counts)))
    return (head + 'A row is a label, a column what it is predicted as.</p>\n<div class="wide"><table class="matrix">\n'
            f"<tr><th>label</th>{titles}<th>right</th></tr>\n" + "".join(lines) + "</table></div>\n")


def memory(event, end):
    holders = event.get("bytes", {})
    lines = [(holder, size(count)) for holder, count in sorted(holders.items(), key=lambda pair: -pair[1])]
    if not lines:
        return ""
    peak = end.get("peak_resident_bytes")
    return "<h2>Memory of a rank</h2>\n" + (f'<p class="faint">The process of rank 0 held {size(peak)} at most, its '
                                            'program and data included.</p>\n' if peak else "") + table(
        ("held by", "bytes"), [*lines, ("together", size(sum(holders.values())))])


def last_deeds(events):
    """Returns the last operations of a failed run's ranks, for the process with rank 0."""
    begin = max((i for i, event in enumerate(events) if event["event"] == "start"), default=0)
    deeds = [event for event in events[begin:] if event["event"] == "rank_last" and event["doing"]]
    return "<h2>What each rank did last</h2>\n" + rows([(f"rank {event['rank']}", f"{event['doing']} step "
                                                         f"{event['step']}") for event in deeds]) if deeds else ""


def page(events):
    """Returns the report as one HTML text without external resources."""
    sentence, bad = state(events)
    begin = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(events[0]["time_ms"] / 1000))
    parts = [f'<p class="{"bad" if bad else "faint"}">{in_html(sentence)}</p>\n', f'<p class="faint">Begun {begin}, '
             f'{duration(events)} until the last event.</p>\n']
    starts = [event for event in events if event["event"] == "start"]
    if starts:
        parts.append(rows([("ranks", starts[-1]["ranks"]),
                           ("samples per step", starts[-1].get("samples_per_step", "-")),
                           ("in force", starts[-1]["in_force"])]))
    parts.append(last_deeds(events))
    parts.append(distributed(newest(events, "collectives")))
    if costs := exchange(events):
        parts.append("<h2>Communication</h2>\n" + rows(costs))
    parts += [curve(title, points) for title, points in series(events).items()]
    parts.append(confusion(newest(events, "confusion")))
    parts += [timeline(newest(events, "timeline")), operations(newest(events, "operations")),
              memory(newest(events, "memory"), newest(events, "end"))]
    parts.append('<h2>Events</h2>\n<table class="rows">\n' + "".join(
        f"<tr><td>{at}</td><th>{in_html(kind)}</th><td>{in_html(said)}</td></tr>\n"
                                                      for at, kind, said in facts(events)) + "</table>\n")
    return ('<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width"><title>A training of ds</title><style>{STYLE}</style></head>\n<body>\n'
            f'<h1>A training of ds</h1>\n{"".join(parts)}</body>\n</html>\n')


def duration(events):
    seconds = round((events[-1]["time_ms"] - events[0]["time_ms"]) / 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def tag(title):
    """Returns a TensorBoard tag in one of two groups, since TensorBoard shows the first two open."""
    name = title.removesuffix(EVALUATED)
    return f"{'training' if name == title else 'evaluation'}/{name.replace(' ', '_')}"


def to_tensorboard(events, folder):
    """Writes the finite values as scalars with the package tensorboardX."""
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise LogError("--tensorboard needs the package tensorboardX; pip install tensorboardX") from None
    times = {event["step"]: event["time_ms"] / 1000 for event in events if event["event"] == "step"}
    with SummaryWriter(str(folder)) as writer:
        for title, points in series(events).items():
            for step, value in points:
                if math.isfinite(value):
                    writer.add_scalar(tag(title), value, step, times.get(step, events[-1]["time_ms"] / 1000))


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m dstep.report", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", help="the folder of ds-run --log-dir")
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="default: report.html")
    parser.add_argument("--tensorboard", metavar="FOLDER", help="write events of TensorBoard instead")
    options = parser.parse_args(arguments)
    try:
        try:
            events = read(options.logs)
            if options.tensorboard:
                to_tensorboard(events, options.tensorboard)
            else:
                pathlib.Path(options.output).write_text(page(events))
        except (LogError, OSError):
            raise
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            # A log may come from any program.
            raise LogError(f"'{options.logs}' is no log of ds-run: {type(error).__name__}: {error}") from None
    except (LogError, OSError) as error:
        print(f"dstep.report: error: {error}", file=sys.stderr)
        return 1
    print(f"wrote {printable(options.tensorboard or options.output)}: {len(events)} events")
    return 0


if __name__ == "__main__":
    sys.exit(main())
