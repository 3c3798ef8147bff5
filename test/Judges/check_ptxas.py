"""check_ptxas.py DS-OPT JUDGES STEP.mlir..: NVIDIA's assemblers of two versions of CUDA take the PTX of each step, with
the exchanges of four ranks, for each chip; no kernel spills, none has more than 48 registers, which leave room for
1,280 threads, nor memory of its own.

JUDGES is the folder of `install`."""
import pathlib
import re
import subprocess
import sys
import tempfile

CHIPS = ("sm_80", "sm_90", "sm_100")
VERSIONS = ("12.9", "13.0")
MOST_REGISTERS = 48


def assemble(assembler, chip, text):
    """(most registers, bytes spilled or local), or a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "k.ptx").write_text(text)
        done = subprocess.run([str(assembler), "-v", f"-arch={chip}", "-o", "k.cubin", "k.ptx"], cwd=folder,
                              capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    used = [int(found) for found in re.findall(r"Used (\d+) registers", done.stderr)]
    spilled = sum(map(int, re.findall(r"(\d+) bytes (?:spill|stack)", done.stderr)))
    if not used or max(used) > MOST_REGISTERS or spilled:
        return f"{max(used, default=0)} registers, {spilled} bytes spilled"
    return max(used)


def main():
    opt, judges, *steps = sys.argv[1:]
    wrong, most = [], 0
    for step in steps:
        for chip in CHIPS:
            command = [opt, step, "--ds-data-parallel=config=device_num=4", "--emit=ptx", f"--target=cuda:{chip}"]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for version in VERSIONS:
                found = assemble(pathlib.Path(judges, f"ptxas-{version}"), chip, text)
                if isinstance(found, str):
                    wrong.append(f"{pathlib.Path(step).stem}, {chip}, ptxas {version}: {found}")
                else:
                    most = max(most, found)
    if wrong:
        sys.exit("error: " + "\n".join(wrong))
    print(f"{len(steps)} steps for {', '.join(CHIPS)} assembled by ptxas {' and '.join(VERSIONS)}: at most {most} "
          "registers, nothing spilled")


main()
