"""The program of one of n ranks, by ds-opt beside ds-run: what a test compares."""
import pathlib
import subprocess

from ds.run import find_ds_run

DDP = {"batch": "local", "gradients_mean": "true", "local_state": "mean"}


def program(mlir, ranks, config=DDP):
    """The step distributed to `ranks` ranks."""
    keys = ",".join(f"{key}={value}" for key, value in (config | {"device_num": ranks}).items())
    done = subprocess.run([pathlib.Path(find_ds_run()).with_name("ds-opt"), f"--ds-data-parallel=config={keys}"], input=mlir,
                          capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr[-3000:])
    return done.stdout


def marks(mlir, operation="gradient"):
    """What the marks of an exported step say, in order: names of gradients, or kinds of combined values."""
    found = [line.split(f" = ds.{operation} ", 1)[1] for line in mlir.splitlines() if f" = ds.{operation} " in line]
    return [line.split('"')[1] if operation == "gradient" else line.split()[0] for line in found]
