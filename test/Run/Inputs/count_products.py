"""count_products.py INPUTS STEP:N..: fails unless two steps of each recording, of which the second is captured, call
cuBLASLt N times: a fault of call N + 1 is never met, one of call N is."""
import os
import subprocess
import sys


def replay(inputs, step, fault):
    command = ["ds-run", f"{inputs}/{step}.mlir", "--device", "cuda", "--config", "batch=global", "--replay",
               f"{inputs}/{step}.npz"]
    faults = {"DS_FAKE_CUDA_FAULTS": f"product={fault},do=error"}
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | faults)


def main():
    inputs, *wanted = sys.argv[1:]
    for each in wanted:
        step, calls = each.split(":")
        more, one = replay(inputs, step, int(calls) + 1), replay(inputs, step, int(calls))
        if more.returncode or ": equal" not in more.stdout:
            sys.exit(f"{step}: more than {calls} products: {more.stderr.strip()[-300:]}")
        if not one.returncode or "cublasLtMatmul fails" not in one.stderr:
            sys.exit(f"{step}: fewer than {calls} products")


main()
