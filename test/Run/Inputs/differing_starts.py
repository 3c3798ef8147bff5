"""Starts two ranks that differ in one thing, each thing by the next way to start ranks, and writes what came of it.

differing_starts.py FOLDER STEP.mlir WAY=COMMAND..      COMMAND starts two processes, its words separated by blanks;
                                                        FOLDER holds the
                                                        files of make_data.py linear.
Prints `kind, way: sentence` and fails where a difference is not reported, or more than once. What ranks compare, and
how they say it, is the same code however they were started, so a thing needs one way and a way some things;
DS_ALL_WAYS=1 starts every thing in every way.
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

# What rank 1 does otherwise: (options of rank 0, options of rank 1, a part of the sentence).
KINDS = {
    "what is run": ("--data x=x.npy,y=y.npy",
                    "--init w.safetensors --eval forward.mlir --eval-data x=x.npy,y=class.npy",
                    "what is run is an evaluation on rank 1, but a training on rank 0"),
    "target CPU": ("--target-cpu=x86-64", "--target-cpu=x86-64-v2", "the target CPU is x86-64-v2 on rank 1, but x86-64 "
                   "on rank 0"),
    "library": ("--target-cpu=native", "env DNNL_MAX_CPU_ISA=SSE41 ds-run --target-cpu=native",
                "the library of matrix products is oneDNN "),
    "C library": ("", "env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable ds-run",
                  "what mathematical functions of the C library return is that with hash "),
    "build": ("", "env DS_PLUGIN_PATH={lib} ./other-ds-run", "the build of ds is one with id "),
    "configuration": ("--config gradients_mean=false", "--config gradients_mean=true", "the key 'gradients_mean' is "
                      "true on rank 1, but false on rank 0"),
    "timeout": ("--config timeout=20s", "--config timeout=25s", "the key 'timeout' is '25s' on rank 1, but '20s' on "
                "rank 0"),
    "hyper-parameter": ("--arg lr=0.05", "--arg lr=0.050000000000000003", None),
    "learning rate": ("--arg lr=0.05", "--arg lr=0.06", "--arg lr is 0.059999999999999998 on rank 1, but "
                      "0.050000000000000003 on rank 0"),
    "seed": ("--seed 3", "--seed 4", "--seed is 4 on rank 1, but 3 on rank 0"),
    "epochs": ("--epochs 2", "--epochs 3", "--epochs is 3 on rank 1, but 2 on rank 0"),
    "steps": ("--steps 2", "", "--steps is not given on rank 1, but 2 on rank 0"),
    "last batch": ("--last-batch=wrap", "--last-batch=drop", "--last-batch is drop on rank 1, but wrap on rank 0"),
    "check": ("--check=2", "", "--check is not given on rank 1, but 2 on rank 0"),
    "results": ("--dump-results out.npz", "", "--dump-results is not given on rank 1, but given on rank 0"),
    "shards": ("--config num_shards=2,shard_id=0", "--config num_shards=3,shard_id=1", "the key 'num_shards' is 3 on "
               "rank 1, but 2 on rank 0"),
    "scale": ("--data x=x.npy:scale=1/2,y=y.npy", "--data x=x.npy:scale=1/4,y=y.npy", "the scale of --data x is 1/4 on "
              "rank 1, but 1/2 on rank 0"),
    "step": ("", "", "the step is one with hash "),
    "data": ("--data x=x.npy,y=y.npy", "--data x=short-x.npy,y=short-y.npy", "the number of samples is 18 on rank 1, "
             "but 26 on rank 0"),
    "begin": ("--init w.safetensors", "--init later.safetensors", "the step to begin with is 7 on rank 1, but 3 on "
              "rank 0"),
    "parameters": ("--init w.safetensors", "--init bit.safetensors", "the initial value of 'w' is one with hash "),
    "states": ("--init w.safetensors", "--init state.safetensors",
               "the initial value of 'w.momentum' is one with hash "),
}
DEFAULTS = {"--data": "x=x.npy,y=y.npy", "--arg": "lr=0.05"}


def changed(source, target, step=None, flip=None):
    """A checkpoint with another number of steps, or with one bit of a tensor flipped."""
    data = bytearray(source.read_bytes())
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    if flip:
        data[8 + size + header[flip]["data_offsets"][0]] ^= 1
    if step is not None:
        header["__metadata__"]["ds.step"] = str(step)
    header["__metadata__"].pop("ds.checksum")
    text = json.dumps(header).encode()
    target.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + size:])


def prepare(folder, step):
    shutil.copy(step, folder / "step.mlir")
    text = pathlib.Path(step).read_text()
    (folder / "other.mlir").write_text(text.replace("constant 0.25", "constant 0.375"))
    assert (folder / "other.mlir").read_text() != text
    # The first 18 of 26 samples: the shape is in the header, the rest is simply longer.
    for name, shape, fewer in [("x", "(26, 3)", "(18, 3)"), ("y", "(26,)", "(18,)")]:
        data = (folder / f"{name}.npy").read_bytes()
        assert shape.encode() in data
        size = len(data) - (10 + struct.unpack("<H", data[8:10])[0])
        (folder / f"short-{name}.npy").write_bytes(data.replace(shape.encode(), fewer.encode(),
                                                                1)[:len(data) - size * 8 // 26])
    subprocess.run("ds-run step.mlir --data x=x.npy,y=y.npy --arg lr=0.05 --steps 3 --save w.safetensors".split(),
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    other_build(shutil.which("ds-run"), folder / "other-ds-run")
    changed(folder / "w.safetensors", folder / "later.safetensors", step=7)
    changed(folder / "w.safetensors", folder / "bit.safetensors", flip="w")
    changed(folder / "w.safetensors", folder / "state.safetensors", flip="w.momentum")


def features():
    return set(pathlib.Path("/proc/cpuinfo").read_text().split())


def other_build(program, target):
    """A copy of a program that says to be of another build: the last byte of its id is another one."""
    data = bytearray(pathlib.Path(program).read_bytes())
    note = data.index(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0")
    data[note + 16 + 19] ^= 1
    target.write_bytes(data)
    target.chmod(0o755)


def line(step, options, way):
    program = "ds-run"
    if options.startswith("env "):  # what is started otherwise
        program, options = options.format(lib=pathlib.Path(shutil.which("ds-run")).resolve().parents[1] / "lib"), ""
    given = options.split() + (["--backend", way] if way in ("nccl", "hccl") else [])
    for name, value in DEFAULTS.items():
        if not any(word.split("=")[0] == name for word in given) and "--eval" not in given:
            given += [name, value]
    if "--eval" in given and "--arg" not in given:
        given += ["--arg", "lr=0.05"]
    return " ".join([program, step, *given])


def main():
    folder, ways = pathlib.Path(sys.argv[1]), [argument.split("=", 1) for argument in sys.argv[3:]]
    prepare(folder, sys.argv[2])
    failed = 0
    for number, (name, kind) in enumerate(KINDS.items()):
        zero, one, sentence = kind
        if name in ("library", "C library") and not {"avx2", "fma"} <= features():
            continue  # they cannot do less than they do
        other = "other.mlir" if name == "step" else "step.mlir"
        for way, command in ways if os.environ.get("DS_ALL_WAYS") else [ways[number % len(ways)]]:
            (folder / "start.sh").write_text(f'if [ "$RANK_OF" = 0 ]; then exec {line("step.mlir", zero, way)}; '
                                             f'else exec {line(other, one, way)}; fi\n')
            done = subprocess.run(command.split() + [
                "sh", "-c", 'RANK_OF=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$DS_RANK}} . ./start.sh'],
                                  cwd=folder, capture_output=True, text=True, timeout=120)
            told = [text for text in done.stderr.splitlines() if text.startswith("ds-run: error: ")]
            text = told[0][len("ds-run: error: "):] if told else "nothing"
            if sentence is None:  # the same number, written otherwise
                good = done.returncode == 0 and not told
                text = "no difference" if good else text
            else:
                good = (done.returncode != 0 and len(told) == 1 and text.startswith("the ranks do not start alike: ")
                        and sentence in text)
            failed += not good
            text = re.sub(r"hash [0-9a-f]{16}", "hash #", text.removeprefix("the ranks do not start alike: "))
            print(f"{name}, {way}: {text}" + ("" if good else f"   WRONG, status {done.returncode}: "
                                              f"{done.stderr[-500:]!r}"))
    sys.exit(failed > 0)


main()
