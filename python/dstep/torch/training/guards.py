"""Guards on the user's objects that are built into an exported step: when one no longer holds, the step is exported
again.

Dynamo traces the loss as one frame, which never runs. Its guards cover what the loss reads of modules, criteria, lists,
dictionaries, closures and globals. Tensors that the frame reads are also guarded by identity. Those that are neither
parameters nor buffers carried by the step are constants of the step: their contents are compared by their version
counters, and numpy's arrays by their bytes.

Where Dynamo breaks the frame, the loss runs in parts on the user's objects, which are restored; the guards of all parts
count, each with the inputs of its part. Code that Dynamo leaves to Python, and functions beside the loss (hooks,
clipping), are watched by the walk that checks a capture (verify/objects.py), which covers more than they read. The
optimizer: optimizers/options.py.
"""
import contextlib
import functools
import logging
import os
import re
import sys
import sysconfig
import warnings
from unittest import mock

import numpy as np
import torch

from ..base.values import is_dense
from ..optimizers import options
from ..verify.objects import ARRAY, HERE, Objects

PYTHON = tuple(os.path.realpath(path) + os.sep for path in (sysconfig.get_path("stdlib"), os.path.dirname(torch.__file__), HERE))
# Guards that torch.compile omits for speed, or numbers that it makes arguments of its graph.
GUARDED = {"skip_tensor_guards_with_matching_dict_tags": False, "skip_no_tensor_aliasing_guards_on_parameters": False,
           "automatic_dynamic_shapes": False, "specialize_int": True, "specialize_float": True, "allow_rnn": True, "suppress_errors": True,
           "recompile_limit": sys.maxsize, "accumulated_recompile_limit": sys.maxsize}


def _of_pair(model, loss_fn, batch):
    inputs, target = batch.values()
    return loss_fn(model(inputs), target)


def _of_whole(model, loss_fn, batch):
    return loss_fn(model, batch)


@functools.cache
def _part():
    """Returns the class of a frame's guards, created at the first use of PyTorch's compiler."""
    from torch._dynamo import guards, source
    no_places = source.RandomValueSource, source.SyntheticLocalSource, source.EphemeralSource, source.BackwardStateSource, source.TensorPropertySource

    class Part(guards.CheckFunctionManager):
        def __init__(self, code, graph, *arguments, **options):
            # Objects compared by identity are kept alive, so that no other object reuses their address.
            self.held, self.given = {}, graph.local_scope
            for place in graph.export_metadata.graph_input_idx_to_local_source.values():
                place = place.base if isinstance(place, source.NumpyTensorSource) else place
                if place is not None and not isinstance(place, no_places):
                    graph.guards.add(place.make_guard(guards.GuardBuilder.ID_MATCH))
            super().__init__(code, graph, *arguments, **options)

        def id_ref(self, value, name):
            self.held[id(value)] = value
            return id(value)

        def holds(self):
            return self.guard_manager.check(self.given)
    return Part


class Walk(Objects):
    """All objects that some roots reach, without copies of their contents."""
    KEEPS = False

    def _visit(self, name, value, owned):
        if not isinstance(value, (torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler)):
            super()._visit(name, value, owned)

    @property
    def held_tensors(self):
        return [tensor for _, tensor, *_ in self.tensors]

    def holds(self):
        wanted = all(tensor.requires_grad is before for _, tensor, _, before, *_ in self.tensors)
        return wanted and not self.renamed() and not self._refilled(ARRAY)


@contextlib.contextmanager
def _tracing(skips_hooks):
    from torch._dynamo import config
    from torch._dynamo.utils import dynamo_timed, get_metrics_context
    disabled = logging.root.manager.disable
    try:
        logging.disable(logging.WARNING)
        with warnings.catch_warnings(), torch.enable_grad(), config.patch(GUARDED | {"skip_nnmodule_hook_guards": skips_hooks}), get_metrics_context(), dynamo_timed("guards_of_a_step"):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)


def _of_frame(loss, given, skips_hooks):
    from torch._dynamo.convert_frame import fullgraph_capture
    with _tracing(skips_hooks):
        found = fullgraph_capture(loss, given)
        return [_part()(loss.__code__, found.graph_capture_output.output_graph)]


def _of_parts(loss, given, skips_hooks):
    """Returns guards for a loss that Dynamo does not take as one frame."""
    from torch._dynamo import convert_frame
    found, traced, ran = [], set(), {}

    class Part(_part()):
        def __init__(self, code, graph, *arguments, **options):
            super().__init__(code, graph, *arguments, **options)
            found.append(self)
            traced.update(graph.traced_code)

    def look(frame, event, argument):
        if event == "call" and frame.f_code not in ran:
            ran[frame.f_code] = dict(frame.f_locals), frame.f_globals

    def run(compiled):
        with Objects(model=given[0], loss_fn=given[1]), torch.enable_grad():
            compiled(*given)

    profile = sys.getprofile()
    sys.setprofile(look)
    try:
        run(loss)
    finally:
        sys.setprofile(profile)
    with _tracing(skips_hooks), mock.patch.object(convert_frame, "CheckFunctionManager", Part):
        run(torch.compile(loss, backend=lambda graph, inputs: graph.forward))
    # A part that reads values written by an earlier part does not hold at the start of a step.
    roots = {f"part {i}": part.given for i, part in enumerate(found) if not part.holds()}
    for code, (names, space) in ran.items():
        if code not in traced and code is not loss.__code__ and not os.path.realpath(code.co_filename).startswith(PYTHON):
            roots[code.co_qualname] = names | {name: space[name] for name in code.co_names if name in space}
    return [part for part in found if part.holds()] + ([Walk(**roots)] if roots else [])


class Guards:
    """Guards of the step of a Capture, for the current state of model, loss function and optimizer. `batch` is one for
    which the loss runs the same code. With `skips_hooks` Dynamo ignores the hooks of modules, and their number is
    compared instead."""

    def __init__(self, capture, batch, skips_hooks=False):
        self.capture, self.skips_hooks = capture, skips_hooks
        owners = [owner for owner in (capture.model, capture.loss_fn) if isinstance(owner, torch.nn.Module)]
        self.modules = [module for owner in owners for module in owner.modules()]
        loss, given = _of_whole if capture.form is dict else _of_pair, (capture.model, capture.loss_fn, batch)
        for watch in (_of_frame, _of_parts, lambda loss, given, _: [Walk(model=given[0], loss_fn=given[1])]):
            with contextlib.suppress(Exception):  # Dynamo cannot trace it, for one of many reasons
                self.parts = watch(loss, given, skips_hooks)
                break
        functions = options.functions(capture, self.modules)
        self.parts += [Walk(functions=functions)] if functions else []
        arguments = {id(t) for t in [*capture.parameters.values(), *(capture.buffers[n] for n in capture.changing), *capture.batch.values(), *batch.values()]}
        read = {id(v): v for part in self.parts for v in (part.held_tensors if isinstance(part, Walk) else part.held.values()) if id(v) not in arguments}
        self.tensors = [v for v in read.values() if isinstance(v, torch.Tensor)]
        self.arrays = [v for v in read.values() if isinstance(v, np.ndarray)]
        self.keys = options.keys(capture)
        self.note()

    def note(self):
        """Takes the current values as the reference for comparisons."""
        self.noted = self._now()

    def _now(self):
        contents = [(t.data_ptr() if is_dense(t) else 0, t._version) for t in self.tensors] + [a.tobytes() for a in self.arrays]
        hooks = [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in self.modules] if self.skips_hooks else None
        return options.now(self.capture, self.keys, self.modules), contents, hooks

    def hold(self):
        try:
            with torch.enable_grad():
                return all([part.holds() for part in self.parts]) and self._now() == self.noted
        except (RuntimeError, ValueError):  # other tensors or arrays, whose comparison has no single result
            return False

    def hold_from_now(self):
        """Takes the current values as the reference; returns whether the guards hold."""
        self.note()
        return self.hold()

    def changed(self):
        """Returns the guard that no longer holds, as text."""
        for part in self.parts:
            if not isinstance(part, Walk):
                found = part.guard_manager.check_verbose(part.given)
                if not found.result:
                    return re.sub(r"[LG]\['(\w+)'\]", r"\1", found.verbose_code_parts[0].partition("  # ")[0].strip())
            elif part.renamed():
                return f"'{part.renamed()[0].name}' as it was"
        return "the same options of the optimizer" if self._now()[0] != self.noted[0] else "the same values of a tensor that is no parameter"
