"""Instructions of passes, from `valgrind --tool=cachegrind` (Debian: valgrind), which counts the same on every machine; without the verifier behind each pass."""
import re
import shutil
import subprocess
import sys


def check(parser):
    if not shutil.which("valgrind"):
        parser.error("valgrind is not there, expected it to be installed")


def passes(opt, step, config):
    """The pipeline ds-data-parallel as names of passes."""
    done = subprocess.run([opt, step, f"--ds-data-parallel=config={config}", "--dump-pass-pipeline", "-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {opt} {step}: {(done.stderr.strip().splitlines() or ['it failed without a word'])[-1]}")
    return re.findall(r"(?:ds-[a-z-]+|canonicalize|cse)(?=[{,\s)])", done.stderr)


def count(opt, step, config, names, output):
    """Millions of instructions that it takes to read the step, to run these passes and to write `output`."""
    text = ",".join(f"{name}{{config={config}}}" if name == "ds-check-config" else name for name in names)
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", opt, step, f"--pass-pipeline=builtin.module({text})",
                           "--mlir-disable-threading", "--verify-each=0", "-o", output], capture_output=True, text=True, check=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", "")) / 1e6
