"""python zoo.py [NAME..]: public models, exported, and run on n ranks against what their framework computes.

Every model is exported and two steps of its training are recorded by the framework; ds-run repeats them on 1, 2 and 4 ranks with
batch=global, and on 2 with batch=local where that means the same; with --mesh on its ranks alone, divided at random and by search. With
--device cuda they are ranks on GPUs: as one CUDA graph, and on several ranks also over NCCL, call by call. NAME is a part of names; without one all models of the frameworks that are
installed are run. DS_RUN names ds-run. Ends with 1 if a model differs, or is refused in another way than the table says.
"""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
RANDOM_STRATEGY = HERE.parents[2] / "test" / "Run" / "Inputs" / "random_strategy.py"
MODULES = {"torch": ("torch_vision", "torch_language", "torch_examples"), "jax": ("jax_models",)}
NO_MODEL = 3  # the exit status where no name is one of this environment's frameworks
CHIPS = ("sm_80", "sm_90", "sm_100")
LOCAL = "batch=local,gradients_mean=true,local_state=mean"


def installed():
    return [framework for framework in MODULES if find_spec(framework)]


def entries(frameworks, one_line=False):
    """[(framework, entry)]: the table; with `one_line` of PyTorch's models alone, and with those that are no part of the page otherwise."""
    from importlib import import_module
    modules = [("torch", module) for module in (*MODULES["torch"], "torch_wide")] if one_line else [(framework, module) for framework in frameworks for module in MODULES[framework]]
    return [(framework, entry) for framework, module in modules if framework in frameworks for entry in import_module(module).ENTRIES]


def _half(batch):
    if isinstance(batch, dict):
        return {name: value[:len(value) // 2] for name, value in batch.items()}
    return tuple(value[:len(value) // 2] for value in batch)


class TorchModel:
    def __init__(self, entry):
        import torch
        torch.set_num_threads(1)
        torch.manual_seed(0)
        self.model, self.optimizer, self.loss_fn, self.steps, self.options = entry.make()

    def export(self, share=False):
        import dstep as ds
        batch = _half(self.steps[0]) if share else self.steps[0]
        return ds.torch.export(self.model, self.optimizer, self.loss_fn, batch, name="share" if share else "step", **self.options)


class JaxModel:
    def __init__(self, entry):
        self.step, self.steps = entry.make()

    def export(self, share=False):
        import dstep as ds
        params, state, batch = self.steps[0]
        args = (params, state, _half(batch) if share else batch)
        return ds.jax.export(self.step, args, params=0, state=1, batch=2, name="share" if share else "step")


def _loop(made, change=lambda model: model):
    """The losses of three steps of a loop of one's own, the gradients of the first, and the processor time that this took."""
    import torch
    model, optimizer, loss_fn, steps, options = made.model, made.optimizer, made.loss_fn, made.steps, made.options
    start, losses, gradients, first = time.process_time(), [], {}, 0.0
    used = change(model)
    for batch in (*steps, steps[0]):
        optimizer.zero_grad()
        loss = loss_fn(used, batch) if isinstance(batch, dict) else loss_fn(used(batch[0]), batch[1])
        loss.backward()
        gradients = gradients or {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}
        if "clip" in options:
            torch.nn.utils.clip_grad_norm_(model.parameters(), options["clip"])
        optimizer.step()
        losses.append(float(loss))
        first = first or time.process_time() - start
    return losses, gradients, first


def one_line(entry):
    """What becomes of the loop by `model = torch.compile(model, backend="dstep", options={"ranks": 2})`."""
    import torch
    losses, gradients, _ = _loop(TorchModel(entry))
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    found, given, first = _loop(TorchModel(entry), lambda model: torch.compile(model, backend="dstep", options={"ranks": 2}))
    counters = torch._dynamo.utils.counters
    largest = max(float(g.abs().max()) for g in gradients.values())
    wrong = [f"loss {k + 1} is {got!r}, expected {want!r}" for k, (got, want) in enumerate(zip(found, losses)) if not abs(got - want) <= 1e-4 * max(1, abs(want))]
    for name, want in gradients.items():
        error = float((given[name] - want).abs().max()) if name in given else float("inf")
        if not error <= 1e-3 * float(want.abs().max()) + 1e-5 * largest:
            wrong.append(f"the gradient of '{name}' is {error:.2g} off, of {float(want.abs().max()):.2g}")
    graphs = counters["stats"]["unique_graphs"]
    if not graphs:
        wrong.append("nothing was compiled")
    return {"wrong": wrong[:3], "first": round(first, 1), "graphs": graphs, "breaks": sum(counters["graph_break"].values())}


def replay(path, recording, ranks, config, options=()):
    """The last line that ds-run writes, and whether it found the results equal, without a reference implementation of oneDNN: those are
    hundreds of times slower than what a user expects."""
    command = [os.environ["DS_RUN"], str(path), "--ranks", str(ranks), "--config", config, "--replay", str(recording), *options]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"ONEDNN_VERBOSE": "1"})
    lines = (done.stdout + done.stderr).strip().splitlines()
    calls = {line for line in lines if line.startswith("onednn_verbose")}
    lines = [line for line in lines if line not in calls]
    slow = {tuple(call.split(",")[3:5]) for call in calls if call.split(",")[1] == "exec" and "ref" in call.split(",")[4]}
    if slow:
        return f"runs reference implementations: {sorted(slow)}", False
    return lines[-1] if lines else f"ended with {done.returncode}", done.returncode == 0


def replay_on_device(path, recording, ranks, device):
    """[(run, what replay says)]: exchanges by kernels of ds as one graph, and over the vendor's library call by call."""
    yield f"{device} {ranks}", replay(path, recording, ranks, "batch=global", ["--device", device])
    if ranks > 1:
        yield f"{device} {ranks} over nccl", replay(path, recording, ranks, "batch=global", ["--device", device, "--backend", "nccl", "--no-graph"])


def check_ptx(path):
    """What is wrong with the kernels' code for each kind of chip, and whether nothing is: as test/Targets/ptx.test looks at recorded steps."""
    tool = pathlib.Path(os.environ["DS_RUN"]).with_name("ds-opt")
    done = subprocess.run([str(tool), str(path), "--ds-data-parallel", "--emit=ptx", "--target=cuda:" + ",".join(CHIPS)], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1], False
    bad = re.search(r"\.approx|\.local|\b(add|sub|mul|div|sqrt|fma)\.f32\b", done.stdout)
    return (f"has {bad.group()}", False) if bad else ("as it should be", done.stdout.count(".target sm_") == len(CHIPS))


def replay_on_mesh(path, recording, mesh, folder):
    """[(run, what replay says)]: arguments divided at random over the axes, and all of it by search."""
    strategy = pathlib.Path(folder) / "strategy.json"
    # Of few arguments a seed may divide none.
    modes = [("searched", "auto_parallel")]
    if any(subprocess.run([sys.executable, str(RANDOM_STRATEGY), str(path), mesh, str(seed), str(strategy)], stderr=subprocess.DEVNULL).returncode == 0 for seed in range(11, 31)):
        modes.insert(0, ("divided", f"semi_auto_parallel,strategy_ckpt_load_file={strategy}"))
    ranks = 1
    for axis in mesh.split(","):
        ranks *= int(axis.split("=")[1])
    for name, mode in modes:
        yield f"{name} {mesh}", replay(path, recording, ranks, f"batch=global,mesh=[{mesh}],parallel_mode={mode}")


def visit(framework, entry, ranks, meshes=(), device="cpu"):
    """What became of a model: a dictionary for the table."""
    from dstep.frontend import FrontendError
    found = {"name": entry.name, "framework": framework, "config": entry.config, "runs": {}}
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    model = (TorchModel if framework == "torch" else JaxModel)(entry)
    try:
        exported = model.export()
    except FrontendError as error:
        return found | {"refused": str(error)}
    after = resource.getrusage(resource.RUSAGE_SELF)
    found |= {"cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1), "wall": round(time.monotonic() - start, 1),
              "megabytes": after.ru_maxrss >> 10, "lines": exported.mlir.count("\n"),
              "parameters": sum(_count(a["shape"]) for a in exported.manifest["args"] if a["role"] == "param")}
    with tempfile.TemporaryDirectory() as folder:
        path = exported.write(folder, model.steps)
        recording = path.with_suffix(".npz")
        if device != "cpu":
            found["runs"]["PTX for " + ", ".join(CHIPS)] = check_ptx(path)
        for mesh in meshes:
            found["runs"] |= replay_on_mesh(path, recording, mesh, folder)
        for n in ranks if not meshes else ():
            if exported.batch_size % n == 0 and device != "cpu":
                found["runs"] |= replay_on_device(path, recording, n, device)
            elif exported.batch_size % n == 0:
                found["runs"][f"global {n}"] = replay(path, recording, n, "batch=global")
        if entry.local and 2 in ranks and not meshes and device == "cpu":
            share = model.export(share=True).write(folder)
            found["runs"]["local 2"] = replay(share, recording, 2, LOCAL)
    return found


def _count(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def _visit_by_name(framework, name, ranks, meshes, device):
    entry = next(e for f, e in entries([framework]) if e.name == name)
    return visit(framework, entry, ranks, meshes, device)


def _one_line_by_name(framework, name):
    entry = next(e for f, e in entries([framework], one_line=True) if e.name == name)
    return {"name": name, "framework": framework, "config": entry.config, "line": one_line(entry)}


def _write_by_name(framework, name, folder):
    """Writes the step of a model as FOLDER/MODEL.mlir; what became of it, as of `visit`."""
    from dstep.frontend import FrontendError
    entry = next(e for f, e in entries([framework]) if e.name == name)
    found = {"name": name, "framework": framework, "config": entry.config}
    try:
        exported = (TorchModel if framework == "torch" else JaxModel)(entry).export()
    except FrontendError as error:
        return found | {"refused": str(error)}
    path = pathlib.Path(folder) / (name.replace("/", "-").replace(" ", "-") + ".mlir")
    path.write_text(exported.mlir)
    return found | {"written": str(path)}


def verdict(found, entry):
    """(whether it is as the table says, one line)."""
    if "failed" in found:
        return False, f"FAILED: {found['failed']}"
    if "line" in found:
        line = found["line"]
        return not line["wrong"], "; ".join(line["wrong"]) or f"equal; first step {line['first']} s, {line['graphs']} graphs, {line['breaks']} graph breaks"
    if "refused" in found:
        return bool(entry.refused) and entry.refused in found["refused"], f"refused: {found['refused']}"
    wrong = [f"{name}: {line}" for name, (line, equal) in found.get("runs", {}).items() if not equal]
    if wrong:
        return False, "; ".join(wrong)
    if entry.refused:
        return False, f"is not refused, expected '{entry.refused}'"
    if "written" in found:
        return True, f"written to {found['written']}"
    return True, f"equal ({', '.join(found['runs'])}); export {found['cpu']} s of processor time, {found['megabytes']} MB"


DOCUMENT = HERE.parents[2] / "docs" / "Models.md"
HEAD = """# Public models

Real classes of public libraries in small configurations: each is exported as it is, and two steps of its training on 1,
2 and 4 ranks are compared with what its framework computes (`ds-run --replay`, which [Testing.md](Testing.md)
explains). The columns give the numbers of ranks: `global` is the whole batch as one device computes it; `local`, where
it means the same (no batch statistics, no masks, samples of one weight), is the mean of the gradients of the ranks' own
samples. No step runs a reference implementation of oneDNN.

```
python/tests/zoo/run                      # all of them; python/tests/zoo/run --quick is the dozen of run-tests
python/tests/zoo/run swin llama           # those whose name has one of these parts
python/tests/zoo/run --mesh dp=2,tp=2     # on a mesh instead: arguments divided at random over its axes, and all of it by search
python/tests/zoo/run --device cuda        # on GPUs instead, by our kernels and over NCCL; DS_CUDA_LIBRARY and its like name the tests' driver
python/tests/zoo/run --one-line convbert  # instead, a loop of PyTorch with one changed line (below)
python/tests/zoo/run --results zoo.json   # keeps what was found; --document zoo.json writes it into this page
```

The configuration is small so that a model takes seconds; the layers, losses and optimizers are those of the library.

| model | configuration | global | local |
|---|---|---|---|
"""
LINES = """
## By one changed line

A loop of PyTorch's own (zero_grad, forward, loss, backward, optimizer.step) trains each model for three steps, as it is
and with `model = torch.compile(model, backend="dstep", options={"ranks": 2})` in front of it. Losses agree to 1e-4, and
each gradient of the first step to 1e-3 of its largest element. `first step` is the processor time up to the end of that
step, what PyTorch and ds compile included. Models that draw masks (dropout, stochastic depth) are not among them: ds
draws others than PyTorch, which above computes with the same ones. Most packages are the extra `zoo-wide` of the Python
package, which no test installs:

```
build/venv-torch/bin/pip install --no-deps vit-pytorch ..     # those of zoo-wide: most of them name PyTorch, and it the libraries of CUDA
python/tests/zoo/run --one-line vit-pytorch
```

| model | configuration | first step | graphs | graph breaks |
|---|---|---|---|---|
"""
REFUSED = """
## Refused

| model | what ds says | why |
|---|---|---|
"""
WHY = {"LBFGS": "the number of times that its line search asks for the loss depends on the values of the loss; a step of ds is the same for all batches. "
                "Any other optimizer trains the model (the row above)"}


def document(results):
    """The page, from a file of results; what it says of other models stays."""
    held = json.loads(results.read_text())
    rows = [{row.split("|")[1].strip(): row for row in re.findall(r"^\| .*/.* \|$", part, re.M)} for part in re.split(r"^## ", DOCUMENT.read_text(), flags=re.M)]
    exported, lines, refused = rows[0], rows[1] if len(rows) > 2 else {}, rows[-1]
    for name, found in held.items():
        if not found["right"]:
            sys.exit(f"error: {results}: '{name}' is not as the table says, expected results to document")
        if "line" in found:
            line = found["line"]
            lines[name] = f"| {name} | {found['config']} | {line['first']} s | {line['graphs']} | {line['breaks']} |"
        elif "refused" in found:
            refused[name] = f"| {name} | {found['refused']} | {next(why for key, why in WHY.items() if key in found['refused'])} |"
        else:
            ranks = {kind: ", ".join(run.split()[1] for run in found["runs"] if run.startswith(kind)) for kind in ("global", "local")}
            exported[name] = f"| {name} | {found['config']} | {ranks['global']} | {ranks['local']} |"
    table = lambda rows: "".join(rows[name] + "\n" for name in sorted(rows))
    DOCUMENT.write_text(HEAD + table(exported) + LINES + table(lines) + REFUSED + table(refused))


def undocumented(chosen):
    """Models of the table that the page does not have in this configuration."""
    page = DOCUMENT.read_text()
    return [e.name for _, e in chosen if f"| {e.name} | {'' if e.refused else e.config + ' |'}" not in page]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="only print the table")
    parser.add_argument("--quick", action="store_true", help="only the dozen that run-tests runs")
    parser.add_argument("--ranks", default="1,2,4", help="default: 1,2,4")
    parser.add_argument("--mesh", action="append", default=[], metavar="dp=2,tp=2", help="instead of --ranks, on a mesh; may be given more than once")
    parser.add_argument("--device", default="cpu", help="where the ranks compute, as of ds-run: cpu (default) or cuda")
    parser.add_argument("--one-line", action="store_true", help="instead, a loop of one's own with torch.compile(model, backend=\"dstep\", options={\"ranks\": 2}), against the loop without")
    parser.add_argument("--write", type=pathlib.Path, metavar="FOLDER", help="only write the steps as FOLDER/MODEL.mlir, which scripts/check-exact reads")
    parser.add_argument("--document", type=pathlib.Path, metavar="RESULTS", help="only write docs/Models.md from a file of results")
    parser.add_argument("--results", type=pathlib.Path, help="a JSON file that gets the results; those of other models in it stay")
    options = parser.parse_args()
    if options.document:
        return document(options.document)
    installed_too = lambda entry: not entry.package or find_spec(entry.package)
    chosen = [(f, e) for f, e in entries(installed(), options.one_line) if installed_too(e) and (e.quick or not options.quick) and (not options.names or any(n in e.name for n in options.names))]
    if not chosen:
        parser.exit(NO_MODEL, f"no model of {' and '.join(installed()) or 'no framework'} is called {' or '.join(options.names)}\n")
    if options.list:
        for framework, entry in chosen:
            print(f"{entry.name:50} {framework:6} {entry.config}")
        return 0
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
    if "DS_RUN" not in os.environ:
        parser.error("DS_RUN is not set, expected the path of ds-run")
    ranks, wrong = [int(n) for n in options.ranks.split(",")], []
    # Each model in a process of its own: what it leaves behind, or takes, is gone with it. The quick ones share theirs, and those of one line.
    make_pool = lambda: concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=None if options.quick or options.one_line else 1)
    pool = make_pool()
    for framework, entry in chosen:
        try:
            job = (_one_line_by_name, framework, entry.name) if options.one_line else (_write_by_name, framework, entry.name, options.write) if options.write else (_visit_by_name, framework, entry.name, ranks, options.mesh, options.device)
            found = pool.submit(*job).result()
        except Exception as error:  # of the model's library, or the end of the process
            found = {"name": entry.name, "framework": framework, "config": entry.config, "failed": f"{type(error).__name__}: {error}"[:500]}
            pool.shutdown()
            pool = make_pool()
        right, line = verdict(found, entry)
        print(f"{entry.name}: {line}", flush=True)
        wrong += [] if right else [entry.name]
        if options.results:
            held = json.loads(options.results.read_text()) if options.results.exists() else {}
            options.results.write_text(json.dumps(held | {entry.name: found | {"right": right}}, indent=1) + "\n")
    pool.shutdown()
    for name in undocumented(chosen) if not options.results else ():
        print(f"{name} is not in docs/Models.md as it is in the table; --document writes it")
        wrong += [name]
    print(f"{len(chosen) - len(set(wrong))} of {len(chosen)} models are as the table says" + (f"; not so: {', '.join(sorted(set(wrong)))}" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
