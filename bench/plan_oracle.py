#!/usr/bin/env python3
"""Compares plans and bounds with HiGHS, an integer programming solver: on models of recorded steps and on random ones.

    python3 -m venv build/venv-highs && build/venv-highs/bin/pip install highspy
    build/venv-highs/bin/python bench/plan_oracle.py [--random 50] [--limit SECONDS] [--json FILE]

For each model the relaxation (local marginal polytope) and the integer program are solved. It must hold that bound <= optimum <= plan, and that the
bound is the optimum, or the relaxation where that is below it, within 0.01 %. Ends with 1 otherwise. An integer program that is not solved within
--limit gives only what its own bound says. `looser` counts models whose bound is further below than that, where exact elimination did not fit.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import highspy
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "test/Run/Inputs"
STEPS = [INPUTS / f"{name}.mlir" for name in (
    "linear", "jax_mlp_sgd", "jax_mlp_momentum_wd", "torch_mlp_sgd", "jax_cnn_adam", "jax_resnet_bn_momentum", "adam_mnist", "adam_batch_norm",
    "adam_instance_norm", "adam_vae", "adam_attention", "jax_softmax_bf16", "jax_gpt_adamw_clip")]
MESHES = ["dp=1,tp=2", "dp=1,tp=4", "dp=2,tp=2", "dp=2,tp=4"]
CLOSE = 1e-4


def program(model, integer, limit):
    """What HiGHS says of a model: its value, and the bound of that."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", float(limit))
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    first, cost, upper, rows = [], [], [], []
    for costs in model["variables"]:
        first.append(len(cost))
        rows.append(([(len(cost) + label, 1.0) for label in range(len(costs))], 1.0))
        cost += [0 if c is None else c for c in costs]
        upper += [0.0 if c is None else 1.0 for c in costs]
    labels = len(cost)
    for i, j, table in model["pairs"]:
        costs, n, m = model["tables"][table], len(model["variables"][i]), len(model["variables"][j])
        begin = len(cost)
        cost += [0 if c is None else c for c in costs]
        upper += [0.0 if c is None else 1.0 for c in costs]
        rows += [([(begin + a * m + b, 1.0) for b in range(m)] + [(first[i] + a, -1.0)], 0.0) for a in range(n)]
        rows += [([(begin + a * m + b, 1.0) for a in range(n)] + [(first[j] + b, -1.0)], 0.0) for b in range(m)]
    # Costs of a step differ by orders of magnitude; nanoseconds of the largest fit a double.
    scale = max(1.0, max(cost) / 1e4)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(cost), len(rows)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.array(cost) / scale, np.zeros(len(cost)), np.array(upper)
    lp.row_lower_ = lp.row_upper_ = np.array([right for _, right in rows])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0] + [len(row) for row, _ in rows])
    lp.a_matrix_.index_ = np.array([column for row, _ in rows for column, _ in row])
    lp.a_matrix_.value_ = np.array([value for row, _ in rows for _, value in row])
    if integer:
        lp.integrality_ = [highspy.HighsVarType.kInteger] * labels + [highspy.HighsVarType.kContinuous] * (len(cost) - labels)
    solver.passModel(lp)
    solver.run()
    done = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    info = solver.getInfo()
    value = info.objective_function_value * scale
    return value if done else None, value if done or not integer else info.mip_dual_bound * scale


def models_of_steps(build, limit):
    for step in STEPS:
        for mesh in MESHES:
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "model.json")
                done = subprocess.run([build / "bin/ds-plan", step, "--config", "batch=global", "--mesh", mesh, "--dump-model", path],
                                      capture_output=True, text=True)
                if done.returncode:
                    continue  # a batch that two ranks do not divide
                for model in json.loads(path.read_text()):
                    yield f"{step.stem} {mesh}", model


def models_at_random(build, count):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.json")
        subprocess.run([build / "bin/plan_models", path, str(count)], check=True)
        for model in json.loads(path.read_text()):
            yield model["axis"], model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=60, metavar="COUNT")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--largest", type=int, default=1500, metavar="VARIABLES", help="models with more are left out (default: 1500)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    rows, wrong, looser, open_ = [], 0, 0, 0
    for models in (models_at_random(options.build, options.random), models_of_steps(options.build, options.limit)):
        for name, model in models:
            if len(model["variables"]) > options.largest:
                continue
            relaxed, _ = program(model, False, options.limit)
            optimum, below = program(model, True, options.limit)
            slack = CLOSE * max(1.0, model["cost"])
            wanted = optimum if relaxed is None else relaxed if optimum is None else max(relaxed, min(optimum, model["cost"]))
            isWrong = (optimum is not None and not model["bound"] - slack <= optimum <= model["cost"] + slack) or below > model["cost"] + slack
            isLoose = wanted is not None and model["bound"] < wanted - slack and model["bound"] < (relaxed or 0) - slack
            wrong, looser, open_ = wrong + isWrong, looser + isLoose, open_ + (optimum is None)
            rows.append({"name": name, "variables": len(model["variables"]), "plan": model["cost"], "bound": model["bound"], "relaxation": relaxed,
                         "optimum": optimum})
            if isWrong or isLoose or model["bound"] < model["cost"]:
                print(f"{name}: plan {model['cost']}, bound {model['bound']}, relaxation {relaxed}, optimum {optimum}", flush=True)
    proven = sum(row["plan"] == row["bound"] for row in rows)
    best = sum(row["optimum"] is not None and row["plan"] <= row["optimum"] + CLOSE * max(1.0, row["optimum"]) for row in rows)
    print(f"{len(rows)} models: {wrong} contradict HiGHS, {looser} have a bound below its relaxation by more than 0.01 %, "
          f"{proven} plans are proven by our own bound, {best} are its optimum, {open_} were not solved in time")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return wrong > 0 or looser > 0


if __name__ == "__main__":
    sys.exit(main())
