"""gpu_table.py [--ptxas] STEP.mlir..: what each step is on a GPU, a line each: kernels, launches and products per step, launches of one thread.
With --ptxas also what NVIDIA's assembler says of its PTX for each chip: most registers, bytes spilled."""
import pathlib
import re
import subprocess
import sys
import tempfile

CHIPS = ("sm_80", "sm_90", "sm_100")


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
    return (f"{sum(map(len, shapes.values()))} kernels, {len(launched)} launches ({single} of one thread), {products} products, "
            f"{convolutions} convolutions")


def assembled(step):
    said = []
    for chip in CHIPS:
        ptx = run("ds-opt", step, "--ds-data-parallel", "--emit=ptx", f"--target=cuda:{chip}")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "k.ptx").write_text(ptx)
            done = subprocess.run(["ptxas", "-v", f"-arch={chip}", "-o", "k.cubin", "k.ptx"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return f"{chip}: {done.stderr.strip()}"
        registers = max(map(int, re.findall(r"Used (\d+) registers", done.stderr)))
        spilled = sum(map(int, re.findall(r"(\d+) bytes spill", done.stderr)))
        said.append(f"{chip} {registers} registers, {spilled} bytes spilled")
    return "; ".join(said)


def main():
    steps = [argument for argument in sys.argv[1:] if argument != "--ptxas"]
    for step in steps:
        print(f"{pathlib.Path(step).stem}: {assembled(step) if '--ptxas' in sys.argv else launches(step)}", flush=True)


main()
