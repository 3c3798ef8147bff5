"""An exported step: its MLIR, its initial values, and a recording of PyTorch's results."""
import collections
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ...base import arrays, limits
from ...base.errors import FrontendError
from ...base.export import Export
from ...frontend import normalise
from ...frontend.manifest import divide
from ..base import checks, graph, hooks, placements
from ..base.threads import alone
from ..base.values import computed, described, replaced as holding, tensor_of, to_array
from ..functions import StepFunctions
from ..lowering import lower
from ..optimizers import structure
from ..verify import alike, beside
from ..verify.objects import Objects
from .capture import Capture

Arguments = collections.namedtuple("Arguments", "values batch step seed hyper")


def uniform_init(tensor):
    """Returns 'zeros', 'ones' or 'constant(c)' for a tensor of one value, else None."""
    flat = tensor.ravel()
    # Most tensors show it by their first elements.
    if not flat.numel() or not all(torch.equal(part, flat[:1].expand_as(part)) for part in (flat[:64], flat)):
        return None
    value = float(flat[0])
    return "zeros" if value == 0 else "ones" if value == 1 else f"constant({value!r})"


class TorchExport(Export):
    """The result of `export`. Arguments and results keep this order: parameters, buffers that the step changes, state
    of the optimizer, batch, seed, hyper-parameters; result i is the new value of argument i, metrics come last."""

    def __init__(self, model, optimizer, loss_fn, batch, clip, hyper, name, mesh=None, shardings=None, samples=(), apart=(), verify="capture", written=None):
        checks.model(model)
        self.samples, self.apart = ([names] if isinstance(names, str) else list(names) for names in (samples, apart))
        with Objects(model=model, optimizer=optimizer, loss_fn=loss_fn, clip=clip) as objects:
            given = objects, model, optimizer, loss_fn, batch, clip, hyper, name, mesh, shardings, checks.verify(verify), written
            try:
                return self._make(*given)
            except Exception:
                if not hasattr(self, "capture") or self.capture.is_whole:
                    raise
            # A part of the batch may have shown another step.
            objects.restore()
            self._make(*given, whole=True)

    def _make(self, objects, model, optimizer, loss_fn, batch, clip, hyper, name, mesh, shardings, verify, written, whole=False):
        self.capture = Capture(model, optimizer, loss_fn, batch, clip, hyper, whole)
        self.part = self.capture.batch  # a batch for which the same code runs
        objects.restore()
        # A snapshot of the current values: later training of the model changes neither the files nor the recording.
        self.start = structure.copied((self.capture.model, optimizer), computed(self.capture.model))
        hooks.give(self.capture.model, optimizer, *self.start)
        names = [n for n, _ in self.capture.leaves()]
        for n in names:
            if names.count(n) > 1:
                raise FrontendError(f"'{n}' is the name of two values of the step; rename a parameter or buffer of the model")
        self.args = Arguments([v.clone() for _, v in self.capture.leaves()], batch, 0, 0, self.capture.hyper)
        traced, by_shapes = self._traced(objects)
        objects.restore()
        # The check runs the graph as it was traced.
        module = graph.tidy(graph.copied(traced) if verify == "capture" else traced)
        graph.refuse(module)
        self.written = graph.written(module, names)
        # The number of the step's batches in the batch of `flatten`: the number of ranks if the step is one rank's.
        self.shares = 1
        unwritten = self._write(module, name, names, mesh, shardings)
        if written and not unwritten:
            written(self)
        wrong = self._wrong(traced, by_shapes, objects) if verify == "capture" else None
        graph.check_updates(module, names, self.capture.moving.union(self.capture.trained))
        # Errors of the graph itself come first, and those of its text last.
        if wrong or unwritten:
            raise wrong or unwritten
        limits.trim()

    def _write(self, module, name, names, mesh, shardings):
        """Writes the step's text; returns the error if it has none."""
        try:
            self.stablehlo = lower(module)
            super().__init__(name, self.describe(names))
            self.divide(*placements.read_options(mesh, shardings))
            self.mlir = normalise(self.stablehlo, self.manifest)
        except Exception as error:
            return error
        return None

    def _traced(self, objects):
        """Returns (the graph, whether it is traced by shapes alone), which the step's code may not allow."""
        try:
            found = self.capture.graph(by_shapes=True)
            self.wrote = objects.names()
            return found, True
        except Exception:  # code that needs elements, or an error, which the second trace reports
            objects.restore()
            return self.capture.graph(by_shapes=False), False

    def _wrong(self, traced, by_shapes, objects):
        """Returns the error of the capture's check, or None; of a long step it takes a few samples if it can."""
        capture = self.capture
        for part in (alike.short, alike.few) if by_shapes and alike.products(traced) > alike.LONG else ():
            batch = part(capture.batch) if part not in capture.refused else None
            less = batch and self._of_few(traced, batch, objects)
            if less and beside.check(capture, less, objects, batch) is None:
                self.part = batch
                return None
        return beside.check(capture, traced, objects, capture.batch)

    def _of_few(self, traced, batch, objects):
        """Returns the step traced for these samples, or None if it is another step."""
        try:
            less = self.capture.graph(True, batch)
            is_alike = objects.names() == self.wrote
        except Exception:
            return None
        finally:
            objects.restore()
        return less if is_alike and alike.are_alike(traced, less, alike.proportions(self.capture.batch, batch)) else None

    def describe(self, names):
        capture, params, values = self.capture, len(self.capture.parameters), self.args.values
        arguments = []
        for i, (name, value) in enumerate(zip(names, values)):
            init = uniform_init(value)
            role = {"role": "param" if i < params else "state", "name": name}
            arguments.append(described(role | ({"init": init} if init and (i < params or init != "zeros") else {}), value))
        results = [described({"role": f"updates:{name}"}, value) for name, value in zip(names, values)]
        checks.states_of_samples(self.samples, dict(zip(names[params:], values[params:])), checks.samples(capture.batch))
        for each in arguments + results:
            each |= {"dim": 0} if each.get("name", each["role"][8:]) in self.samples else {}
        inputs = capture.inputs()
        checks.known("apart", self.apart, capture.batch)
        arguments += [described({"role": "batch", "name": n, "dim": 0} | ({"apart": True} if n in self.apart else {}), t)
                      for n, t in capture.batch.items()]
        arguments += [described({"role": "seed", "name": "seed"}, inputs[len(capture.batch)])] if capture.random else []
        arguments += [described({"role": "hyper", "name": n}, torch.tensor(v)) for n, v in capture.hyper.items()]
        results += [described({"role": f"metric:{name}"}, value) for name, value in capture.metrics.items()]
        return {"entry": "main", "framework": {"torch": torch.__version__}, "args": arguments, "results": results}

    def divide(self, mesh, said):
        """Shards arguments, and states of a parameter like the parameter."""
        divide(self.manifest, mesh, said)
        described = {a["name"]: a for a in self.manifest["args"]}
        for name, key in self.capture.state:
            parameter, state = described.get(name, {}), described[f"{name}.{key}"]
            if "sharding" in parameter and parameter["shape"] == state["shape"]:
                state.setdefault("sharding", parameter["sharding"])

    def arguments(self, batch, step=0, seed=0, values=None, hyper=None):
        """Returns the arguments of one step; `values` are those of parameters, buffers and state, by default the
        exported ones."""
        return Arguments(self.args.values if values is None else values, batch, step, seed, self.args.hyper | (hyper or {}))

    @property
    def expected(self):
        """Returns {name: (shape, type)} of the batch that the ranks of this process take in a step."""
        return {name: ((self.shares * len(t), *t.shape[1:]), t.dtype) for name, t in self.capture.batch.items()}

    def flatten(self, args):
        """Returns the arrays of the arguments in the order of the manifest; `args` is a result of `arguments`, or a
        batch. Raises FrontendError if the batch has other names, shapes or types than the exported one."""
        args = args if isinstance(args, Arguments) else self.arguments(args)
        batch = checks.fitting(args.batch, self.capture.form, self.expected)
        return [to_array(t) for t in [*args.values, *self.capture.inputs(batch, args.seed, args.step, args.hyper)]]

    def train(self, batches, seed=0):
        """Yields PyTorch's results after each batch, computed by a copy of the user's model and optimizer."""
        model, optimizer = structure.copied(self.start)
        capture, parameters = self.capture, dict(model.named_parameters())
        hooks.give(*self.start, model, optimizer)
        for number, batch in enumerate(batches):
            batch = checks.batch(batch)[0]
            key = capture.inputs(batch, seed, number)[len(batch)] if capture.random else None
            optimizer.zero_grad(set_to_none=True)
            with StepFunctions(key), holding(capture.model, parameters | dict(model.named_buffers())):
                loss, metrics = capture.loss(model, batch)
                torch.autograd.backward(loss)
                norm = capture.clip_gradients({n: p for n, p in parameters.items() if p.grad is not None})
            optimizer.step()
            buffers = dict(model.named_buffers())
            values = [p.detach() for p in parameters.values()] + [buffers[n] for n in capture.changing]
            values += capture.pure.held(optimizer, parameters).values()
            yield [to_array(v).copy() for v in [*values, loss, *metrics.values(), *norm.values()]]

    def record(self, steps):
        """Returns the arrays of a recording; `steps` holds the batch of each. The results are those of PyTorch's
        training."""
        recorded, carried = {}, len(self.args.values)
        for number, (batch, results) in enumerate(zip(steps, self.train(steps)), 1):
            given = self.flatten(self.arguments(batch, number - 1))
            recorded |= {f"step{number}_arg{i}": arrays.recordable(v) for i, v in enumerate(given) if number == 1 or i >= carried}
            recorded |= {f"step{number}_res{i}": arrays.recordable(v) for i, v in enumerate(results)}
        return recorded

    def current(self):
        """Returns the current values of the user's model and optimizer, in the order of the arguments."""
        return [value.clone() for _, value in self.capture.leaves(self.capture.state_now())]

    @torch.no_grad()
    def assign(self, values):
        """Writes {name: array}, in the form of a checkpoint of ds-run, to the user's model and optimizer."""
        capture = self.capture
        for name, tensor in [*capture.parameters.items(), *((n, capture.buffers[n]) for n in capture.changing)]:
            tensor.copy_(tensor_of(np.array(values[name])))
        capture.keep({(name, key): tensor_of(np.array(values[f"{name}.{key}"])) for name, key in capture.state})

    def load(self, path: str | os.PathLike[str]) -> None:
        """Reads a .safetensors of ds-run into the user's model and optimizer. Raises FrontendError if a value is
        missing."""
        values = arrays.read_safetensors(path)
        for name in (a["name"] for a in self.manifest["args"] if a["role"] in ("param", "state")):
            if name not in values:
                raise FrontendError(f"'{path}' has no '{name}'")
        self.assign(values)


def export(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Callable[..., Any], batch: Any, *, clip: Any = None, hyper: Any = (),
           mesh: Any = None, shardings: Any = None, samples: Any = (), apart: Any = (), name: str = "step", verify: str = "capture",
           time_limit: float | None = 600, memory_limit: float | None = None, written: Callable[[TorchExport], None] | None = None) -> TorchExport:
    """Exports one training step and returns a TorchExport.

    model       a torch.nn.Module in training mode, on the CPU
    optimizer   a torch.optim optimizer of its parameters
    batch       a pair (x, y), whose loss is loss_fn(model(x), y); or a dictionary of tensors, whose loss is
                loss_fn(model, batch). The first dimension of every tensor is the number of samples, or a multiple of it
    loss_fn     returns a scalar, or (scalar, {"name": scalar, ..}) with further metrics
    clip        a number: the global norm of the gradients is clipped to it by torch.nn.utils.clip_grad_norm_; or a
                function that takes the list of parameters and changes their .grad
    hyper       names of options of the optimizer that become arguments of the step, such as ("lr",); the others are
                constants
    mesh        the ranks as {axis: size}, or a DeviceMesh, whose first axis shards the batch
    shardings   {name of an argument: an axis, a tuple of axes or None for each dimension}, or the model after
                parallelize_module, distribute_tensor or fully_shard, which gives both mesh and shardings
    samples     names of buffers that forward writes and that hold one entry per sample in dimension 0, such as a hidden
                state
    apart       names of tensors of the batch with several rows per sample that the step reads as [rows, samples], not
                as [samples, rows]: the order of rows in the data of `fit` and ds-run
    name        of the files
    verify      "capture": the captured step runs beside the loop of model, loss_fn and optimizer for three steps, and
                an error names the first value that differs; "off": no such check
    time_limit, memory_limit    seconds (None: no limit) and GiB after which the export ends with an error; the default
                memory limit is three quarters of the memory that is free
    written     is called with the TorchExport as soon as its text is written, before the captured step is checked

    Parameters, buffers and states keep PyTorch's names: layer.weight, bn.running_mean, layer.weight.exp_avg. Raises
    FrontendError for a step that cannot be exported, with the line of the user's program.
    """
    with alone(), limits.watched(f"the export of '{name}'", time_limit, memory_limit):
        return TorchExport(model, optimizer, loss_fn, batch, clip, hyper, name, mesh, shardings, samples, apart, verify, written)
