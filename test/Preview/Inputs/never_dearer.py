"""never_dearer.py STEP MESH PLAN..: the searched plan of a step on a mesh costs no more than plans that people know by
name, each priced as ds-plan prices its own: data parallelism, ZeRO 1 to 3 (`zero1`..), or the marks of a strategy file.
It searches with divided updates among its plans, and once more without them."""
import json
import subprocess
import sys

step, mesh, *named = sys.argv[1:]


def price(*settings):
    config = ",".join(("batch=global", "parallel_mode=auto_parallel", *settings))
    done = subprocess.run(["ds-plan", step, "--mesh", mesh, "--config", config, "--json"], stdout=subprocess.PIPE,
                          text=True, check=True)
    return json.loads(done.stdout)["figures"]


def settings(plan):
    if plan.startswith("zero"):
        return "enable_parallel_optimizer=true", "parallel_optimizer_threshold=0", f"optimizer_level=level{plan[4:]}"
    return (f"strategy_ckpt_load_file={plan}",)


searched = [price(), price("enable_parallel_optimizer=false")]
others = {"data parallelism": searched[0]["data_parallel_ns"]} | {plan: price(*settings(plan))["time_ns"]
                                                                  for plan in named}
for figures in searched:
    for plan, time in others.items():
        assert figures["time_ns"] <= time, f"{plan} costs {time} ns, the searched plan {figures['time_ns']}"
        print(f"{figures['time_ns'] / time:.3f} of {plan.rsplit('/', 1)[-1]}")
