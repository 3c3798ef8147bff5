"""Tracks which gradients compiled functions have computed. Where processes train together, no optimizer may step on
another gradient, since the weights of the processes would diverge.

Code of PyTorch between two compiled parts is detected when the next part is compiled (backend.py), everything else when
an optimizer steps. A parameter that a compiled function reads records which passes of backward brought ds's gradient,
and which did not: graph breaks, a recompile limit, a call of the uncompiled model. A parameter that no compiled
function has read matters if its optimizer or a module also holds one that a function has read, or if a function or
module compiled by torch.compile for ds reaches it. Modules that reduce gradients themselves (DistributedDataParallel)
are exempt.
"""
import gc
import inspect
import itertools
import types
import weakref

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from ...base.errors import FrontendError, warn
from ...session.launch import started_by
from ..base import hooks

ALLOWED = 'options={"allow_outside": True} leaves what PyTorch computes to a script that combines its gradients itself'

BACKENDS: set = set()  # functions that torch.compile calls as a backend
# {id of a parameter or buffer that a compiled function has read: its record}
known: dict[int, "Held"] = {}
# Ids of parameters that an optimizer holds and that ds need not check.
_fine: weakref.WeakKeyDictionary[Optimizer, set[int]] = weakref.WeakKeyDictionary()
# Numbers of the optimizers that have stepped with parameters of compiled functions.
_stepped: weakref.WeakKeyDictionary[Optimizer, int] = weakref.WeakKeyDictionary()
_numbers = itertools.count()  # the same in all processes, which free objects at different times
_warned: set[str] = set()


class Held:
    """A parameter or buffer. `arrived` is the last pass of backward that brought a gradient of ds, `checked` is
    `arrived` at the last step of an optimizer, and `grad` is the tensor that the last pass left as .grad. `is_foreign`:
    a pass without ds has added to `grad`. `is_limited`: Dynamo compiles no further variant of a function that reads the
    tensor."""
    __slots__ = ("tensor", "number", "allows", "arrived", "checked", "grad", "is_foreign", "is_followed", "is_limited")

    def __init__(self, tensor, allows):
        self.tensor = weakref.ref(tensor, lambda _, number=id(tensor): known.pop(number, None))
        self.allows, self.grad = allows, None
        self.number, self.arrived, self.checked = next(_numbers), -1, -1
        self.is_foreign = self.is_followed = self.is_limited = False

    def follow(self, parameter):
        self.is_followed = True
        parameter.register_post_accumulate_grad_hook(_accumulated)

    def is_combined(self, grad):
        """True if an optimizer steps on a gradient of ds. Zeros are the same in all processes, and so is a gradient
        left from an earlier step."""
        is_old = self.grad is not None and self.grad() is grad
        if (self.is_foreign or self.arrived == self.checked and not is_old) and grad.any():
            return False
        self.checked = self.arrived
        if not is_old:
            self.grad = weakref.ref(grad)
        return True


def is_combined():
    """True if the script uses torch.distributed, which may reduce gradients between processes."""
    return torch.distributed.is_available() and torch.distributed.is_initialized()


def read(tensors, allows, joined=True):
    """Records that a compiled function reads these parameters and buffers for the first time."""
    for tensor in tensors:
        known[id(tensor)] = held = Held(tensor, allows or not joined)
        if not held.allows and tensor.requires_grad:
            held.follow(tensor)
    _fine.clear()


def trained():
    """Returns ({number: parameter} that compiled functions train identically in all processes, {number: optimizer} that
    has stepped with some of them)."""
    held = {each.number: each.tensor() for each in known.values() if not each.allows}
    parameters = {number: tensor for number, tensor in held.items() if isinstance(tensor, torch.nn.Parameter)}
    return parameters, {number: optimizer for optimizer, number in _stepped.items()}


def limit(tensors):
    """Records that Dynamo leaves further variants of a function that reads these tensors to PyTorch."""
    for tensor in tensors:
        known[id(tensor)].is_limited = True


def arrived(parameters):
    """Records that a pass of backward brings the reduced gradients of these parameters."""
    number = torch._C._current_graph_task_id()
    for parameter in parameters:
        held = known.get(id(parameter))
        if held is None:
            continue
        held.arrived = number
        if not held.is_followed and not held.allows:  # the parameter was frozen at the first read
            held.follow(parameter)
        if held.is_foreign and (parameter.grad is None or not parameter.grad.any()):
            held.is_foreign = False


@torch.compiler.disable
def _accumulated(parameter):
    held, grad = known.get(id(parameter)), parameter.grad
    if held is None or grad is None:
        return
    if held.grad is None or held.grad() is not grad:
        held.grad, held.is_foreign = weakref.ref(grad), False
    if held.arrived != torch._C._current_graph_task_id():
        held.is_foreign = True


# Searches among all objects of the process; done after an error is found, or once per optimizer.
def _is_module(value):
    return issubclass(type(value), torch.nn.Module)


def _living(*kinds):
    """Returns the objects of some types. PyTorch makes 400,000 objects of few types, which may have no hash."""
    objects = gc.get_objects()
    wanted = {number for number, kind in {id(kind): kind for kind in map(type, objects)}.items()
              if issubclass(kind, kinds)}
    return [each for each in objects if id(type(each)) in wanted]


def _modules():
    return [each for each in _living(torch.nn.Module) if "_parameters" in each.__dict__]


def of_hook(parameter):
    """Returns the cure for a backward hook of a module that holds a parameter, or ''."""
    holders = [each for each in _modules() if any(held is parameter for held in each.parameters())]
    for function in hooks.of_backward(inner for each in holders for inner in each.modules()):
        return f"Dynamo leaves a module with a backward hook{hooks.place(function)} to PyTorch: give the hook to a value of forward " \
               "(register_hook of a tensor), or compile DistributedDataParallel(model)"
    return ""


def names(numbers):
    """Returns {id: name} of parameters, by the largest module that holds each, among modules that hold one of
    `numbers`."""
    found: dict[int, tuple[int, bool, int, str]] = {}
    for module in _modules():
        named = list(module.named_parameters())
        if not any(id(parameter) in numbers for _, parameter in named):
            continue
        # Of modules of one size, wrappers by torch.compile or DistributedDataParallel come last.
        for name, parameter in named:
            entry = len(named), not name.startswith(("_orig_mod.", "module.")), len(name), name
            found[id(parameter)] = max(found.get(id(parameter), entry), entry)
    return {number: name for number, (*_, name) in found.items()}


def _is_for_ds(function):
    """True if torch.compile has made the function for ds, without allow_outside."""
    backend = dict(zip(function.__code__.co_freevars, function.__closure__ or ())).get("callback")
    backend = backend and backend.cell_contents
    while hasattr(backend, "_torchdynamo_orig_backend"):
        backend = backend._torchdynamo_orig_backend
    options = getattr(backend, "kwargs", {}).get("options") or {}
    return any(getattr(backend, "compiler_fn", backend) is each
               for each in BACKENDS) and not options.get("allow_outside")


def _reached(function):
    """Returns (name, modules) that a function given to torch.compile reaches by itself: its owner, its closure, the
    globals that it names."""
    function = inspect.unwrap(function)
    owner = function if _is_module(function) else getattr(function, "__self__", None)
    function = getattr(function, "__func__", function)
    if isinstance(owner, torch.nn.Module):
        return type(owner).__name__, [owner]
    code = getattr(function, "__code__", None)
    if code is None:
        return "", []
    values = [*getattr(owner, "__dict__", {}).values(), *(function.__globals__.get(name) for name in code.co_names)]
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:  # an empty cell
            continue
    return code.co_name, [value for value in values if isinstance(value, torch.nn.Module)]


def _compiled():
    """Returns {id of a parameter that a function or module compiled for ds reaches: the name of the function or
    module}."""
    found: dict[int, str] = {}
    for each in _living(types.FunctionType, torch.nn.Module):
        if isinstance(each, types.FunctionType):
            if "_torchdynamo_orig_callable" not in each.__dict__ or not _is_for_ds(each):
                continue
            name, modules = _reached(each._torchdynamo_orig_callable)
        elif (called := each.__dict__.get("_compiled_call_impl")) is not None and _is_for_ds(called):
            name, modules = type(each).__name__, [each]
        else:
            continue
        if name == "DistributedDataParallel":
            name = f"DistributedDataParallel({type(modules[0].module).__name__})"
        found |= {id(parameter): name for module in modules for parameter in module.parameters()}
    return found


def _wrapped():
    """Returns the ids of parameters whose gradients a wrapping module reduces."""
    kinds = [DistributedDataParallel]
    if torch.distributed.is_available():
        from torch.distributed.fsdp import FullyShardedDataParallel
        kinds.append(FullyShardedDataParallel)
    return {id(p) for module in _modules() if isinstance(module, tuple(kinds)) for p in module.parameters()}


def _warn_of_nothing(parameters, targets):
    """Warns if Dynamo compiled no graph of a function or module that was given to ds, so that it trains in PyTorch."""
    named = {targets[id(p)] for p in parameters if id(p) in targets}
    seen = {targets[number] for number in known if number in targets}
    for name in sorted(named - seen - _warned):
        _warned.add(name)
        inside = "; give it the model inside, as in DistributedDataParallel(torch.compile(model, ..))"
        warn(f"ds computes nothing of '{name}', which torch.compile was given: Dynamo has compiled no graph of it, and "
             f"PyTorch trains it{inside * name.startswith('DistributedDataParallel(')} (TORCH_LOGS=graph_breaks names "
             "what Dynamo leaves out)")


def _check(optimizer, arguments, options):
    fine = _fine.setdefault(optimizer, set())
    held = [p for group in optimizer.param_groups for p in group["params"]]
    if optimizer not in _stepped and any(id(p) in known for p in held):
        _stepped[optimizer] = next(_numbers)
    outside, unread = [], []
    for p in held:
        if p.grad is None:
            continue
        of = known.get(id(p))
        if of is None:
            if id(p) not in fine and p.requires_grad and isinstance(p, torch.nn.Parameter):
                unread.append(p)
        elif not of.allows and not of.is_combined(p.grad):
            outside.append(p)
    if unread:
        targets, wrapped = _compiled(), _wrapped() if is_combined() else set()
        if started_by() is None:
            # There is one process, or the script reduces gradients itself.
            wrapped = {id(p) for p in unread}
        _warn_of_nothing([p for p in unread if id(p) in wrapped], targets)
        left = [p for p in unread if id(p) not in wrapped]
        if left and not any(id(p) in known and not known[id(p)].allows for p in held):
            ours = names({number for number, each in known.items() if not each.allows} | targets.keys())
            left = [p for p in left if id(p) in ours]
        outside += left
    if outside and is_combined():
        wrapped = _wrapped()
        for p in outside:
            if id(p) in known and id(p) in wrapped:
                known[id(p)].allows = True
        outside = [p for p in outside if id(p) not in wrapped]
    if outside:
        raise FrontendError(_refusal(optimizer, outside))
    fine |= {id(p) for p in unread}


def _refusal(optimizer, outside):
    first, others, targets = outside[0], len(outside) - 1, _compiled()
    found, of = names({id(first)}), known.get(id(first))
    named = f"'{found[id(first)]}'" if id(first) in found else "a parameter"
    more = f" and of {others} more parameter{'s' * (others > 1)}" if others else ""
    steps = f"{type(optimizer).__name__} steps with the gradient of {named} of shape {tuple(first.shape)}{more}, "
    if of is not None and not of.is_foreign:
        return f"{steps}which the script has written and ds has not combined with other processes in this step; leave " \
               f"gradients to backward of the compiled function, or {ALLOWED}"
    if of is not None and of.is_limited:
        why = f"Dynamo has reached its recompile limit of {torch._dynamo.config.recompile_limit} and leaves further variants " \
              "of a function to PyTorch; TORCH_LOGS=recompiles names what changes, torch._dynamo.config.recompile_limit " \
              "raises the limit"
    elif of is None and id(first) in targets and targets[id(first)] not in {targets.get(number) for number in known}:
        why = f"Dynamo has compiled no graph of '{targets[id(first)]}', which TORCH_LOGS=graph_breaks explains"
    else:
        why = of_hook(first) or "compile what uses it (fullgraph=True of torch.compile names graph breaks, torch._dynamo.config.allow_rnn=" \
              "True has recurrent layers inside)"
    return f"{steps}computed by PyTorch outside of the compiled function, where it is not combined with other processes; " \
           f"{why}, or {ALLOWED}"


def _has_closure(arguments, options):
    return len(arguments) > 1 and arguments[1] is not None or options.get("closure") is not None


@torch.compiler.disable
def _before(optimizer, arguments, options):
    if not _has_closure(arguments, options):  # a closure computes the gradients in `step`
        _check(optimizer, arguments, options)


@torch.compiler.disable
def _after(optimizer, arguments, options):
    if _has_closure(arguments, options):
        _check(optimizer, arguments, options)


hooks.OWN |= {id(_accumulated), id(_before), id(_after)}
register_optimizer_step_pre_hook(_before)
register_optimizer_step_post_hook(_after)
