"""Checks of the caller's arguments of a step, one sentence for each mistake."""
import numpy as np
import torch

from ...base.errors import FrontendError
from . import placements
from .values import dense_form, is_dense, kind


def model(module):
    if not isinstance(module, torch.nn.Module):
        raise FrontendError(f"the model is a {type(module).__name__}, expected a torch.nn.Module")
    if isinstance(module, (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)):
        raise FrontendError(f"the model is wrapped in {type(module).__name__}, expected the module inside (model.module): ds distributes it")
    module = getattr(module, "_orig_mod", module)  # the wrapper of torch.compile
    for name, inner in module.named_modules():
        if isinstance(inner, torch.jit.ScriptModule):
            made = f"'{name}'" if name else "the model"
            raise FrontendError(f"{made} is made by torch.jit, expected the module that it was made of: ds traces the step itself")
    if not module.training:
        raise FrontendError("the model is in evaluation mode, expected training mode; call model.train() first")
    placements.refuse_divided(module)
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if isinstance(tensor, torch.nn.parameter.UninitializedTensorMixin):
            raise FrontendError(f"'{name}' has no shape yet; run the model once, so that lazy modules are initialised")
        if tensor.device.type != "cpu":
            raise FrontendError(f"'{name}' is on {tensor.device}, expected cpu; call model.cpu() before export")
        if isinstance(tensor, torch.nn.Parameter) and not is_dense(tensor):
            raise FrontendError(f"the parameter '{name}' is {kind(tensor)}, expected a dense tensor")
        if tensor.is_complex():
            raise FrontendError(f"'{name}' is {tensor.dtype}, expected real numbers: hold it as a pair, torch.view_as_real of it, which forward takes by torch.view_as_complex; "
                                'torch.compile(.., backend="dstep") takes it as it is')
    if not any(p.requires_grad for p in module.parameters()):
        raise FrontendError("the model has no parameter to train")
    return module


def batch(batch):
    """Returns (tensors by name, form): the loss function takes a dictionary as a whole, a pair as model(x) and y."""
    if isinstance(batch, dict):
        form, named = dict, batch
    elif isinstance(batch, (tuple, list)) and len(batch) == 2:
        form, named = tuple, dict(zip(("x", "y"), batch))
    else:
        raise FrontendError(f"the batch is a {type(batch).__name__}, expected a dictionary of tensors or a pair (x, y)")
    if not named:
        raise FrontendError("the batch is empty")
    tensors = {}
    for name, value in named.items():
        if isinstance(value, np.ndarray):
            value = torch.from_numpy(value)
        if not isinstance(value, torch.Tensor):
            raise FrontendError(f"batch['{name}'] is a {type(value).__name__}, expected a tensor")
        if not is_dense(value):
            raise FrontendError(f"batch['{name}'] is {kind(value)}, expected a dense tensor, such as its {dense_form(value)}")
        if value.dim() == 0:
            raise FrontendError(f"batch['{name}'] is a scalar, expected the samples as its first dimension")
        if not len(value):
            raise FrontendError(f"batch['{name}'] holds no samples: its shape is {tuple(value.shape)}")
        if value.device.type != "cpu":
            raise FrontendError(f"batch['{name}'] is on {value.device}, expected cpu")
        tensors[name] = value.detach()
    sizes = {name: tensor.shape[0] for name, tensor in tensors.items()}
    least = min(sizes, key=sizes.get)
    for name, size in sizes.items():  # a multiple of the samples has several entries for each
        if size % max(1, sizes[least]):
            raise FrontendError(f"the leading sizes of the batch disagree: '{least}' has {sizes[least]}, '{name}' has {size}, which is no multiple")
    return tensors, form


def fitting(given, form, expected):
    """Returns the tensors by name of a batch for a step that was exported for `form` and {name: (shape, type)}."""
    tensors, own = batch(given)
    found = {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()}
    if own is not form or found != expected:
        raise FrontendError(f"the batch is {found}, but the step was exported for {expected}")
    return tensors


def samples(tensors):
    """Returns the number of samples in the tensors of a batch; larger tensors have several entries for each."""
    return min(len(tensor) for tensor in tensors.values())


def known(option, names, values):
    for name in names:
        if name not in values:
            raise FrontendError(f"{option}= names '{name}', expected one of {', '.join(values) or 'none'}")


def states_of_samples(names, states, count):
    """Checks that the states `names` of {name: tensor} hold entries of `count` samples."""
    known("samples", names, states)
    for name in names:
        if states[name].dim() == 0 or len(states[name]) % max(1, count):
            raise FrontendError(f"'{name}' has the shape {tuple(states[name].shape)}, expected a multiple of the {count} samples in dimension 0")


def loss(value):
    if not isinstance(value, torch.Tensor):
        raise FrontendError(f"the loss function returned a {type(value).__name__}, expected a scalar tensor, or a pair of it and a dictionary "
                            "of metrics")
    if value.dim() != 0:
        raise FrontendError(f"the loss has the shape {tuple(value.shape)}, expected a scalar; take its mean")
    return value


def metrics(values):
    if not isinstance(values, dict):
        raise FrontendError(f"the metrics are a {type(values).__name__}, expected a dictionary of scalar tensors")
    for name, value in values.items():
        if not isinstance(value, torch.Tensor) or value.dim() != 0:
            raise FrontendError(f"the metric '{name}' is {getattr(value, 'shape', type(value).__name__)}, expected a scalar tensor")
        if name in ("loss", "grad_norm"):
            raise FrontendError(f"the metric '{name}' has a name that ds uses itself")
    return {name: value.detach() for name, value in values.items()}


def option(name):
    """Returns (key, group): `lr` is that of all groups, scaled in proportion, `lr.1` that of group 1."""
    key, dot, group = name.partition(".")
    return key, int(group) if dot and group.isdigit() else None


def number(value):
    """Returns the number of an option, also of a tensor; None if it holds none."""
    if isinstance(value, torch.Tensor):
        value = value.item() if value.numel() == 1 else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def reference(optimizer, key):
    """Returns the value of an option that represents all groups: that of the first group with a nonzero value."""
    values = [number(group.get(key)) for group in optimizer.param_groups]
    return next((v for v in values if v), values[0])


def given(optimizer, hyper, index, key, value):
    """Returns the value of an option of group `index`, now `value`, in a step with these hyper-parameters."""
    if key in hyper:
        base, value = reference(optimizer, key), number(value)
        value = hyper[key] if value == base else hyper[key] * (value / base)
    return hyper.get(f"{key}.{index}", value)


def hyper(optimizer, names):
    """Returns {option: value} of the options of the optimizer that become arguments of the step."""
    found = {}
    for name in names:
        key, group = option(name)
        groups = optimizer.param_groups
        value = reference(optimizer, key) if group is None else number(groups[group].get(key)) if group < len(groups) else None
        if value is None:
            raise FrontendError(f"the optimizer {type(optimizer).__name__} has no number '{name}' that could be an argument of the step")
        found[name] = value
    return found


def verify(value):
    if value not in ("capture", "off"):
        raise FrontendError(f"verify is {value!r}, expected 'capture' or 'off'")
    return value
