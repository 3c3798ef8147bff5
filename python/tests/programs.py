"""The program of one of n ranks, by ds-opt beside ds-run, and what a rank holds: what a test compares."""
import collections
import math
import pathlib
import re
import subprocess

from by_ds_run import DS_RUN

DDP = {"batch": "local", "gradients_mean": "true", "local_state": "mean"}


def program(mlir, ranks, config=DDP):
    """The step distributed to `ranks` ranks."""
    keys = ",".join(f"{key}={value}" for key, value in (config | {"device_num": ranks}).items())
    done = subprocess.run([pathlib.Path(DS_RUN).with_name("ds-opt"), f"--ds-data-parallel=config={keys}"], input=mlir,
                          capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr[-3000:])
    return done.stdout


def held(instance):
    """(the number of ranks, bytes of parameters and states on each of them)."""
    return instance.ranks, sum(math.prod(a["shape"]) * instance.dtype(i).itemsize
                               for i, a in enumerate(instance.arguments) if a["role"] in ("param", "state"))


def marks(mlir, operation="gradient"):
    """What the marks of an exported step say, in order: names of gradients, or kinds of combined values."""
    found = [line.split(f" = ds.{operation} ", 1)[1] for line in mlir.splitlines() if f" = ds.{operation} " in line]
    return [line.split('"')[1] if operation == "gradient" else line.split()[0] for line in found]


def communication(text):
    """What a program combines, and what it consists of: per all_reduce, in order, its kind, its purpose, how deep it
    stands in loops, and the values by name with their numbers of elements; and how often each operation occurs. Left
    out is what does not change it: the order of values in a bucket, and whether a value is combined in front of a
    transpose or reshape or behind it. Detection combines at the first of equally cheap places, a mark where it
    stands."""
    found = []
    for indent, kind, attributes, types in re.findall(r"^( *).*ds\.all_reduce (\w+) .*? \{(.*)\} : (.*)", text,
                                                      re.MULTILINE):
        names = re.findall(r"\[([^\[\]]*)\]", attributes.partition("names = [")[2])
        purpose = re.findall(r"#ds<purpose (\w+)>", attributes)
        shapes = [t.removeprefix("tensor<").removesuffix(">").split("x") for t in types.split(", ")]
        sizes = [(math.prod(map(int, dims)), element) for *dims, element in shapes]
        found.append((kind, purpose, len(indent), sorted(zip(names or [""] * len(sizes), sizes, strict=True))))
    return found, collections.Counter(re.findall(r"(?:^|= )\s*([a-z]+\.[a-z_.]+)", text, re.MULTILINE))
