"""gpu_table.py STEP.mlir..: what each step is on a GPU, a line each: kernels, launches and products per step, launches
of one thread."""
import pathlib
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def launches(step):
    text = run("ds-opt", step, "--ds-data-parallel", "--ds-lower-to-driver=gpu", "--ds-map-to-gpu")
    shapes = {}
    for name, found in re.findall(r"func\.func private @(\S+?)\(.*ds\.launches = \[(.*)\]\}", text):
        shapes[name] = re.findall(r"shape = array<i64: (\d+), (\d+), (\d+)>", found)
    calls = re.findall(r"^ +(?:%\S+ = )?(?:func\.)?call @(\w+)\(", text, re.M)
    launched = [shape for name in calls for shape in shapes.get(name, [])]
    single = sum(shape == ("1", "1", "1") for shape in launched)
    products = sum(name.startswith("contraction") for name in calls)
    convolutions = sum(name.startswith("convolution") for name in calls)
    return (f"{sum(map(len, shapes.values()))} kernels, {len(launched)} launches ({single} of one thread), {products} "
            f"products, {convolutions} convolutions")


for step in sys.argv[1:]:
    print(f"{pathlib.Path(step).stem}: {launches(step)}", flush=True)
