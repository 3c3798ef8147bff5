#!/usr/bin/env python3
"""What the placement analysis costs beside that of another build: instructions of the passes that detect gradients, place, cut, localise and mask, from `valgrind --tool=cachegrind`
(Debian: valgrind), which counts the same on every machine, without the verifier behind each pass. Instructions of reading, preparing and writing the step are taken off.

    git worktree add ../before 43db38f   # before the analysis became one mechanism
    (cd ../before && . scripts/common.sh && build_targets bin/ds-opt)
    bench/placement_time.py --before ../before/build/bin/ds-opt [STEP.mlir..]
"""
import argparse
import pathlib

import instructions

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEPS = ("jax_mlp_momentum_wd", "jax_cnn_adam", "jax_gpt_adamw_clip", "jax_resnet_bn_momentum", "adam_attention", "adam_vae")
CONFIGS = ("batch=global,device_num=4", "batch=local")
PREPARED = ("ds-check-config", "ds-prepare-step")
CONCERNED = ("ds-detect-gradients", "ds-insert-all-reduce", "ds-localize-batch", "ds-expand-replicated-to-partial")


def cost(opt, step, config):
    names = instructions.passes(opt, step, config)
    prepared = [name for name in names if name in PREPARED]
    concerned = [name for name in names if name in CONCERNED]
    count = lambda names: instructions.count(opt, step, config, names, "/dev/null")
    return count(prepared + concerned) - count(prepared)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", type=pathlib.Path)
    parser.add_argument("--before", required=True, type=pathlib.Path, metavar="DS-OPT")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    instructions.check(parser)
    print(f"{'step':>24}{'batch':>10}{'before, millions':>18}{'now':>8}{'ratio':>8}")
    sums = [0, 0]
    for step in map(str, options.steps or [ROOT / "test" / "Run" / "Inputs" / f"{name}.mlir" for name in STEPS]):
        for config in CONFIGS:
            both = [cost(str(opt), step, config) for opt in (options.before, options.build / "bin" / "ds-opt")]
            sums = [total + each for total, each in zip(sums, both)]
            print(f"{pathlib.Path(step).stem:>24}{config[6:12].rstrip(','):>10}{both[0]:>18.1f}{both[1]:>8.1f}{both[1] / both[0]:>8.3f}", flush=True)
    print(f"together {sums[1] / sums[0]:.3f}, expected at most 1.05")


if __name__ == "__main__":
    main()
