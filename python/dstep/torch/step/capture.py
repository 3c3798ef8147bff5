"""A training step of PyTorch as a flat function of tensors, and its graph.

    step(parameters.., buffers.., optimizer state.., batch.., seed?, hyper..) ->
        (new parameters.., new buffers.., new optimizer state.., metrics..)

The forward and backward pass are the user's own module, with parameters replaced for the call, and PyTorch's autograd;
the update is that of the user's optimizer (optimizers/). make_fx makes a graph of it, without writes
(graph.functional).
"""
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from ...base import limits
from ...base.errors import FrontendError
from .. import decompositions
from ..base import checks, graph, hooks, marks, watch
from ..base.values import check_in_place, computed, is_dense, kind, replaced as holding
from ..functions import StepFunctions, exporting, uncompiled
from ..optimizers import structure, torch_optim as optimizers
from ..optimizers.foreign import Foreign
from ..verify import alike
from .inside import only_the_loss

# Parameters times elements of the batch
LONG = 1e9


class Capture:
    """The user's objects, by name. `batch` maps names to tensors; `form` is the form that the loss function takes."""

    def __init__(self, model, optimizer, loss_fn, batch, clip=None, hyper=(), whole=False):
        self.model = checks.model(model)
        self.batch, self.form = checks.batch(batch)
        self.loss_fn, self.clip = loss_fn, clip
        self.parameters = dict(self.model.named_parameters())
        names = {id(p): n for n, p in self.parameters.items()}
        optimizers.check(optimizer, names)
        self.optimizer, self.names = optimizer, names
        self.hyper = checks.hyper(optimizer, hyper)
        self.buffers = dict(self.model.named_buffers())
        self.metrics, self.random = {}, False
        self.told = True  # True: the model may detect that it is exported
        self.refused = set()  # the parts of a batch that the code does not take
        limits.phase("running the model once")
        self._probe(whole)
        # The optimizer as a pure function.
        self.pure = (Foreign if optimizers.is_foreign(optimizer) else optimizers.Own)(optimizer, names, self.trained)
        self.state = self.pure.state

    def loss(self, model, batch):
        """Returns (loss, metrics) of the user's loss function in either of its forms."""
        # PyTorch records the source lines of calls inside a function of this name.
        def forward():
            if self.form is dict:
                return self.loss_fn(model, dict(batch))  # a copy, which the function may change
            inputs, target = batch.values()
            return self.loss_fn(model(inputs), target)

        with only_the_loss(), uncompiled():
            result = forward()
        loss, metrics = result if isinstance(result, tuple) else (result, {})
        return checks.loss(loss), checks.metrics(metrics)

    def _probe(self, whole):
        """Runs one eager step on a copy, a long one with a part of the batch if its code takes it and no error asks for
        the `whole`: finds the parameters with a gradient, the buffers that change, and whether random numbers are drawn.
        What libraries keep, such as masks, they keep from here on with its values."""
        parts = [alike.short, alike.few] if self.is_long() and not whole else []
        # A library omits more than checks when it is exported, such as the mask that it makes by default.
        for self.told, part in [(told, part) for told in (True, False) for part in (*parts, None)]:
            batch, self.is_whole = part(self.batch) if part else self.batch, part is None
            if batch is None:
                continue
            try:
                after, buffers, functions, self.changing, loss, metrics = self._step_once(batch)
            except Exception as error:
                if self.is_whole and (isinstance(error, FrontendError) or not self.told):
                    raise
                self.refused.add(part)
                continue
            self.refused.discard(part)
            held = set(optimizers.parameter_names(self.optimizer, self.names))
            self.trained = [n for n in self.parameters if n in held and after[n].grad is not None]
            if self.trained:
                break
            if self.is_whole:
                raise FrontendError("the optimizer updates no parameter that the loss depends on")
        self.random = functions.random.drawn
        self.metrics = {"loss": loss, **metrics}
        for name in self.changing:
            if not is_dense(buffers[name]):
                raise FrontendError(f"forward writes the buffer '{name}', which is {kind(buffers[name])}, expected a dense one")
        # Changed by these samples; the check of the capture adds those that its samples change.
        self.moving = {n for n in self.changing if not torch.equal(buffers[n], self.buffers[n])}

    def is_long(self):
        """True if a step may take more than a tenth of a second."""
        return sum(p.numel() for p in self.parameters.values()) * max(t.numel() for t in self.batch.values()) > LONG

    def _step_once(self, batch):
        """Returns (parameters with gradients, buffers after it, functions, names of buffers that it changes, loss, metrics)."""
        model = structure.copied(self.model, computed(self.model))
        batch = {k: v.clone() for k, v in batch.items()}
        own, buffers = dict(model.named_parameters()), dict(model.named_buffers())
        of_batch = {f"batch['{name}']": tensor for name, tensor in batch.items()}
        functions, watched = StepFunctions(torch.zeros(2, dtype=torch.int32)), watch.Watch(buffers | of_batch)
        # The loss may reach the model by another name than its argument: it finds the copy's tensors there.
        with functions, exporting(self.told), watched, holding(self.model, own | buffers):
            loss, metrics = self.loss(model, batch)
            check_in_place(model, own)
            if not loss.requires_grad:
                raise FrontendError("the loss depends on no parameter of the model")
            torch.autograd.backward(loss)
            norm = self.clip_gradients({n: p for n, p in own.items() if p.grad is not None})
            after = dict(model.named_buffers())
        changed = watched.changed(after | of_batch)
        for name in changed:
            if name in of_batch:
                raise FrontendError(f"the step writes {name}{watched.place(name)}, expected one that leaves its batch as it is, since a "
                                    "loop of PyTorch reads later what was written; write a copy, such as its clone()")
        return own, after, functions, changed, loss, metrics | norm

    def clip_gradients(self, holders):
        """Changes .grad of the holders, by name, as `clip` demands; returns the norm as a metric if `clip` computes
        one."""
        if self.clip is None:
            return {}
        given = list(holders.values())
        with holding(self.model, holders):  # a function of the user's may reach the model, too
            norm = self.clip(given) if callable(self.clip) else torch.nn.utils.clip_grad_norm_(given, self.clip, foreach=False)
        return {"grad_norm": norm} if isinstance(norm, torch.Tensor) and norm.dim() == 0 else {}

    def clipped(self, values, gradients):
        holders = {n: values[n].detach().clone() for n in gradients}
        for n, gradient in gradients.items():
            holders[n].grad = gradient.clone()
        found = self.clip_gradients(holders)
        return {n: h.grad for n, h in holders.items()}, found

    def __call__(self, values, state, batch, seed, hyper):
        """Returns new (values, state, metrics); `values` are parameters and changing buffers by name."""
        with StepFunctions(seed), exporting():
            trained = {n: values[n].detach().requires_grad_() for n in self.trained}
            # Other parameters that require a gradient get an unused one: a checkpoint checks whether its inputs require
            # one.
            wanting = {n: values[n].detach().requires_grad_() for n, p in self.parameters.items() if p.requires_grad and n not in trained}
            constants = graph.lifted({n: b for n, b in self.buffers.items() if n not in self.changing and is_dense(b)})
            replaced = constants | {n: v.clone() if n in self.changing else v for n, v in values.items()} | wanting | trained
            with torch.enable_grad(), holding(self.model, replaced), exporting(self.told):
                loss, metrics = self.loss(self.model, batch)
                check_in_place(self.model, trained)
                # Within the block: a checkpoint runs modules again, with these parameters and buffers.
                torch.autograd.backward(loss)
                found = dict(self.model.named_buffers())
                buffers = {n: found[n] for n in self.changing}
            for n, b in constants.items():
                if found[n] is not b or graph.is_written(b):
                    raise FrontendError(f"the step writes the buffer '{n}' when it is run again, and did not at first, expected the same in every step")
            gradients = {n: p.grad for n, p in trained.items()}
            for n, gradient in gradients.items():
                if gradient is None:
                    raise FrontendError(f"the gradient of '{n}' is written by an autograd function of the model, expected one that returns it")
            gradients = {n: hooks.gradient(n, self.parameters[n], trained[n], g) for n, g in gradients.items()}
            trained = {n: values[n] for n in self.trained}
            # Annotated before clipping and the optimizer, which must read the gradients of all ranks.
            gradients = {n: marks.gradient(g, n) for n, g in gradients.items()}
            gradients, norms = self.clipped(values, gradients)
            updated, state = self.pure.update(trained, gradients, state, hyper)
        return values | buffers | updated, state, {"loss": loss.detach()} | metrics | norms

    # The flat form.
    def leaves(self, state=None):
        """Returns (name, tensor) of everything carried from step to step."""
        carried = [(n, p.detach()) for n, p in self.parameters.items()] + [(n, self.buffers[n]) for n in self.changing]
        return carried + [(f"{name}.{key}", value) for (name, key), value in (state or self.state).items()]

    def state_now(self):
        """Returns the optimizer's current state; its initial one where there is none yet."""
        held = self.pure.held(self.optimizer, self.parameters)
        return {k: held[k] if held[k] is not None else value for k, value in self.state.items()}

    def keep(self, state):
        """Writes a state to the user's optimizer."""
        self.pure.keep(self.optimizer, self.parameters, state)

    def hyper_now(self):
        return checks.hyper(self.optimizer, self.hyper)

    def inputs(self, batch=None, seed=0, step=0, hyper=None):
        inputs = list((batch or self.batch).values())
        inputs += [torch.tensor([seed, step], dtype=torch.int32)] if self.random else []
        return inputs + [torch.tensor(value) for value in (hyper or self.hyper).values()]

    def flat(self, *leaves):
        leaves = list(leaves)
        take = lambda count: [leaves.pop(0) for _ in range(count)]
        held = list(self.parameters) + self.changing
        values = dict(zip(held, take(len(held))))
        state = dict(zip(self.state, take(len(self.state))))
        batch = dict(zip(self.batch, take(len(self.batch))))
        seed = take(1)[0] if self.random else None
        values, state, metrics = self(values, state, batch, seed, dict(zip(self.hyper, leaves)))
        self.metrics = metrics
        return tuple([values[n] for n in held] + list(state.values()) + list(metrics.values()))

    def graph(self, by_shapes, batch=None):
        """Returns the step traced for a batch, by default the example; it runs in PyTorch as it is, before tidying makes
        strides differ."""
        example = [leaf if by_shapes else leaf.clone() for _, leaf in self.leaves()] + self.inputs(batch)
        trace = make_fx(graph.functional(self.flat), decomposition_table=decompositions.table(), tracing_mode="real")
        limits.phase("tracing the step")
        module = graph.traced(trace, example, by_shapes)
        # Zeros in place of the traced metrics.
        self.metrics = {name: torch.zeros((), dtype=value.dtype) for name, value in self.metrics.items()}
        return module
