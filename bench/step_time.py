#!/usr/bin/env python3
"""Step time of ds against JAX, one thread each on the same core, taking turns block by block.

    bench/step_time.py [--build build] [--out build/bench] [--core N] [--blocks 30] [NAME..]

Prints a table and writes step_time.json. JAX lives in .venv-bench, made on the first run. The steps are those of
bench/export.py: the same weights and batch for both, and the loss after every block is compared, so that both are known to
train the same network. `min` compares the fastest blocks, since a shared machine only ever adds time; `paired` is the median
ratio of neighbouring blocks, which a machine that changes its speed between them disturbs least.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

from peer import Peer, PeerError

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ("mlp_sgd", "mlp_momentum_wd", "cnn_adam", "gpt_adamw_clip", "resnet_bn_momentum")
PACKAGES = ("jax==0.10.2", "jaxlib==0.10.2", "flax==0.12.8", "optax==0.2.8")


def jax_python():
    """The interpreter of .venv-bench, made if it is missing."""
    python = ROOT / ".venv-bench/bin/python"
    if not python.exists() or subprocess.run([python, "-c", "import flax, jax, optax"], capture_output=True).returncode:
        print("making .venv-bench with JAX", flush=True)
        subprocess.run([sys.executable, "-m", "venv", ROOT / ".venv-bench"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def measure(name, options, python):
    step = options.out / f"{name}.mlir"
    one_thread = {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "python"), "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    if not step.exists():
        subprocess.run([python, ROOT / "bench/export.py", "--out", options.out, name], check=True,
                       env=os.environ | one_thread)
    prefix = ("taskset", "-c", str(options.core))
    ours = Peer([options.build / "bin/step_bench", step, step.with_suffix(".npz")], one_thread, prefix)
    jax = Peer([python, ROOT / "bench/jax_blocks.py", name], one_thread, prefix)
    for peer in (ours, jax):
        peer.calibrate()
    if any(not math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-4) for a, b in zip(ours.losses, jax.losses)):
        sys.exit(f"error: {name}: the losses of the first steps differ, ds {ours.losses}, JAX {jax.losses}")
    for _ in range(options.blocks):
        for peer in (ours, jax):
            peer.times.append(peer.block())
    for peer in (ours, jax):
        peer.close()
    row = {"step": name, "ratio": min(ours.times) / min(jax.times),
           "ratio_paired": statistics.median(a / b for a, b in zip(ours.times, jax.times))}
    for key, peer in (("ds", ours), ("jax", jax)):
        row |= {f"{key}_ms_min": min(peer.times), f"{key}_ms_median": statistics.median(peer.times),
                f"{key}_compile_s": peer.first["compile_s"]}
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of the build")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/bench", help="folder for steps and results")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core that both run on")
    parser.add_argument("--blocks", type=int, default=30, help="timed blocks of each system")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; default: all")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"unknown step '{unknown.pop()}', expected one of {', '.join(NAMES)}")
    options.build, options.out = options.build.resolve(), options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    python, rows = jax_python(), []
    print(f"{'step':20} {'ds min':>8} {'median':>8} {'JAX min':>8} {'median':>8} {'ds/JAX min':>10} {'paired':>6} "
          f"{'ds compile s':>12} {'JAX':>6}")
    for name in options.names or NAMES:
        try:
            row = measure(name, options, python)
        except PeerError as error:
            sys.exit(f"error: {error}")
        rows.append(row)
        print(f"{name:20} {row['ds_ms_min']:8.2f} {row['ds_ms_median']:8.2f} {row['jax_ms_min']:8.2f} "
              f"{row['jax_ms_median']:8.2f} {row['ratio']:10.2f} {row['ratio_paired']:6.2f} "
              f"{row['ds_compile_s']:12.2f} {row['jax_compile_s']:6.2f}",
              flush=True)
        (options.out / "step_time.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
