"""Runs a step with ds-run and reads what it leaves: used by the other scripts of this folder."""
import json
import re
import subprocess
import sys

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "<i1", "BOOL": "|b1"}
BATCH, MEAN = 16, "0.0625"  # samples of a step as written, and the factor of its means


def read_safetensors(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header, data = json.loads(file.read(size)), file.read()
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[slice(*t["data_offsets"])], TYPES[t["dtype"]]).reshape(t["shape"])
            for name, t in header.items()}


def run(step, folder, ranks, *flags):
    """What parameters and states hold at the end, and the results of the last step by number."""
    command = ["ds-run", step, "--ranks", str(ranks), *flags, "--save", f"{folder}/end.safetensors",
               "--dump-results", f"{folder}/end.npz"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    with np.load(f"{folder}/end.npz") as results:
        return (read_safetensors(f"{folder}/end.safetensors"),
                {int(key.split("_res")[1]): results[key] for key in results.files})


def expect_refusal(step, ranks, sentence, *flags):
    """ds-run refuses the step with this sentence."""
    done = subprocess.run(["ds-run", step, "--ranks", str(ranks), *flags], capture_output=True, text=True)
    if done.returncode != 1 or sentence not in done.stderr:
        sys.exit(f"{step} on {ranks} ranks ends with {done.returncode}, expected the error '{sentence}'\n{done.stderr}")


def for_samples(step, folder, rows, means=True):
    """The step rewritten from 16 samples to `rows`: 16 becomes `rows` in shapes, 48 three times that, and means follow
    if asked."""
    with open(step) as file:
        text = file.read()
    text = re.sub(rf"(?<=<){3 * BATCH}(?=x)", str(3 * rows), text)
    text = re.sub(rf"(?<=[<x]){BATCH}(?=x)|(?<=\[){BATCH}(?=, )", str(rows),
                  text).replace(MEAN, repr(1 / rows) if means else MEAN)
    path = f"{folder}/for_{rows}_samples.mlir"
    with open(path, "w") as file:
        file.write(text)
    return path


def expect(what, got, expected, rtol=1e-5, atol=1e-6):
    if not np.allclose(np.asarray(got, np.float64), np.asarray(expected, np.float64), rtol, atol):
        sys.exit(f"{what}: got {np.ravel(got)}, expected {np.ravel(expected)}")
