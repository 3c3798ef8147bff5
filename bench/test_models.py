"""python test_models.py BUILD: bench/models.py runs every system on a small model and reports what its page says.
Nothing is timed."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BENCH, BUILD = pathlib.Path(__file__).resolve().parent, sys.argv[1]


def run(*options):
    """The rows, by name, and the lines of the table."""
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder, "rows.json")
        done = subprocess.run([sys.executable, BENCH / "models.py", "--build", BUILD, "--out", folder, "--quick",
                               "--json", found, *options],
                              stdout=subprocess.PIPE, text=True)
        if done.returncode:
            print(done.stdout)
            sys.exit(done.returncode)
        return {row["model"]: row for row in json.loads(found.read_text())}, done.stdout.splitlines()


def expect(right, what):
    if not right:
        sys.exit(f"error: {what}")


# torch.compile wants Python's headers
rows, lines = run("--only", "mlp", "lstm", "--without", "ddp", "compile", "iree")
expect(list(rows) == ["mlp", "lstm"] and len(lines) == 3, f"got rows {list(rows)} and {len(lines)} lines, expected one "
       "of each model and a head")
expect(rows["mlp"]["best_peer"] in ("torch", "jax"), f"the best peer is {rows['mlp']['best_peer']}, expected one that "
       "was measured")
for row in rows.values():
    systems = {"ds", "torch"} | ({"jax"} if row["model"] == "mlp" else set())
    expect(systems <= row.keys() and "ddp" not in row, f"{row['model']}: got {sorted(row)}, expected {sorted(systems)}")
    for system in systems:
        for key in ("ms", "peak_mib", "compile_s"):
            expect(row[system][key] > 0, f"{row['model']}: '{key}' of {system} is {row[system][key]}, expected more "
                   "than 0")
    expect(row["export_s"] > 0 and row["parameters"] > 1000, f"{row['model']}: got {row}")
expect(rows["mlp"]["flop"] > 0 and rows["mlp"]["of_sgemm"] > 0, f"mlp: got {rows['mlp']}, expected its FLOP and what a "
       "product would take")
rows, _ = run("--only", "densenet", "--without", "compile", "iree")
expect(rows["densenet"]["ddp"]["ms"] > 0, "DDP was not measured")
venvs = os.environ.get("DS_ZOO_VENVS", f"{BUILD}/venv:{BUILD}/venv-torch").split(":")
if any(pathlib.Path(venv, "compilers-ready").exists() for venv in venvs):
    rows, _ = run("--only", "mlp", "--without", "torch", "ddp", "compile", "jax", "sgemm")
    expect(rows["mlp"]["iree"]["ms"] > 0 and rows["mlp"]["best_peer"] == "iree", f"mlp: got {rows['mlp']}, expected "
           "IREE beside ds")
else:
    print("skipped: there is no IREE (install-compilers fetches it from the package index)")
