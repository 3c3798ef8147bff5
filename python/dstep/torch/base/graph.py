"""Tidies the FX graph of a step: removes copies, writes into arguments and dead code, and refuses what a step cannot
contain."""
import copy
import operator

import torch
from torch.fx import _lazy_graph_module
from torch._guards import TracingContext, tracing
from torch._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensor

from ...base.errors import FrontendError
from . import places
from .known import ASKING, PICKING, Functional, Shapes, plain

aten = torch.ops.aten
COPIES = (aten.clone.default, aten.detach.default, aten.detach_.default, aten.alias.default, aten.lift_fresh_copy.default, aten.lift_fresh.default,
          aten.contiguous.default)


class ValueAsked(FrontendError):
    """The step reads the value of a tensor."""


def meta(node):
    """Returns shape and dtype of a node, constants included."""
    if "tensor_meta" not in node.meta and node.op == "get_attr":
        return getattr(node.graph.owning_module, node.target)
    return node.meta["tensor_meta"]


def _same_type(target, source):
    target, source = meta(target), meta(source)
    return target.shape == source.shape and target.dtype == source.dtype


def copies(node):
    """Yields the nodes that hold the same values."""
    for user in node.users:
        if user.target in COPIES:
            yield user
            yield from copies(user)


def unwritten():
    """A context in which modules of graphs get their code when they are first called: ds reads graphs."""
    return _lazy_graph_module._use_lazy_graph_module(True)


def copied(module):
    """Returns a module with a graph of its own."""
    with unwritten():
        return _lazy_graph_module._make_graph_module(module, copy.deepcopy(module.graph))


def tidy(module):
    """Erases copies and profiler marks, replaces a write by its value, and drops dead nodes."""
    graph = module.graph
    for node in reversed(graph.nodes):
        if node.op == "call_function" and getattr(node.target, "namespace", "") == "profiler":
            graph.erase_node(node)
    for node in list(graph.nodes):
        if node.op == "call_function" and node.target in COPIES:
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
        elif node.op == "call_function" and node.target in (aten.copy_.default, aten.copy.default) and _same_type(*node.args[:2]):
            node.replace_all_uses_with(node.args[1])
            graph.erase_node(node)
    graph.eliminate_dead_code()
    graph.lint()
    return module


def functional(function):
    """Returns a function of tensors without writes, for make_fx. PyTorch's autograd runs inside of it, as in eager
    training."""
    def run(*arguments):
        with Functional():
            return plain(function(*[FunctionalTensor.to_functional(a) for a in arguments]))
    return run


def lifted(tensors):
    """Returns constants in the form of a functional step's tensors, so that values computed from them can be
    written."""
    if torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FUNCTIONAL) is None:
        return tensors
    return {name: FunctionalTensor.to_functional(t) for name, t in tensors.items()}


def is_written(tensor):
    return isinstance(tensor, FunctionalTensor) and torch._functionalize_has_data_mutation(tensor.elem)


def traced(trace, example, by_shapes=False):
    """Returns the graph of `trace(*example)`, if asked `by_shapes` without computing; an error names the line where the
    step reads the value of a tensor. make_fx notes the type of each value in the FakeTensorMode that is there, and would
    make one for each value."""
    context = TracingContext(Shapes(example)) if by_shapes else TracingContext.try_get() or TracingContext(FakeTensorMode())
    try:
        with tracing(context), unwritten():
            if not by_shapes:
                return trace(*example)
            with context.fake_mode as shapes:
                return trace(*shapes.arguments)
    except (RuntimeError, AssertionError) as error:
        if "mutating a non-functional tensor" in str(error):
            raise FrontendError(f"the step writes a tensor{places.of_error(error)} that it does not carry, expected a parameter or buffer of the model") from error
        asking = "_local_scalar_dense", "data-dependent", "aten.nonzero", "aten.masked_select", ".numpy() is not supported"
        if not isinstance(error, DynamicOutputShapeException) and not any(name in str(error) for name in asking):
            raise
        raise ValueAsked(f"the step asks for the value of a tensor{places.of_error(error)}, expected a step that is the same for all batches; a value that is only "
                            "shown can be a metric of loss_fn") from error


def written(module, names):
    """Returns the names of the first arguments whose result in the same position is another value."""
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    results = next(node for node in module.graph.nodes if node.op == "output").args[0]
    return {name for name, argument, result in zip(names, placeholders, results) if argument is not result}


def check_updates(module, names, changing):
    """Raises FrontendError for an update that functionalisation missed; it would silently leave an argument
    unchanged."""
    updated = written(module, names)
    for name in names:
        if name in changing and name not in updated:
            raise FrontendError(f"the step changes '{name}' in a way that cannot be traced; write it with operations that return a new tensor")


def operation_name(node):
    return node.target._schema.name.rpartition("::")[2] if isinstance(node.target, torch._ops.OpOverload) else str(node.target)


def _has_mask(node):
    """True if the node indexes by booleans, so that the number of elements depends on them."""
    return any(index is not None and meta(index).dtype in (torch.bool, torch.uint8) for index in node.args[1])


def refuse(module):
    """Raises FrontendError for operations that a step cannot contain, with their replacement."""
    for node in module.graph.nodes:
        if node.op != "call_function" or node.target is operator.getitem:
            continue
        name, tags = operation_name(node), set(getattr(node.target, "tags", ()))
        if torch.Tag.nondeterministic_seeded in tags:
            raise FrontendError(f"'{name}'{places.of(node)} draws random numbers that n ranks cannot share; dropout, torch.rand, torch.randn and "
                                "torch.bernoulli have a form that they can")
        if _has_mask(node) if node.target in PICKING else ASKING & tags:
            raise FrontendError(f"'{name}'{places.of(node)} makes the step depend on the values of a tensor, expected a step that is the same "
                                "for all batches")
