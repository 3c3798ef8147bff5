#!/usr/bin/env python3
"""Step time, memory and compile time of real models: ds on 2 ranks beside PyTorch and JAX, taking turns block by block.

    bench/models.py [--only NAME.. | --large] [--rounds 5] [--keys KEY=VALUE,..] [--json FILE] [--without SYSTEM..] [--quick] [--reuse]

Systems, each on all the cores of the run (--ranks, default 2):
    ds        --ranks threads of one process, batch=global
    keys      the same with the keys of --keys, so that a key's ratio is measured in one run; no peer
    torch     PyTorch, one process of as many threads
    ddp       PyTorch's DistributedDataParallel over gloo, --ranks processes of one thread
    compile   torch.compile, one process of as many threads
    jax       one process; of the models that models_jax.py has
    iree      one process: IREE compiles the step that ds exports, where it does and where its packages are (ctest -R python.install_compilers)

All of them live during the run of a model. A round lets each of them time one block of steps (--block-ms, at least one step); the fastest block
counts, since a shared machine only ever adds time. `of ds` is the fastest with --keys over that without; `of best` ds's fastest over that of the fastest peer; `paired` the median of that ratio
taken within each round, which a machine that changes its speed disturbs least. `of sgemm` is ds's fastest over the time in which the matrix product
of that run would do the FLOP of the step's products and convolutions (counted by PyTorch; of an LSTM it counts none). Memory is the largest resident set of all of a system's processes,
compiling included. Compile time of ds is its export, in which a process starts and imports PyTorch, and the compilation; that of torch.compile its
first step; that of JAX tracing and compiling. --quick takes the small configurations of the zoo, one round of one step: whether everything runs,
not how fast. Packages are those of the tests (build/venv, build/venv-torch; DS_ZOO_VENVS="A:B" names others); exit status 77 if they are missing.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

from peer import BLOCK_MS, Peer, PeerError

ROOT = pathlib.Path(__file__).resolve().parent.parent
SGEMM_ROWS = 2048
SYSTEMS = ("ds", "keys", "torch", "ddp", "compile", "jax", "iree")
LEFT_OUT = SYSTEMS[2:] + ("sgemm",)
TEN = ("resnet18", "resnet50", "mobilenet_v3", "densenet", "convnext", "vit", "gpt2", "llama", "bert", "lstm")
MORE = ("mlp", "gpt", "cnn")
LARGE = ("gpt_s128", "gpt_s512", "gpt_s1024", "gpt2_124m", "bert_base", "vit_b16", "resnet50_224", "lstm_1024", "dlrm")
IN_JAX = {"resnet18", "resnet50", "gpt2", "lstm", "mlp", "gpt", "cnn", "gpt_s128", "gpt_s512", "gpt_s1024", "gpt2_124m", "resnet50_224", "lstm_1024"}
# How far a system's first loss may lie from PyTorch's: models that draw masks draw others in each system, and batch statistics are those of
# half a batch under DDP, of which each rank has its own; JAX starts from other values.
EXACT = {"resnet18", "resnet50", "densenet", "llama", "mlp", "gpt", "cnn", "resnet50_224", "dlrm", *LARGE[:3]}
STATISTICS = {"resnet18", "resnet50", "mobilenet_v3", "densenet", "resnet50_224"}
IREE_REFUSES = 3  # the status of iree_blocks.py where iree-compile fails
LOSS_EXACT, LOSS_MASKS, LOSS_APART = 1e-3, 0.1, 0.3


def say(text, end="\n"):
    """Progress, apart from the table; a line that is being rewritten only on a terminal."""
    if end == "\n" or sys.stderr.isatty():
        print(f"\r\033[K{text}" if sys.stderr.isatty() else text, end=end, file=sys.stderr, flush=True)


class Bench:
    def __init__(self, options):
        self.options, self.threads = options, str(options.ranks)
        venvs = os.environ.get("DS_ZOO_VENVS", f"{ROOT}/build/venv:{ROOT}/build/venv-torch").split(":")
        ready = [pathlib.Path(venv) for venv in venvs if pathlib.Path(venv, "ready").exists()]
        self.python = {framework: next((venv / "bin/python" for venv in ready if any(venv.glob(f"lib/python*/site-packages/{framework}/"))), None)
                       for framework in ("torch", "jax")}
        if not self.python["torch"]:
            print(f"skipped: {' and '.join(venvs)} hold no PyTorch (ctest -R python.install makes them from the package index)")
            sys.exit(77)
        self.log = open(options.out / "models.log", "w")

    def environment(self, threads):
        # Threads that spin at barriers take the cores from the system whose turn it is.
        return {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive", "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(ROOT / "python"),
                "PYTHONWARNINGS": "ignore"}

    def torch(self, *arguments, threads=1):
        small = ["--small"] if self.options.quick else []
        return Peer([self.python["torch"], ROOT / "bench/torch_blocks.py", *arguments, *small], self.environment(threads), log=self.log)

    def export(self, name):
        """What exporting took; kept beside the step."""
        taken, folder = self.options.out / f"{name}.took.json", self.options.out
        if self.options.reuse and taken.exists():
            return json.loads(taken.read_text())
        peer = self.torch("export", name, folder)
        peer.close()
        taken.write_text(json.dumps(peer.first))
        return peer.first

    def start(self, system, name):
        ranks = self.options.ranks
        if system in ("ds", "keys"):
            keys = [self.options.keys] if system == "keys" else []
            step = self.options.out / f"{name}.mlir"
            return Peer([self.options.build / "bin/step_bench", step, step.with_suffix(".npz"), ranks, *keys], self.environment(1), log=self.log)
        if system == "jax":
            return Peer([self.python["jax"], ROOT / "bench/jax_model_blocks.py", name], self.environment(ranks), log=self.log)
        if system == "iree":
            step = self.options.out / f"{name}.mlir"
            return Peer([self.python["torch"], ROOT / "bench/iree_blocks.py", self.options.build / "bin/ds-opt", step, ranks], self.environment(ranks), log=self.log)
        if system == "ddp":
            return self.torch("ddp", name, ranks)
        if system == "sgemm":
            return self.torch("sgemm", str(SGEMM_ROWS), threads=ranks)
        return self.torch("eager" if system == "torch" else system, name, threads=ranks)

    def systems(self, name):
        # JAX's models have one size, which is not the zoo's.
        jax = self.python["jax"] and name in IN_JAX and not (self.options.quick and name in TEN + LARGE)
        there = {"keys": bool(self.options.keys), "jax": jax, "iree": (self.python["torch"].parents[1] / "compilers-ready").exists()}
        return [s for s in SYSTEMS + ("sgemm",) if s not in self.options.without and there.get(s, True)]

    def measure(self, name):
        say(f"{name}: exporting", end="")
        exported, peers = self.export(name), {}
        try:
            for system in self.systems(name):
                say(f"{name}: {system} compiles and runs its first steps", end="")
                try:
                    peers[system] = self.start(system, name)
                except PeerError as error:
                    if system != "iree" or error.status != IREE_REFUSES:
                        raise
                    say(f"{name}: IREE does not compile the step; why is in {self.log.name}")
                    continue
                if not self.options.quick:
                    peers[system].calibrate(self.options.block_ms)
            self.check(name, peers)
            for number in range(1, self.options.rounds + 1):
                for peer in peers.values():
                    peer.times.append(peer.block())
                say(f"{name}: round {number} of {self.options.rounds}: "
                    + ", ".join(f"{system} {peer.times[-1]:.1f}" for system, peer in peers.items()) + " ms")
        finally:
            for peer in peers.values():
                peer.close()
        return self.row(name, exported, peers)

    def check(self, name, peers):
        """The systems train the same network, as their first losses show."""
        expected = peers["torch" if "torch" in peers else "ds"].first["loss"]
        for system, peer in peers.items():
            if system == "sgemm":
                continue
            apart = system == "jax" or system == "ddp" and name in STATISTICS
            loss, tolerance = peer.first["loss"], LOSS_APART if apart else LOSS_EXACT if name in EXACT else LOSS_MASKS
            if not math.isclose(loss, expected, rel_tol=tolerance):
                sys.exit(f"error: {name}: the first loss of '{system}' is {loss:.5g}, expected {expected:.5g} within {tolerance:.1%}")

    @staticmethod
    def row(name, exported, peers):
        best = {system: min(peer.times) for system, peer in peers.items()}
        product = best.pop("sgemm", None)
        row = {"model": name, "parameters": exported["parameters"], "export_s": exported["export_s"], "export_mib": exported["peak_mib"]}
        if product and exported.get("flop"):
            row["flop"], row["sgemm_gflop_per_s"] = exported["flop"], 2e-6 * SGEMM_ROWS ** 3 / product
            row["of_sgemm"] = best["ds"] / (row["flop"] / row["sgemm_gflop_per_s"] * 1e-6)
        for system in best:
            peer = peers[system]
            row[system] = {"ms": best[system], "median_ms": statistics.median(peer.times), "steps_per_block": peer.steps, "peak_mib": peer.last["peak_mib"],
                           "compile_s": peer.first["compile_s"], "first_loss": peer.first["loss"]}
        if "keys" in best:
            row["of_ds"] = best["keys"] / best["ds"]
        others = [system for system in best if system not in ("ds", "keys")]
        if others:
            row["best_peer"] = min(others, key=best.get)
            row["of_best"] = best["ds"] / best[row["best_peer"]]
            row["paired"] = statistics.median(mine / min(theirs) for mine, *theirs in zip(peers["ds"].times, *(peers[s].times for s in others)))
        return row


HEAD = "".join(f"{system + ' ms':>11}" for system in SYSTEMS) + f"{'of ds':>7}{'of best':>9}{'paired':>8}{'of sgemm':>10}"
MEMORY = "".join(f"{system + ' MiB':>12}" for system in SYSTEMS)
COMPILE = f"{'ds export s':>13}{'ds s':>7}{'compile s':>11}{'jax s':>7}{'iree s':>8}"


def times(row):
    cells = "".join(f"{row[s]['ms']:11.2f}" if s in row else f"{'-':>11}" for s in SYSTEMS)
    cells += f"{row['of_ds']:7.2f}" if "of_ds" in row else f"{'-':>7}"
    cells += f"{row['of_best']:9.2f}{row['paired']:8.2f}" if "best_peer" in row else f"{'-':>9}{'-':>8}"
    return cells + (f"{row['of_sgemm']:10.2f}" if "of_sgemm" in row else f"{'-':>10}")


def memory(row):
    return "".join(f"{row[s]['peak_mib']:12.0f}" if s in row else f"{'-':>12}" for s in SYSTEMS)


def compile_times(row):
    cell = lambda system, width: f"{row[system]['compile_s']:{width}.1f}" if system in row else f"{'-':>{width}}"
    return f"{row['export_s']:13.1f}{cell('ds', 7)}{cell('compile', 11)}{cell('jax', 7)}{cell('iree', 8)}"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"of {', '.join(TEN + MORE + LARGE)}; default: the first ten")
    parser.add_argument("--large", action="store_true", help=f"the models of sizes that people train: {', '.join(LARGE)}; their systems need up to 20 GiB together")
    parser.add_argument("--without", nargs="+", metavar="SYSTEM", default=(), help=f"leave out some of {', '.join(LEFT_OUT)}")
    parser.add_argument("--rounds", type=int, help="timed blocks of each system; default: 5")
    parser.add_argument("--block-ms", type=float, default=BLOCK_MS, help=f"how long a block takes at least; default: {BLOCK_MS}")
    parser.add_argument("--ranks", type=int, default=2, help="ranks of ds and DDP, threads of the others; default: 2")
    parser.add_argument("--quick", action="store_true", help="small configurations, one round of one step: not timed")
    parser.add_argument("--keys", metavar="KEY=VALUE,..", help="keys of the configuration with which ds runs a second time, as attention=blocked")
    parser.add_argument("--reuse", action="store_true", help="take steps that an earlier run has exported")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="gets the rows, after each model")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--out", type=pathlib.Path, help="folder for exported steps; default: build/bench/models")
    options = parser.parse_args()
    options.only = options.only or (LARGE if options.large else TEN)
    for what, given, known in (("model", options.only, TEN + MORE + LARGE), ("system", options.without, LEFT_OUT)):
        if unknown := [name for name in given if name not in known]:
            parser.error(f"unknown {what} '{unknown[0]}', expected one of {', '.join(known)}")
    cores = sorted(os.sched_getaffinity(0))
    if not 1 <= options.ranks <= len(cores):
        parser.error(f"--ranks is {options.ranks}, expected 1 to {len(cores)}: each rank has a core of its own")
    os.sched_setaffinity(0, cores[:options.ranks])
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.build = options.build.resolve()
    options.out = (options.out or options.build / "bench" / ("quick" if options.quick else "models")).resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse()
    bench, rows = Bench(options), []
    print(f"{'model':14}{HEAD}{MEMORY}{COMPILE}", flush=True)
    for name in options.only:
        try:
            row = bench.measure(name)
        except PeerError as error:
            sys.exit(f"error: {name}: {error}; what it said is in {bench.log.name}")
        rows.append(row)
        print(f"{name:14}{times(row)}{memory(row)}{compile_times(row)}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
