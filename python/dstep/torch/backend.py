"""torch.compile(f, backend="dstep", options={"ranks": 4}): ds computes f and its gradients on n ranks.

    compute_loss = torch.compile(compute_loss, backend="dstep", options={"ranks": 4})     # the one line
    for x, y in loader:
        optimizer.zero_grad(); loss = compute_loss(model, x, y); loss.backward(); optimizer.step()

Optimizer, scheduler, clipping and the loop stay PyTorch's. If f ends in the loss, one step computes it with all
gradients; if f is a model alone, or the forward pass of DistributedDataParallel, results and gradients are separate
steps (compiled.py). Dropout draws the masks of data_parallel, from a seed that each call takes from PyTorch's
generator. Graphs without gradients (an optimizer's, an evaluation) run in PyTorch, with such masks.

In a script started by a launcher, ranks counts those of all processes, by default one for each. A process passes the
samples of its ranks, and gradients are means over the ranks. If a process holds several ranks, each computes f on its
share of the samples: f is compiled with dynamic=True, a scalar is the mean of those of the process's ranks, and the
process's gradients weigh as many ranks as it holds.

Every shape of the inputs is compiled once; each process compiles its own shapes. A batch whose size is no multiple of
the ranks, such as the last one of an epoch, runs on the largest number of ranks that divides it; a batch without
samples runs in PyTorch.

Options: ranks (1, or one for each process), config (as of data_parallel; batch=global), shapes (8, the number of compiled shapes of a function
that are kept), device ("cpu"), allow_outside (False; for processes whose script itself reduces gradients that PyTorch
computes outside of the compiled function), compare (100; in every 100th pass processes compare their parameters, 0:
never).
"""
import collections
import functools
import math
import re
import time

import torch

from ..base import checks, config as configuration
from ..base.errors import FrontendError, RunError, warn
from ..session.exchange import exchange
from ..session.launch import ranks_here, ranks_of_job, started_by
from .base import graph
from .dynamo import checkpoints, dirty, pairs, results, shares
from .dynamo.compiled import Call, Compiled, Given, SAMPLE, WHOLE, inputs_of
from .dynamo.steps import LATE
from .functions import StepFunctions, batch_norm, exporting
from .training import outside, replicas

OPTIONS = ("ranks", "config", "shapes", "device", "allow_outside", "compare")
# Names of functions that may draw random numbers.
_RANDOM = re.compile("drop|rand|normal|bernoulli|attention|rrelu|gumbel|lstm|gru|rnn")
compiled: list[Compiled] = []  # the graphs that this process has compiled, for tests
# Options of functions with a compiled first graph; torch.compile passes the same dictionary to all graphs of a
# function.
_begun: list[dict] = []


def refuse_between(names, values):
    """Refuses values that PyTorch has computed from parameters between two parts of a compiled function: their
    gradients are not reduced over the processes."""
    for name, value in zip(names, values):
        if isinstance(value._base, torch.nn.Parameter) and value._base.is_complex():  # given as a pair
            continue
        for node in results.behind(value, ends=lambda node: getattr(node, "_forward_cls", None) is _Call):
            variable = getattr(node, "variable", None)
            if isinstance(variable, torch.nn.Parameter):
                raise FrontendError(f"PyTorch computes '{name}' with a parameter of shape {tuple(variable.shape)} outside of the compiled function, where its gradient "
                                    f"is not combined with other processes; {outside.of_hook(variable) or WHOLE}, and {outside.ALLOWED}")


_MEMBER = re.compile(r"\._(?:modules|parameters|buffers)\['([^']*)'\]|\['([^']*)'\]|\[(\d+)\]")


def given_of(module):
    """Returns [Given] for the inputs of a graph of Dynamo, with the names in the user's program: 'x',
    'self.out.weight'."""
    found, taken = [], set()
    for node in module.graph.nodes:
        if node.op != "placeholder":
            continue
        text = getattr(getattr(node, "_dynamo_source", None), "name", "")
        name = _MEMBER.sub(lambda part: "." + next(filter(None, part.groups()), ""), re.sub(r"^[LG]\['(\w+)'\]", r"\1", text() if callable(text) else text))
        if handed := re.fullmatch(r"___stack(\d+)(.*)", name):
            name = f"value {handed[1]}{handed[2]} of the part before"
        elif not re.fullmatch(r"[A-Za-z]\w*(\.\w+)*", name) or name in taken:
            name = node.name.removeprefix("l_").rstrip("_")
        taken.add(name)
        found.append(Given(name, "_parameters_" in node.name or "_buffers_" in node.name))
    return found


def _takes_value(node):
    """True if a node makes a number of an input tensor: a changed number of Python, or a scalar of numpy, whose method
    Dynamo wraps."""
    of_python = (node.op, node.target) == ("call_method", "item")
    return (of_python or node.op == "call_function" and getattr(node.target, "__name__", "") == "wrapped_item") and node.args[0].op == "placeholder" and \
        getattr(node.args[0].meta.get("example_value"), "ndim", 0) == 0


def _read_as_tensors(module):
    """Returns (the graph, the numbers of these inputs). A number that changes between calls is a tensor whose value
    Dynamo's graph reads; a step takes the tensor itself. Reads of such a number that Dynamo has answered by a guard
    stay in the graph without a user, and are erased."""
    for node in reversed(module.graph.nodes):
        if node.op == "call_function" and not node.users and isinstance(node.meta.get("example_value"), (torch.SymInt, torch.SymFloat, torch.SymBool, int, float)):
            module.graph.erase_node(node)
    numbers, inputs = set(), [node for node in module.graph.nodes if node.op == "placeholder"]
    for node in list(module.graph.nodes):
        if _takes_value(node):
            numbers.add(inputs.index(node.args[0]))
            node.replace_all_uses_with(node.args[0])
            module.graph.erase_node(node)
    module.recompile()
    return module, numbers


def _seed():
    """Returns a seed for a call. It is drawn from PyTorch's generator, so masks follow manual_seed, saved states and
    checkpoints, and two functions or parts draw different ones."""
    return tuple(torch.randint(2**31, (2,), device="cpu").tolist())


def _of_rank(seed, rank):
    """Returns the seed in the form of a rank's step with decorrelate_seeds (ds/Rewrite/SeedHash.h)."""
    word = rank
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        word = (word ^ word >> shift) * factor % 2**32
    return torch.tensor([seed[0] ^ word, seed[1]], dtype=torch.uint32).view(torch.int32)


def _without_gradients(module, rank):
    """Returns a graph in PyTorch, with the masks of this rank's step: a checkpoint with use_reentrant=True runs it so,
    and then again for its gradients."""
    if not any(node.op in ("call_function", "call_method") and _RANDOM.search(getattr(node.target, "__name__", str(node.target))) for node in module.graph.nodes):
        return module.forward
    draws = None  # unknown until the first call: Dynamo's examples have no values, and symbolic sizes

    def run(*values):
        nonlocal draws
        if draws is None:
            copies = [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in values]
            with torch.random.fork_rng(devices=[]), StepFunctions(torch.zeros(2, dtype=torch.int32)) as functions, exporting():
                module(*copies)
            draws = bool(functions.random.drawn)
        if not draws:
            return module(*values)
        with StepFunctions(_of_rank(_seed(), rank)), exporting():
            return module(*values)
    run.in_pytorch = True
    return torch.compiler.disable(run)


def _config(options):
    given = configuration.context() | checks.mapping("config", options.get("config"), "{key: value}")
    if started_by() is None:
        return {"batch": "global"} | given
    ranks = ranks_of_job(checks.integer("ranks", options["ranks"], 1) if "ranks" in options else None, given)
    given |= {"device_num": ranks} if ranks > started_by()[1] else {}
    return replicas.config_of_process(given)


class Function:
    """A graph of Dynamo, compiled for each shape of its inputs."""

    def __init__(self, module, options, given=None):
        module, self.numbers = _read_as_tensors(module)
        self.are_constant = False  # True: the numbers are constants, since an operation takes no tensor in their place
        module, self.complex = pairs.of_graph(module)
        self.module, self.calls, self.known = checkpoints.by_tensors(dirty.by_copies(module)), 0, collections.OrderedDict()
        # The number of compiled shapes, their compile time, and the number in the last warning.
        self.shapes, self.seconds, self.told = 0, 0.0, 0
        self.given = given_of(module)
        # True: a part after a graph break.
        self.is_part = any(given is begun for begun in _begun) or any("l_stack" in node.name for node in module.graph.nodes)
        if given is not None and not self.is_part:
            _begun.append(given)
        self.joined = started_by() is not None
        self.allows, self.compare = checks.boolean("allow_outside", options.get("allow_outside", False)), checks.integer("compare", options.get("compare", 100), 0)
        compiling = torch._guards.CompileContext.current_compile_id()
        # True: Dynamo leaves a further variant to PyTorch.
        self.is_last = compiling is not None and compiling.frame_compile_id + 1 >= torch._dynamo.config.recompile_limit
        self.constants = functools.cache(functools.partial(replicas.constants, module))
        self.limit, self.config = checks.integer("shapes", options.get("shapes", 8), 1), _config(options)
        # `here`: the ranks of this process that share its samples, each of which runs the graph on its own.
        self.ranks, self.here = checks.integer("ranks", options.get("ranks", 1), 1), 1
        if self.joined:
            self.ranks = ranks_of_job(None, self.config)
            self.here = len(ranks_here(self.ranks))
        self.device = checks.device(options.get("device", "cpu"))
        if self.joined and self.device != "cpu":
            raise ValueError(f"options= has device '{self.device}', but a launcher has started this script, where a compiled function is computed on the CPU; leave it "
                             "out, or start the script once with \"ranks\"")
        if not self.joined and self.ranks > 1 and self.config["batch"] == "local":
            raise ValueError("options= has batch=local, which is for processes that a launcher starts; ranks of one process compute one batch together, batch=global")

    def __call__(self, *given):
        values = pairs.real(given)
        made = self.compiled(values)
        if made is None:
            return self.module(*values)
        tensors, whole = values, given
        if len(values) > len(made.inputs) - self.joined:  # numbers are among them
            tensors, whole = ([v for v in self._constant(each) if isinstance(v, torch.Tensor)] for each in (values, given))
        new = [whole[i] for i in made.held if id(whole[i]) not in outside.known]
        if new:
            outside.read(new, self.allows, self.joined)
            if self.joined:
                replicas.begin(new)
        if self.is_last:
            outside.limit([whole[i] for i in made.held])
        if self.joined:
            tensors = [*tensors, made.sample]
        numbers = [(self.given[i].name, values[i]) for i in sorted(self.numbers)] if self.joined else ()
        outputs = pairs.whole(made.with_views(_Call.apply(self, made, numbers, *tensors), tensors), self.complex)
        return outputs[0] if made.is_single else outputs

    def _constant(self, values):
        """Returns the values with numbers in place of tensors if these are constants."""
        return [v.item() if i in self.numbers else v for i, v in enumerate(values)] if self.are_constant else values

    def compare_processes(self, made, numbers):
        """Compares the processes before gradients are reduced."""
        replicas.passed(self.compare, outside.trained, lambda: ([str(tuple(example.shape)) for example in made.example], self.constants() + [
            (f"the number '{name}'", repr(value.item())) for name, value in numbers]))

    def compiled(self, values):
        values = self._constant(values)
        key = tuple((v.shape, v.dtype, v.requires_grad) if isinstance(v, torch.Tensor) else v for v in values)
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        begun = time.monotonic()
        if self.joined:
            exchange(self.config)  # the other processes notice the end of one that cannot compile, since it has joined the world
        try:
            self.known[key] = made = self._compile(values)
        except graph.ValueAsked:  # the step reads the value of a number
            if self.are_constant or not self.numbers:
                raise
            self.are_constant = True
            return self.compiled(values)
        self.shapes, self.seconds = self.shapes + 1, self.seconds + time.monotonic() - begun
        compiled.extend([made] if made else [])
        if len(self.known) > self.limit:
            self._forget()
        return made

    def _forget(self):
        """Drops the least recently called steps. Open passes keep theirs."""
        _, made = self.known.popitem(last=False)
        if made in compiled:
            compiled.remove(made)
        if self.shapes >= 2 * self.told:
            self.told = self.shapes
            warn(f"the compiled function is called with {self.shapes} shapes of its inputs so far, compiled in {self.seconds:.1f} s; the {self.limit} of the last calls are "
                 'kept, and others compiled anew: pad them (dstep.torch.padded), leave incomplete batches out (drop_last=True), or raise options={"shapes": ..}')

    def _compile(self, values):
        """Returns the steps for these shapes, or None if there are no samples."""
        at = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]
        given, tensors = [self.given[i] for i in at], [values[i] for i in at]
        if self.joined and not self.allows and not outside.is_combined():
            refuse_between([each.name for each in given], tensors)
        divided = self.ranks if self.is_part and not self.joined else 1
        inputs, samples = inputs_of(given, tensors, divided, self.joined)
        if self.joined and samples == 0:
            raise RunError("the compiled function is called with a batch of no samples, expected at least one in each process: the others wait for its gradients")
        if not samples and not self.joined:
            return None

        # Sizes that Dynamo passes as numbers are constants of a shape.
        def run(values, *tensors):
            all = list(values)
            for i, tensor in zip(at, tensors):
                all[i] = tensor
            with torch.fx.traceback.preserve_node_meta():  # keeps the lines of the user's program
                return torch.fx.Interpreter(self.module).run(*all)

        shared, ranks = None, self.ranks if self.joined else math.gcd(self.ranks, samples or 1)
        if self.here > 1:
            shared, samples, values, tensors = shares.of_rank(self.module, run, self.here, inputs, samples, values, at)
        if self.joined:
            given, tensors = [*given, SAMPLE], [*tensors, torch.ones(samples or 1)]
        if ranks < self.ranks and not self.known and not self.is_part:
            warn(f"a batch of {samples} samples runs on {ranks} of {self.ranks} ranks, which divide it; expected a multiple of {self.ranks}")
        return Compiled(functools.partial(run, values), given, tensors, ranks, self.config, self.joined, self.device,
                        divided, shared=shared)


def _scaled(ctx, scale):
    """Returns the gradients that the forward pass has computed, times that of the loss. A pass that is the last one hands
    them over, so that PyTorch keeps them as .grad without a copy."""
    gradients = ctx.gradients
    if gradients is None:
        raise RunError("backward goes through the compiled function a second time, after its gradients were handed over; "
                       "expected retain_graph=True in the first backward")
    if not torch._C._autograd._get_current_graph_task_keep_graph():
        ctx.gradients = None
        if scale.item() == 1:
            return gradients
    return {i: g * scale for i, g in gradients.items()}


class _Call(torch.autograd.Function):
    @staticmethod
    def forward(ctx, function, made, numbers, *values):
        ctx.function, ctx.numbers, ctx.made, ctx.call = function, numbers, made, Call(function.calls, _seed() if made.draws else None)
        function.calls += 1
        # A complex parameter is passed as a view of it.
        ctx.parameters = [(i, values[i] if id(values[i]) in outside.known else values[i]._base) for i in made.combines]
        # Results besides the loss may get gradients.
        is_open = made.backward is None and len(made.tangents) > 1
        # The step writes buffers, and the inputs may change before backward.
        before = [v.clone() if i in made.changing or i in made.cloned else v for i, v in enumerate(values)] if is_open else ()
        outputs, ctx.gradients, saved = made.run_forward(values, ctx.call)
        if made.backward is not None:
            ctx.save_for_backward(saved, *[values[i].clone() if i in made.cloned else values[i] for i in made.kept])
            ctx.late = {(LATE, i): values[i] for i in made.late}
        elif is_open:
            ctx.save_for_backward(*before)
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*[output for k, output in enumerate(outputs) if k not in made.tangents])
        return tuple(outputs)

    @staticmethod
    @torch.compiler.disable  # Dynamo compiles what a backward pass calls that is inside of a compiled function
    def backward(ctx, *tangents):
        made = ctx.made
        if torch.is_grad_enabled():
            raise RunError("the compiled function has first derivatives alone, expected backward without create_graph=True; compile a function that ends in the loss whose "
                           "gradient it takes by torch.autograd.grad, or leave this one to PyTorch")
        if made.loss is None:
            if ctx.parameters:
                ctx.function.compare_processes(made, ctx.numbers)
            saved, *kept = ctx.saved_tensors
            gradients = made.run_backward(dict(zip(made.kept, kept)) | ctx.late, [tangents[k] for k in made.tangents], saved, ctx.call)
        elif all(tangents[k] is None for k in made.tangents if k != made.loss):
            gradients = _scaled(ctx, tangents[made.loss])
        else:
            values, wanted = ctx.saved_tensors, made.all_results
            _, _, saved = wanted.run_forward(values, ctx.call)
            gradients = wanted.run_backward({i: values[i] for i in wanted.kept}, [tangents[k] for k in wanted.tangents], saved, ctx.call)
        outside.arrived([parameter for i, parameter in ctx.parameters if gradients.get(i) is not None])
        return (None, None, None, *(gradients.get(i) for i in range(len(made.inputs))))


def ds(module, inputs, *, options=None):
    """The backend: returns a function for a graph of Dynamo. Raises ValueError for unknown options."""
    given, options = options, checks.mapping("options", options or {}, "{key: value}")
    for name in options:
        if name not in OPTIONS:
            raise ValueError(f"options= has '{name}', expected {', '.join(OPTIONS[:-1])} and {OPTIONS[-1]}")
    if not torch.is_grad_enabled() or not any(isinstance(value, torch.Tensor) and value.requires_grad for value in inputs):
        # A graph of an optimizer, or of an evaluation.
        config = _config(options)
        is_own = started_by() and config.get("decorrelate_seeds")
        return _without_gradients(module, ranks_here(ranks_of_job(None, config))[0] if is_own else 0)
    return torch.compiler.disable(Function(module, options, given))


outside.BACKENDS.add(ds)
if started_by():
    batch_norm.trace_by_dynamo()
