#!/usr/bin/env python3
"""What the passes for several axes cost a step that has one: instructions of ds-data-parallel with them and without, from `valgrind --tool=cachegrind` (Debian: valgrind), which
counts the same on every machine, and without the verifier behind each pass, which ds-run runs once. The two programs are compared, too: of one axis those passes leave nothing behind. Instructions of reading and writing the step are taken off.

    bench/one_axis.py [STEP.mlir..]
"""
import argparse
import pathlib
import sys
import tempfile

import instructions

ROOT = pathlib.Path(__file__).resolve().parent.parent
AXES = ("ds-load-strategy", "ds-prepare-hybrid", "ds-shard-axes", "ds-save-strategy", "ds-shard-optimizer", "ds-permute-shards", "ds-fuse-gather-scatter")
STEPS = ("jax_mlp_momentum_wd", "jax_cnn_adam", "jax_gpt_adamw_clip")
CONFIG = "batch=global,device_num=4"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    instructions.check(parser)
    opt = str(options.build / "bin" / "ds-opt")
    print(f"{'step':>24}{'without, millions':>20}{'with':>10}{'ratio':>8}")
    worst = 0
    for step in map(str, options.steps or [ROOT / "test" / "Run" / "Inputs" / f"{name}.mlir" for name in STEPS]):
        names = instructions.passes(opt, step, CONFIG)
        assert set(AXES) <= set(names), f"expected {sorted(AXES)} among {names}"
        with tempfile.TemporaryDirectory() as folder:
            both = [f"{folder}/with", f"{folder}/without"]
            count = lambda names, output: instructions.count(opt, step, CONFIG, names, output)
            nothing = count(("ds-check-config",), f"{folder}/nothing")
            all_of_them = count(names, both[0]) - nothing
            others = count([name for name in names if name not in AXES], both[1]) - nothing
            if pathlib.Path(both[0]).read_text() != pathlib.Path(both[1]).read_text():
                sys.exit(f"error: {step} is another program without {', '.join(AXES)}")
        worst = max(worst, all_of_them / others)
        print(f"{pathlib.Path(step).stem:>24}{others:>20.0f}{all_of_them:>10.0f}{all_of_them / others:>8.3f}", flush=True)
    print(f"at most {worst:.3f}, expected 1.02")


if __name__ == "__main__":
    main()
