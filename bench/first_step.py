#!/usr/bin/env python3
"""Compile time of real models: ds on 2 ranks beside torch.compile's and JAX's first step, without kept results and with
those of the run before.

    bench/first_step.py [--only NAME..] [--rounds 1] [--json FILE] [--without SYSTEM..] [--reuse]

Models and what is fair are those of bench/models.py. Each system starts in a process of its own, cold with an empty
cache of its own and then warm with what the cold one has left there, and no two at once. Printed are seconds, the
fewest of the rounds:

    export      ds.torch.export, import of PyTorch and the check of what it captured included; the step is a file
                afterwards
    ds          reading, compiling and loading that file (build/bin/step_bench, DS_CACHE_DIR)
    compile     torch.compile: its first step (TORCHINDUCTOR_CACHE_DIR)
    jax         JAX: lower and compile (JAX_COMPILATION_CACHE_DIR), of the models that models_jax.py has

`of best`: ds's compiling over the fewest seconds of the others, cold and warm.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import models
from peer import Peer, PeerError

ROOT = models.ROOT


class FirstSteps(models.Bench):
    """What models.py starts, but each process for itself and with a cache of ours."""

    def first(self, system, name, cache):
        """Seconds until the process has made its first step ready."""
        threads = self.options.ranks
        kept = {"TORCHINDUCTOR_CACHE_DIR": f"{cache}/inductor", "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
                "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
                "TRITON_CACHE_DIR": f"{cache}/triton", "JAX_COMPILATION_CACHE_DIR": f"{cache}/jax",
                "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
                "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1", "DS_CACHE_DIR": f"{cache}/ds"}
        if system == "jax":
            command = [self.python["jax"], ROOT / "bench/jax_model_blocks.py", name]
        elif system == "compile":
            command = [self.python["torch"], ROOT / "bench/torch_blocks.py", "compile", name]
        else:
            step = self.options.out / f"{name}.mlir"
            command, threads = [self.options.build / "bin/step_bench", step, step.with_suffix(".npz"),
                                self.options.ranks], 1
        peer = Peer(command, self.environment(threads) | kept, log=self.log)
        peer.close()
        return peer.first["compile_s"]

    def measure(self, name):
        row = {"model": name, "export_s": self.export(name)["export_s"]}
        has_jax = self.python["jax"] and name in models.IN_JAX
        systems = [system for system in ("ds", "compile", "jax") if system not in self.options.without
                   and (system != "jax" or has_jax)]
        for _ in range(self.options.rounds):
            with tempfile.TemporaryDirectory() as cache:
                for how in ("cold", "warm"):
                    for system in systems:
                        models.say(f"{name}: {system}, {how}", end="")
                        seconds = self.first(system, name, cache)
                        key = f"{system}_{how}_s"
                        row[key] = min(seconds, row.get(key, seconds))
        others = lambda how: [row[f"{system}_{how}_s"] for system in ("compile", "jax") if f"{system}_{how}_s" in row]
        for how in ("cold", "warm"):
            if others(how) and f"ds_{how}_s" in row:
                row[f"of_best_{how}"] = row[f"ds_{how}_s"] / min(others(how))
        if "of_best_cold" in row:
            row["with_export_cold"] = (row["export_s"] + row["ds_cold_s"]) / min(others("cold"))
        return row


COLUMNS = {"export": "export_s", "ds": "ds_cold_s", "ds warm": "ds_warm_s", "compile": "compile_cold_s",
           "compile warm": "compile_warm_s", "jax": "jax_cold_s", "jax warm": "jax_warm_s", "of best": "of_best_cold",
           "with export": "with_export_cold",
           "of best warm": "of_best_warm"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = models.TEN + models.MORE
    parser.add_argument("--only", nargs="+", metavar="NAME", default=models.TEN, choices=known,
                        help=f"of {', '.join(known)}; default: the first ten")
    parser.add_argument("--without", nargs="+", metavar="SYSTEM", default=(), choices=("ds", "compile", "jax"),
                        help="leave out some systems")
    parser.add_argument("--rounds", type=int, default=1, help="cold and warm starts of each system")
    parser.add_argument("--ranks", type=int, default=2, help="ranks of ds, threads of the others")
    parser.add_argument("--reuse", action="store_true", help="take steps that an earlier run, or one of models.py, has "
                        "exported")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="gets the rows, after each model")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--out", type=pathlib.Path, help="folder for exported steps; default: build/bench/models")
    options = parser.parse_args()
    options.quick, options.build = False, options.build.resolve()
    options.out = (options.out or options.build / "bench/models").resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse()
    bench, rows = FirstSteps(options), []
    print(f"{'model':14}" + "".join(f"{name:>14}" for name in COLUMNS), flush=True)
    for name in options.only:
        try:
            row = bench.measure(name)
        except PeerError as error:
            sys.exit(f"error: {name}: {error}; what it said is in {bench.log.name}")
        rows.append(row)
        print(f"{name:14}" + "".join(f"{row[key]:14.2f}" if key in row else f"{'-':>14}" for key in COLUMNS.values()),
              flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
