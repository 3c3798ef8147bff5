"""Exports a JAX training step: upstream MLIR with ds roles, and a recording of two steps computed by JAX itself.

A step is `step(params, state, batch) -> (params, state, metrics)` on pytrees (`batch` and `metrics` are flat dictionaries).
Leaves are flattened in this order, so result i is the new value of argument i and metrics come last.
"""
import json
import pathlib

import jax
import numpy as np

import upstream


def dotted(path):
    """'Dense_0.kernel' for a key path; the name that checkpoints use."""
    return ".".join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", None)))) for k in path)


def named_leaves(prefix, tree):
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [(".".join(filter(None, (prefix, dotted(path)))), leaf) for path, leaf in leaves]


def default_init(name, shape):
    """The initial value by the name that Flax gives a parameter or a running statistic."""
    last = name.rsplit(".", 1)[-1]
    if last in ("bias", "mean"):
        return "zeros"
    if last in ("scale", "var"):
        return "ones"
    return "he_normal" if len(shape) in (2, 4) and last == "kernel" else "normal(0.02)"


def lower(function, leaves, **options):
    """StableHLO of `function(*leaves)`. Lowering for 'tpu' needs none: it only keeps random bits as plain arithmetic."""
    traced = jax.jit(function, keep_unused=True, **options).trace(*leaves)
    return str(traced.lower(lowering_platforms=("tpu",)).compiler_ir("stablehlo"))


class Step:
    """One step with the values it starts from. `batches` are the batches of the consecutive steps to record."""

    def __init__(self, name, step, params, state, batches, hyper=None, source=""):
        self.name, self.source, self.batches = name, source, batches
        hyper = hyper or {}
        self.donated = (*named_leaves("params", params), *named_leaves("state", state))
        self.params = len(jax.tree_util.tree_leaves(params))
        self.hyper = sorted(hyper.items())
        _, carried = jax.tree_util.tree_flatten((params, state))
        keys = sorted(batches[0])

        def flat(*leaves):
            n = len(self.donated)
            new_params, new_state = jax.tree_util.tree_unflatten(carried, leaves[:n])
            rest = [dict(zip(keys, leaves[n:n + len(keys)]))]
            rest += [dict(zip((k for k, _ in self.hyper), leaves[n + len(keys):]))] if self.hyper else []
            *new, metrics = step(new_params, new_state, *rest)
            self.metrics = sorted(metrics)
            return (*jax.tree_util.tree_leaves(tuple(new)), *(metrics[k] for k in self.metrics))

        self.flat = flat
        self.keys = keys
        self.shapes = jax.eval_shape(flat, *self.leaves())

    def leaves(self, index=0):
        return [leaf for _, leaf in self.donated] + [self.batches[index][k] for k in self.keys] + [v for _, v in self.hyper]

    def roles(self):
        arguments = []
        for i, (name, leaf) in enumerate(self.donated):
            role = {"ds.param" if i < self.params else "ds.state": name}
            if i < self.params or np.any(np.asarray(leaf)):
                role["ds.init"] = default_init(name, leaf.shape)
            arguments.append(role)
        arguments += [{"ds.batch": 0, "ds.name": k} for k in self.keys] + [{"ds.name": k} for k, _ in self.hyper]
        results = [{"ds.updates": name} for name, _ in self.donated] + [{"ds.metric": k} for k in self.metrics]
        return arguments, results

    def mlir(self):
        text = lower(self.flat, self.leaves())
        for (name, leaf), new in zip(self.donated, self.shapes):
            if (leaf.shape, leaf.dtype) != (new.shape, new.dtype):
                raise ValueError(f"'{name}' is {leaf.dtype}{leaf.shape} but its new value is {new.dtype}{new.shape}")
        return upstream.normalise(text, *self.roles())

    def record(self):
        """Arrays stepK_argI and stepK_resI; from the second step on only the batch arguments are stored."""
        arrays, leaves, compiled = {}, self.leaves(), jax.jit(self.flat)
        for k, batch in enumerate(self.batches, 1):
            leaves = leaves[:len(self.donated)] + [batch[b] for b in self.keys] + [v for _, v in self.hyper]
            stored = range(len(leaves)) if k == 1 else range(len(self.donated), len(leaves))
            arrays |= {f"step{k}_arg{i}": np.asarray(leaves[i]) for i in stored}
            results = compiled(*leaves)
            arrays |= {f"step{k}_res{i}": np.asarray(r) for i, r in enumerate(results)}
            leaves[:len(self.donated)] = results[:len(self.donated)]
        return arrays

    def manifest(self):
        arguments, results = self.roles()
        describe = lambda role, leaf: role | {"shape": list(leaf.shape), "dtype": str(leaf.dtype)}
        return {"source": self.source, "jax": jax.__version__, "entry": "main",
                "args": [describe(r, np.asarray(v)) for r, v in zip(arguments, self.leaves())],
                "results": [describe(r, v) for r, v in zip(results, self.shapes)]}

    def write(self, folder, recording=True, **more):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.mlir").write_text(self.mlir())
        if recording:
            np.savez(folder / f"{self.name}.npz", **self.record())
        (folder / f"{self.name}.json").write_text(json.dumps(self.manifest() | more, indent=1) + "\n")
