#!/usr/bin/env python3
"""The parts of a GPU session that run steps. One JSON line for each thing that was measured, as soon as it is.

    measure.py PART FOLDER [--seconds S] [--ds-run FILE] [--small]

recordings   the recorded steps as calls and as a graph, on 1, 2 and 4 ranks of one GPU: equal, and how many results
             have the bits that the tests' GPU gave
programs     random programs, compared with what a CPU computed
schemes      GB/s of one kernel each, beside a copy by PyTorch
steps        ms of the four steps, beside torch.compile with CUDA graphs and JAX, taking turns; in single precision and
             with TF32 products
sanitizer    memcheck, racecheck and initcheck of compute-sanitizer over recordings

FOLDER is what pack.py has made. A part ends after S seconds (300) with what it has. Ends with 1 if a result is
different or a system fails.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import numpy as np

import networks
import schemes
from peer import Peer, PeerError

RECORDINGS = ("jax_mlp_sgd", "jax_mlp_momentum_wd", "jax_cnn_adam", "jax_gpt_adamw_clip", "jax_resnet_bn_momentum",
              "torch_mlp_sgd")
ONE_RANK = "batch=global,device_num=1"  # programs of ds-fuzz are written for more
PEERS = ("ds", "compile", "graph", "jax")
ROUNDS, BLOCK_MS = 7, 200


class Session:
    def __init__(self, options):
        self.options, self.end, self.failed = options, time.monotonic() + options.seconds, False

    def tell(self, **row):
        self.failed |= row.get("passed") is False
        print(json.dumps(row), flush=True)

    def is_over(self, part):
        over = time.monotonic() > self.end
        if over:
            self.tell(part=part, cut=f"after {self.options.seconds} s")
        return over

    def ds_run(self, *arguments, before=()):
        """(exit code, JSON lines, last words)."""
        done = subprocess.run([*before, self.options.ds_run, *map(str, arguments), "--device", "cuda", "--json"],
                              capture_output=True, text=True,
                              timeout=max(10, self.end - time.monotonic()))
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return done.returncode, lines, (done.stderr.strip().splitlines() or [""])[-1][:300]

    def replay(self, step, *arguments, config="batch=global", before=()):
        code, lines, words = self.ds_run(step, "--config", config, "--replay", step.with_suffix(".npz"), *arguments,
                                         before=before)
        found = next((line for line in lines if line["event"] == "replay"), {})
        return code == 0 and found.get("equal", False), found.get("scaled"), words

    def recordings(self):
        folder = self.options.folder / "recordings"
        small = self.options.small
        for name in RECORDINGS[:2] if small else RECORDINGS:
            for ranks in (1, 2) if small else (1, 2, 4):
                for mode in ("graph", "calls"):
                    if self.is_over("recordings"):
                        return
                    results = pathlib.Path(f"/tmp/{name}.{ranks}.{mode}.npz")
                    equal, scaled, words = self.replay(folder / f"{name}.mlir", "--ranks", ranks, "--dump-results",
                                                       results, *["--no-graph"] * (mode == "calls"))
                    row = {"part": "recordings", "step": name, "ranks": ranks, "mode": mode, "passed": equal,
                           "error_of_tolerance": scaled}
                    if equal and ranks == 1:
                        row |= self.same_bits(results, folder / f"{name}.results.npz")
                    self.tell(**row, **({} if equal else {"last": words}))
                    results.unlink(missing_ok=True)

    @staticmethod
    def same_bits(here, there):
        here, there = np.load(here), np.load(there)
        return {"results": len(there.files), "same_bits": sum(here[name].tobytes() == there[name].tobytes()
                                                              for name in there.files)}

    def programs(self):
        equal, found, refused = 0, [], {}
        for step in sorted((self.options.folder / "programs").glob("*.mlir"), key=lambda path: int(path.stem)):
            if time.monotonic() > self.end:
                break
            passed, _, words = self.replay(step, config=ONE_RANK)
            equal += passed
            if not passed and "DIFFERENT" not in words and "error:" in words:
                refused[step.stem] = words
            elif not passed:
                found.append(step.stem)
        self.tell(part="programs", passed=equal > 0 and not found, equal=equal, different=found, refused=len(refused),
                  reasons=sorted(set(refused.values()))[:5])

    def schemes(self):
        copy = self.copy_bandwidth()
        np.save("/tmp/scheme_x.npy", np.zeros(8, np.float32))
        for step in sorted((self.options.folder / "schemes").glob("*.mlir"),
                           key=lambda path: (path.stem.split(".")[0], int(path.stem.split(".")[1]))):
            if self.is_over("schemes"):
                return
            name, size = step.stem.split(".")
            code, lines, words = self.ds_run(step, "--data", "x=/tmp/scheme_x.npy", "--steps", 20, "--profile=table")
            calls = next((line["operations"] for line in lines if line["event"] == "operations"), [])
            row = {"part": "schemes", "scheme": name, "mib": int(size), "passed": code == 0 and bool(calls)}
            if row["passed"]:
                elements = schemes.elements_of(int(size), self.options.small)
                microseconds = sum(call["ms"] / call["calls"] for call in calls) * 1e3
                row |= {"kernels": len(calls), "us": round(microseconds, 2),
                        "gb_per_s": round(schemes.BYTES[name] * elements / microseconds / 1e3, 1)}
                row |= {"of_copy": round(row["gb_per_s"] / copy, 3)} if copy else {}
            self.tell(**row, **({} if row["passed"] else {"last": words}))

    def copy_bandwidth(self):
        """GB/s of a copy on the device, read and written bytes together; None where there is no PyTorch with a GPU."""
        done = subprocess.run([sys.executable, "-c", COPY], capture_output=True, text=True)
        found = float(done.stdout) if done.returncode == 0 else None
        self.tell(part="schemes", copy_gb_per_s=found,
                  **({} if found else {"skipped": (done.stderr.strip().splitlines() or ["?"])[-1][:200]}))
        return found

    def steps(self):
        for precision in ("ieee", "tf32"):
            for name in networks.ALL:
                if self.is_over("steps"):
                    return
                self.beside_each_other(name, precision)

    def beside_each_other(self, name, precision):
        row = {"part": "steps", "step": name, "precision": precision}
        more = ["--device", "cpu", "--small"] if self.options.small else ["--device", "cuda"]
        with concurrent.futures.ThreadPoolExecutor() as pool:  # they compile side by side, and are timed in turn
            started = dict(zip(PEERS, pool.map(lambda system: self.start(system, name, "--precision", precision, *more),
                                               PEERS)))
        row |= {f"{system}_failed": peer for system, peer in started.items() if isinstance(peer, str)}
        peers = {system: peer for system, peer in started.items() if not isinstance(peer, str)}
        for peer in peers.values():
            peer.calibrate(BLOCK_MS if not self.options.small else 0.01)
        for _ in range(ROUNDS if not self.options.small else 1):
            for peer in peers.values():
                peer.times.append(peer.block())
        for peer in peers.values():
            peer.close()
        best = {system: min(peer.times) for system, peer in peers.items()}
        row |= {f"{system}_ms": round(ms, 4) for system, ms in best.items()}
        row |= {f"{system}_loss": peer.losses[0] for system, peer in peers.items()}
        others = [ms for system, ms in best.items() if system != "ds"]
        row["passed"] = "ds" in best
        if others and "ds" in best:
            row["of_best"] = round(best["ds"] / min(others), 3)
            row["paired"] = round(statistics.median(mine / min(theirs)
                                                    for mine, *theirs in zip(peers["ds"].times,
                                                                             *(p.times for s, p in peers.items()
                                                                               if s != "ds"))), 3)
        self.tell(**row)

    def start(self, system, name, *options):
        """A process that has compiled, or the last words of one that has failed."""
        device = ["--device", "cuda"] if system == "ds" else []
        with tempfile.TemporaryFile("w+") as log:
            try:
                return Peer([sys.executable, HERE / "blocks.py", system, name, "--steps", self.options.folder / "steps",
                             *options, *device], {}, log=log)
            except PeerError:
                log.seek(0)
                return (log.read().strip().splitlines() or ["?"])[-1][:300]

    def sanitizer(self):
        for tool in ("memcheck", "racecheck", "initcheck"):
            for name in ("jax_mlp_momentum_wd", "jax_gpt_adamw_clip"):
                if self.is_over("sanitizer"):
                    return
                step = self.options.folder / "recordings" / f"{name}.mlir"
                before = ["compute-sanitizer", "--tool", tool, "--report-api-errors", "no", "--error-exitcode", "9"]
                try:
                    equal, _, words = self.replay(step, "--no-graph", before=before)
                except FileNotFoundError:
                    self.tell(part="sanitizer", skipped="compute-sanitizer is not installed")
                    return
                self.tell(part="sanitizer", tool=tool, step=name, passed=equal, **({} if equal else {"last": words}))


COPY = """
import torch
a = torch.empty(1 << 28, dtype=torch.float32, device="cuda"); b = torch.empty_like(a)
best = 1e9
for _ in range(12):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record(); b.copy_(a); end.record(); torch.cuda.synchronize(); best = min(best, begin.elapsed_time(end))
print(2 * 4 * a.numel() / best / 1e6)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("recordings", "programs", "schemes", "steps", "sanitizer"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--ds-run", default=os.environ.get("DS_RUN", "ds-run"))
    parser.add_argument("--small", action="store_true", help="of a folder that pack.py --small made, with a GPU of the "
                        "tests")
    options = parser.parse_args()
    session = Session(options)
    try:
        getattr(session, options.part)()
    except subprocess.TimeoutExpired:
        session.tell(part=options.part, cut=f"after {options.seconds} s")
    return session.failed


if __name__ == "__main__":
    sys.exit(main())
