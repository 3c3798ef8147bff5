#!/usr/bin/env python3
"""Packs what a GPU session needs into a folder that travels to the machine with the GPU, which has neither ds nor a
compiler.

    build/venv/bin/python bench/gpu/pack.py --build build --wheel dist/dstep-*.whl [--out build/gpu] [--programs 200]
    [--small]

The folder holds the wheel, dsrt-cts and allreduce_bench, the recordings of test/Run, the four steps of networks.py,
those of schemes.py, random programs of ds-fuzz with what a CPU computes, and the results of the recordings on the
tests' GPU. Ends with 1 if it is larger than 50 MiB. Then, there: bench/gpu_session build/gpu OUT. --small makes the
steps of the test, which need no GPU.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(pathlib.Path(__file__).resolve().parent)]
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np

import networks
import schemes
from measure import ONE_RANK, RECORDINGS

MIBIBYTES = (4, 16, 64, 256)  # of a scheme's matrix
MOST = 50 << 20


def export_networks(out, small):
    import jax

    import dstep as ds
    for name, network in (networks.SMALL if small else networks.ALL).items():
        step, state = networks.jax_step(network)
        params, batch = networks.parameters(network), networks.data(network)
        made = ds.jax.export(step, (params, jax.jit(state)(params), batch), params=0, state=1, batch=2,
                             init=lambda *_: "zeros")
        (out / f"{name}.mlir").write_text(made.mlir)


def export_schemes(out, small):
    import dstep as ds
    for name, step in schemes.all_schemes().items():
        for size in (1,) if small else MIBIBYTES:
            made = ds.jax.export(step, schemes.arguments(name, schemes.elements_of(size, small)), params=0, state=1,
                                 batch=2, init=lambda *_: "zeros")
            (out / f"{name}.{size}.mlir").write_text(made.mlir)


def record(text, path):
    """Runs a program twice on this CPU, and writes what it was given and computed as ds-run --replay reads it."""
    from dstep.session import native
    with warnings.catch_warnings(action="ignore"):  # of keys that say nothing to one rank
        instance = native.Instance(native.Program(text, ONE_RANK), 1)
    draw, arrays = np.random.default_rng(0), {}
    for step in (1, 2):
        for slot, argument in enumerate(instance.arguments):
            if step == 1 or argument["role"] not in ("param", "state"):
                kind = instance.dtype(slot)
                shape = argument["global_shape"]
                value = (0.5 * draw.standard_normal(shape)).astype(kind) if kind.kind not in "iub" else draw.integers(0,
                                                                                                                      2,
                                                                                                                      shape).astype(kind)
                arrays[f"step{step}_arg{slot}"] = value
                instance.write(slot, value)
        instance.run({})
        for k in range(len(instance.results)):
            arrays[f"step{step}_res{k}"] = instance.result(k)
    if all(np.isfinite(value.astype(np.float64)).all() for value in arrays.values()):
        np.savez_compressed(path, **arrays)


def write_programs(out, build, count):
    for seed in range(1, count + 1):
        text = subprocess.run([build / "bin/ds-fuzz", "--print", "--seed", str(seed)], capture_output=True, text=True,
                              check=True).stdout
        if len(text) > 100_000:
            continue
        record(text, out / f"{seed}.npz")
        if (out / f"{seed}.npz").exists():
            (out / f"{seed}.mlir").write_text(text)


def write_results(out, build, names):
    """What the tests' GPU computes: the bits that a device is compared with."""
    fakes = build / "runtime/test/fakes"
    there = {f"DS_{kind}_LIBRARY": str(fakes / f"libfake_{kind.lower()}.so") for kind in ("CUDA", "CUBLASLT", "CUDNN")}
    for name in names:
        subprocess.run([build / "bin/ds-run", out / f"{name}.mlir", "--device", "cuda", "--config", "batch=global",
                        "--replay", out / f"{name}.npz",
                        "--dump-results", out / f"{name}.results.npz"], env=os.environ | there, check=True,
                       stdout=subprocess.PIPE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--wheel", type=pathlib.Path, help="made by scripts/build-wheel; without it the session needs "
                        "ds there")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/gpu")
    parser.add_argument("--programs", type=int, default=200, help="seeds of random programs; those that are long or "
                        "overflow are left out")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    out = options.out
    shutil.rmtree(out, ignore_errors=True)
    for folder in ("bin", "steps", "schemes", "programs", "recordings"):
        (out / folder).mkdir(parents=True)
    for program in ("dsrt-cts", "allreduce_bench"):
        subprocess.run(["strip", "-o", out / "bin" / program, options.build / "bin" / program], check=True)
    if options.wheel:
        shutil.copy(options.wheel, out)
    for name in RECORDINGS:
        for kind in (".mlir", ".npz"):
            shutil.copy(ROOT / "test/Run/Inputs" / f"{name}{kind}", out / "recordings")
    os.environ.setdefault("DS_RUN", str(options.build.resolve() / "bin/ds-run"))
    export_networks(out / "steps", options.small)
    export_schemes(out / "schemes", options.small)
    write_programs(out / "programs", options.build, options.programs)
    write_results(out / "recordings", options.build, RECORDINGS[:2] if options.small else RECORDINGS)
    total = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {total / 2**20:.1f} MiB, {len(list((out / 'programs').glob('*.mlir')))} programs")
    if total > MOST:
        sys.exit(f"error: {out} has {total} bytes, expected at most {MOST}")


if __name__ == "__main__":
    main()
