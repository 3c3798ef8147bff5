#!/usr/bin/env python3
"""Many logical ranks on one machine: what a world of R ranks in R/K processes over TCP costs, and a training of the
most of them whose processes are killed on the way.

    bench/scale.py [--ranks 32 128 512 1024] [--per-process 16] [--steps 100] [--kill 8] [--largest 65536] [--json FILE]

All train one small perceptron, 16 samples a rank. `start` are the seconds from the command to the end of the first
step; `step` is the median of the others, of which most is the switching of R threads; `memory` is that of all processes
together (PSS), `a process` that of the largest. `messages of the store` are bytes on the loopback interface until the
first step ends (ranks of one machine exchange their data through memory), counted in a network namespace of the job,
so they need root. Values must be those of as many threads of one process, bit for bit. Last, the largest world trains
once more while --kill of its processes are killed, one after the other and the one of rank 0 among them: every step
must be reported, with the bits of the undisturbed training. What grows is fitted, by P processes, as a + b P + c P^2.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "test/Run/Inputs"
STEP = INPUTS / "jax_mlp_momentum_wd.mlir"
ALONE = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


def children(pid):
    return list(map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def loopback_bytes(pid):
    for line in pathlib.Path(f"/proc/{pid}/net/dev").read_text().splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == "lo":
            return int(numbers.split()[0])
    return 0


def memory_of(pids):
    """Mebibytes of each process: its own, and its part of what it shares."""
    found = []
    for pid in pids:
        try:
            lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # it has ended
        found += [int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")]
    return found


def can_be_alone():
    try:
        return subprocess.run([*ALONE, "true"], capture_output=True).returncode == 0
    except OSError:
        return False


class Training:
    """One run of ds-run, watched by its lines of JSON."""

    def __init__(self, options, folder, name, ranks, words, alone=False, kill=0):
        self.options, self.place, self.ranks, self.kill = options, folder / name, ranks, kill
        self.place.mkdir()
        command = [options.build / "bin/ds-run", STEP, "--ranks", ranks, "--data", (folder / "data").read_text(),
                   "--init", folder / "init.safetensors", "--steps", options.steps, "--last-batch=wrap", "--save",
                   self.place / "w.safetensors", "--log-dir", self.place, "--config",
                   f"batch=local,timeout={options.timeout}s", *words]
        self.alone, self.memory, self.bytes, self.deaths = alone, [], None, []
        self.environment = os.environ | {"OMP_NUM_THREADS": "1", "DS_CACHE_DIR": str(folder / "cache")}
        self.command = [str(word) for word in ([*ALONE] if alone else []) + command]

    def events(self):
        try:
            lines = (self.place / "events.jsonl").read_text().splitlines(keepends=True)
        except OSError:
            return []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def run(self):
        began, errors = time.time(), self.place / "errors"
        with open(errors, "w") as out:
            process = subprocess.Popen(self.command, env=self.environment, stdout=out, stderr=out)
        rng, steps, end = random.Random(1), 0, time.monotonic() + self.options.limit
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            steps = sum(event["event"] == "step" for event in self.events())
            if steps and self.bytes is None and self.alone:
                self.bytes = loopback_bytes(process.pid)
            if steps >= min(10, self.options.steps // 2) and not self.memory:
                self.memory = memory_of([process.pid, *children(process.pid)])
            if len(self.deaths) < self.kill and steps > (len(self.deaths) + 1) * self.options.steps // (self.kill + 2):
                living = sorted(children(process.pid))
                victim = living[0] if not self.deaths else rng.choice(living)
                os.kill(victim, signal.SIGKILL)
                self.deaths.append(time.time())
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            time.sleep(1)
            for pid in (*children(process.pid), process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()
            sys.exit(f"error: {self.place.name}: no end within {self.options.limit} s: {errors.read_text()[-800:]}")
        if process.returncode:
            sys.exit(f"error: {self.place.name} ended with {process.returncode}: {errors.read_text()[-800:]}")
        ended = [event for event in self.events() if event["event"] == "step"]
        self.steps = {event["step"] for event in ended}
        self.start = ended[0]["time_ms"] / 1e3 - began
        self.seconds = statistics.median(event["seconds"] for event in ended[1:])
        self.delays = [min(event["time_ms"] / 1e3 - death for event in ended if event["time_ms"] / 1e3 > death)
                       for death in self.deaths]
        return self

    def values(self):
        return (self.place / "w.safetensors").read_bytes()


def fit(points):
    """Coefficients of y = a + b x + c x^2, by least squares of the relative error."""
    rows = [[x ** k / y for k in range(3)] + [1.0] for x, y in points]
    matrix = [[sum(row[i] * row[j] for row in rows) for j in range(4)] for i in range(3)]
    for i in range(3):
        pivot = max(range(i, 3), key=lambda r: abs(matrix[r][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for r in range(3):
            if r != i:
                factor = matrix[r][i] / matrix[i][i]
                matrix[r] = [one - factor * other for one, other in zip(matrix[r], matrix[i])]
    return [matrix[i][3] / matrix[i][i] for i in range(3)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, nargs="+", default=[32, 128, 512, 1024])
    for name, value, what in (("per-process", 16, "ranks of a process"), ("steps", 100, "of each training"),
                              ("kill", 8, "processes of the last training"), ("timeout", 120, "seconds of an exchange"),
                              ("limit", 900, "seconds of a training"),
                              ("largest", 65536, "ranks for which the fits are evaluated")):
        parser.add_argument(f"--{name}", type=int, default=value, help=f"{what}; default: {value}")
    parser.add_argument("--without-threads", action="store_true", help="do not compare with threads of one process")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    alone, rows = can_be_alone(), []
    with tempfile.TemporaryDirectory(prefix="scale") as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, INPUTS / "make_data.py", "recording", STEP.with_suffix(".npz"), STEP, folder,
                        str(16 * max(options.ranks))], check=True)
        print("| ranks | processes | start, s | step, ms | memory, MiB | a process | store, MB | bits "
              "|\n|---|---|---|---|---|---|---|---|", flush=True)
        for ranks in options.ranks:
            processes = -(-ranks // options.per_process)
            words = ["--launch", processes, "--backend", "tcp"] if processes > 1 else []
            one = Training(options, folder, f"ranks-{ranks}", ranks, words, alone).run()
            bits = "-"
            if not options.without_threads:
                threads = Training(options, folder, f"threads-{ranks}", ranks, []).run()
                bits = "=" if threads.values() == one.values() else "DIFFERENT"
            rows.append({"ranks": ranks, "processes": processes, "start_s": one.start, "step_ms": 1e3 * one.seconds,
                         "memory_mib": sum(one.memory), "process_mib": max(one.memory, default=0),
                         "store_mb": (one.bytes or 0) / 1e6, "bits": bits})
            row = rows[-1]
            print(f"| {ranks} | {processes} | {row['start_s']:.2f} | {row['step_ms']:.1f} | "
                  f"{row['memory_mib']:.0f} | {row['process_mib']:.0f} | "
                  f"{row['store_mb']:.2f} | {bits} |", flush=True)
        wrong = any(row["bits"] == "DIFFERENT" for row in rows)
        if options.kill:
            ranks, processes = rows[-1]["ranks"], rows[-1]["processes"]
            killed = Training(options, folder, "killed", ranks,
                              ["--launch", processes, "--backend", "tcp", "--min-processes", processes - options.kill],
                              alone, options.kill).run()
            same = killed.values() == one.values()
            lost = options.steps - len(killed.steps)
            wrong |= not same or lost > 0 or len(killed.deaths) < options.kill
            print(f"{len(killed.deaths)} of {processes} processes killed: {lost} of {options.steps} steps lost, bits "
                  f"{'equal' if same else 'DIFFERENT'}, {statistics.median(killed.delays):.1f} s from a death to the "
                  f"end of the next step (at most {max(killed.delays):.1f}), start {killed.start:.2f} s, step "
                  f"{1e3 * killed.seconds:.1f} ms", flush=True)
            rows.append({"killed": len(killed.deaths), "lost_steps": lost, "equal": same, "delays_s": killed.delays,
                         "start_s": killed.start, "step_ms": 1e3 * killed.seconds})
    for key, unit in (("start_s", "s"), ("store_mb", "MB")):
        points = [(row["processes"], row[key]) for row in rows if row.get(key) and row.get("processes", 1) > 1]
        if len(points) > 2:
            factors = fit(points)
            largest = options.largest / options.per_process
            value = sum(factor * largest ** k for k, factor in enumerate(factors))
            print(f"{key}: {factors[0]:.2g} + {factors[1]:.2g} P + {factors[2]:.2g} P^2; {options.largest} ranks: "
                  f"{value:.0f} {unit}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(wrong)


main()
