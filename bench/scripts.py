"""Training scripts of others, as written and with a line or two changed for ds, one run after the other: scripts.py
[--jax] [NAME..]. Needs DS_RUN and an environment with the packages of the scripts (python/tests/scripts). Seconds are
the best of the epochs behind the first, which compiles; `DDP` is the script as two processes of DistributedDataParallel
over gloo, which changes the lines in python/tests/scripts.py. Every process and rank has one thread."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python/tests")]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
os.environ["OMP_NUM_THREADS"] = "1"
os.environ.setdefault("JAX_PLATFORMS", "cpu")
import scripts

best = lambda epochs: min(seconds for _, seconds in epochs[1:])
framework = "torch" if "--jax" not in sys.argv else "jax"
names = [a for a in sys.argv[1:] if not a.startswith("--")] or list(scripts.JAX if framework == "jax"
                                                                    else scripts.TORCH)
print(f"{'script':18}{'lines':>6}{'written':>10}{'ds 1':>10}{'ds 2':>10}{'DDP 2':>10}{'ds/DDP':>8}  loss written, ds")
for name in names:
    runs = {"written": scripts.run((scripts.FOLDER / f"{name}.py").read_text())}
    runs |= {f"ds {ranks}": scripts.run(scripts.changed(name, ranks)) for ranks in (1, 2)}
    if name in scripts.DDP:
        runs["DDP 2"] = scripts.run(scripts.changed(name, 2, scripts.DDP), processes=2)
    seconds = {kind: best(epochs) for kind, epochs in runs.items()}
    row = "".join(f"{seconds[kind]:10.4f}" if kind in seconds else f"{'-':>10}"
                  for kind in ("written", "ds 1", "ds 2", "DDP 2"))
    ratio = f"{seconds['ds 2'] / seconds['DDP 2']:8.2f}" if "DDP 2" in seconds else f"{'-':>8}"
    print(f"{name:18}{len(scripts.CHANGES[name]):6}{row}{ratio}  {runs['written'][-1][0]:.6f} "
          f"{runs['ds 2'][-1][0]:.6f}", flush=True)
