"""Runs scripts in one interpreter, each as a module of its own: worker.py FRAMEWORK FOLDER. jobs.json in the folder has
the scripts; what each has found goes to found.RANK.jsonl, a line when it has ended. Several processes of a launcher run
the same scripts side by side."""

import contextlib
import importlib
import io
import json
import os
import pathlib
import sys
import time
import types
import warnings

from judge import OURS


def chain(error):
    """An error and its causes, the outermost first."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def class_of(error):
    """Its name; that of a class of ds if it is one of a kind of those."""
    names = [f"{each.__module__}.{each.__name__}" for each in type(error).__mro__]
    return next((name for name in names if name in OURS), names[0])


def described(error):
    """[(class, text)] of an error and its causes."""
    return [(class_of(each), str(each)) for each in chain(error)]


class Torch:
    def __init__(self):
        import torch

        torch.set_num_threads(1)
        self.torch = torch

    def begin(self):
        self.torch._dynamo.reset()
        self.torch.set_default_dtype(self.torch.float32)
        self.compiled_before = set(self.compiled())

    @staticmethod
    def compiled():
        backend = sys.modules.get("dstep.torch.backend")
        return backend.compiled if backend else []

    def end(self, module):
        """What a script has trained, and the most ranks that ds has compiled something for: 0 if nothing."""
        model, optimizer = module["model"], module["optimizer"]
        found = {f"model.{name}": value for name, value in model.state_dict().items()}
        for k, state in optimizer.state_dict()["state"].items():
            found |= {f"optimizer.{k}.{name}": value for name, value in state.items() if value is not None}
        found |= {f"rate.{k}": group["lr"] for k, group in enumerate(optimizer.param_groups)}
        if "average" in module:
            found |= {f"average.{name}": value for name, value in module["average"].state_dict().items()}
        found = {name: self.torch.as_tensor(value).detach().clone() for name, value in found.items()}
        for kept in self.of_keys(model, optimizer, found):
            kept[len(kept) // 3 : 2 * len(kept) // 3] = 0
        tensors = {name: self.torch.as_tensor(value).double().flatten().tolist() for name, value in found.items()}
        ranks = [0]
        if "train" in module and module["train"].exported is not None:
            ranks.append(module["train"].runner.ranks_of())
        ranks += [each.ranks for each in self.compiled() if each not in self.compiled_before]
        return {"history": module["history"]} | tensors, max(ranks)

    @staticmethod
    def of_keys(model, optimizer, found):
        """What is there of the biases of attention. No score depends on the part of the keys, which holds rounding
        alone, and steps that an optimizer makes of it."""
        trained = [p for group in optimizer.param_groups for p in group["params"]]
        for name, parameter in model.named_parameters():
            if name.endswith("in_proj_bias"):
                state = next((f"optimizer.{k}." for k, p in enumerate(trained) if p is parameter), name)
                for key, value in found.items():
                    if (key.endswith(f".{name}") or key.startswith(state)) and value.shape == parameter.shape:
                        yield value

    def clean(self):
        if self.torch.distributed.is_initialized():
            self.torch.distributed.destroy_process_group()


class Jax:
    def __init__(self):
        import jax

        self.jax = jax

    def begin(self):
        self.jax.config.update("jax_enable_x64", False)
        self.compiled_before = set(self.compiled())

    @staticmethod
    def compiled():
        """The programs of the platform ds."""
        platform = sys.modules.get("dstep.jax.platform")
        return platform._plugin.programs.values() if platform and platform._plugin else []

    def end(self, module):
        import numpy as np

        keys = lambda leaf: self.jax.dtypes.issubdtype(getattr(leaf, "dtype", np.float32), self.jax.dtypes.prng_key)
        read = (
            lambda leaf: np.asarray(self.jax.random.key_data(leaf) if keys(leaf) else leaf)
            .astype(np.float64)
            .flatten()
            .tolist()
        )
        found = {
            self.jax.tree_util.keystr(path): read(leaf)
            for path, leaf in self.jax.tree_util.tree_leaves_with_path(module["trained"])
        }
        ranks = [0]
        if "train" in module and hasattr(module["train"], "runner") and module["train"].exports:
            ranks.append(module["train"].runner.ranks_of())
        ranks += [each.instance.ranks for each in self.compiled() if each not in self.compiled_before and each.instance]
        return {"history": [float(value) for value in module["history"]]} | found, max(ranks)

    def clean(self):
        pass


class Plain:
    """No framework."""

    def begin(self):
        pass

    def end(self, module):
        return {"history": []}, 1

    def clean(self):
        pass


def run(framework, job, folder, rank):
    """What a script has found, or its error."""
    path = folder / f"{job['name']}.py"
    if rank == 0 or not path.exists():
        path.write_text(job["text"])
    store = folder / f"{job['name']}.store"
    os.environ["STRANGERS_STORE"] = f"file://{store}"
    module = types.ModuleType(job["name"])
    module.__file__ = str(path)
    sys.modules[job["name"]] = module
    framework.begin()
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(job["text"], str(path), "exec"), module.__dict__)
            found, ranks = framework.end(module.__dict__)
        return {"found": found, "ranks": ranks}
    except Exception as error:
        return {"error": described(error)}
    finally:
        framework.clean()
        del sys.modules[job["name"]]


def main():
    framework, folder = {"torch": Torch, "jax": Jax, "none": Plain}[sys.argv[1]](), pathlib.Path(sys.argv[2])
    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", 0))
    if sys.argv[1] != "none":
        importlib.import_module(f"dstep.{sys.argv[1]}")
    with open(folder / f"found.{rank}.jsonl", "a") as file:
        for job in json.loads((folder / "jobs.json").read_text()):
            begun = time.process_time()
            result = run(framework, job, folder, rank)
            print(json.dumps(result | {"seconds": time.process_time() - begun}), file=file, flush=True)


if __name__ == "__main__":
    main()
