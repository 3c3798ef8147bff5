"""check_convolutions.py BIN JUDGES TABLE [--write] STEP.mlir[,KEY=VALUE]..: what NVIDIA's cuDNN plans on an H100 for
the convolutions of steps.

BIN holds plan-convolutions, libplanning_cudnn.so and a libcuda.so.1 for cuDNN, JUDGES is the folder of `install`. The
plans of each step are compared with those in TABLE, a file that --write writes anew. A convolution without a plan, or
one of f32 that only the fallback heuristic has an engine for, is a mistake either way: the fallback does not rank
engines by speed."""
import difflib
import os
import pathlib
import re
import subprocess
import sys


def plans(binaries, judges, step):
    path, _, config = step.partition(",")
    environment = os.environ | {"DS_CUDNN_LIBRARY": str(binaries / "libplanning_cudnn.so"),
                                "DS_REAL_CUDNN": str(judges / "cudnn/libcudnn.so.9"),
                                "LD_LIBRARY_PATH": str(binaries), "DS_CACHE_DIR": "off"}
    done = subprocess.run([str(binaries / "plan-convolutions"), path, config], env=environment, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"error: {step}: {done.stderr}")
    return done.stdout


def mistakes(text):
    convolution, wrong = "", []
    for line in text.splitlines():
        if not line.startswith("  "):
            convolution = line
        elif "no plan" in line or ("FALLBACK" in line and re.search(r"\bt?f32 ", convolution)):
            wrong.append(f"{convolution}:{line}")
    return wrong


def main():
    binaries, judges, table, *rest = sys.argv[1:]
    steps = [argument for argument in rest if argument != "--write"]
    made, wrong = {}, []
    for step in steps:
        name = " with ".join([pathlib.Path(step.partition(",")[0]).stem, *step.split(",")[1:]])
        made[name] = plans(pathlib.Path(binaries), pathlib.Path(judges), step)
        wrong += [f"{name}: {each}" for each in mistakes(made[name])]
    if wrong:
        sys.exit("error: " + "\n".join(wrong))
    text = "\n".join(f"{name}\n{found}" for name, found in made.items())
    path = pathlib.Path(table)
    if "--write" in rest:
        path.write_text(text)
        return
    if differences := list(difflib.unified_diff(path.read_text().splitlines(), text.splitlines(), str(path), "now",
                                                lineterm="")):
        sys.exit("\n".join(differences) + f"\nerror: the plans are others; if they are meant to be, write {path.name} "
                 "anew with --write")
    print(f"{len(made)} steps, {text.count(' x ')} distinct convolutions, {len(re.findall('^  ', text, re.M))} plans "
          "as they were")


main()
