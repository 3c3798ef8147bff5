"""Elements that a mask picks: `x[mask]` and `masked_select`.

How many there are is data, and a step has fixed shapes. So they stay where they are: functions of single elements (or along the dimensions behind
the mask's) are taken of all, sums leave out what is not picked, means divide by the number of what is. What is not picked counts as 0.5 on the way in,
where the derivatives of sqrt, log and 1/x are numbers: they are thrown away, but 0 times infinity would not be 0.
"""
import inspect
import math

import torch

from . import assertions
from ..frontend.errors import FrontendError

# By the name of the function without underscores: torch.add, Tensor.add and Tensor.__add__ are one.
ELEMENTWISE = frozenset(
    """abs add addcmul addcdiv ceil clamp clip clone contiguous cos cosh detach div double dropout elu eq erf exp expm1 fill float floor ge gelu gt half
    hardsigmoid hardswish hardtanh int invert le leaky_relu log log10 log1p log2 logical_and logical_not logical_or logsigmoid long lt masked_fill
    maximum minimum mish mul ne neg negative pow radd rdiv reciprocal relu relu6 rmul round rpow rsqrt rsub rtruediv selu sigmoid sign silu sin softplus
    sqrt square sub tan tanh to true_divide truediv type_as where""".split())
# Along the last dimensions, with weights that have others.
WITH_WEIGHTS = frozenset("embedding layer_norm linear rms_norm".split())
# Along dimensions, which are the second argument or `dim`.
ALONG = frozenset("amax amin argmax argmin cumsum gather log_softmax logsumexp mean prod softmax squeeze std sum unsqueeze var".split())
LOSSES = frozenset("binary_cross_entropy binary_cross_entropy_with_logits huber_loss kl_div l1_loss mse_loss poisson_nll_loss smooth_l1_loss".split())
OPERATORS = """add radd sub rsub mul rmul truediv rtruediv pow rpow neg abs invert lt le gt ge eq ne""".split()


def _name(function):
    return function.__name__.strip("_")


class Selection:
    """`values` [*mask.shape, *rest]; what stands for it in PyTorch has the shape [picked, *rest]."""

    def __init__(self, values, mask):
        self.values, self.mask = values, mask

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("dtype", "device", "requires_grad"):
            return getattr(self.values, name)
        if name == "shape" or not callable(getattr(torch.Tensor, name, None)):
            raise refusal(name)
        return lambda *arguments, **options: apply(getattr(torch.Tensor, name), (self, *arguments), options)

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if index[0] is Ellipsis and len(index) <= self.rest + 1:
            return Selection(self.values[index], self.mask)
        if isinstance(index[0], slice) and index[0] == slice(None):
            return Selection(self.values[(slice(None),) * self.mask.dim() + index[1:]], self.mask)
        raise refusal("getitem")

    def __len__(self):
        raise refusal("len")

    @classmethod
    def __torch_function__(cls, function, types, arguments=(), options=None):
        return apply(function, arguments, options or {})

    @property
    def rest(self):
        """The number of dimensions behind the mask's."""
        return self.values.dim() - self.mask.dim()

    def placed(self):
        """The mask, to be broadcast with the values."""
        return self.mask.reshape(*self.mask.shape, *[1] * self.rest)

    def picked(self):
        """How many elements there are, a tensor."""
        return self.mask.sum() * math.prod(self.values.shape[self.mask.dim():])

    def or_else(self, value):
        return torch.where(self.placed(), self.values, torch.full((), value, dtype=self.values.dtype))

    def total(self, dims=None):
        """The sum of all, or of the rows that are picked."""
        return self.or_else(0).sum() if dims is None else self.or_else(0).sum(dims)

    def in_rows(self):
        """What is picked of each row in front, behind it zeros: [rows, columns] of a mask of two dimensions."""
        order = torch.argsort(~self.mask, dim=1, stable=True)
        return self.or_else(0).gather(1, order)


for _operator in OPERATORS:
    def _apply(self, *arguments, _function=getattr(torch.Tensor, f"__{_operator}__")):
        return apply(_function, (self, *arguments), {})
    setattr(Selection, f"__{_operator}__", _apply)


def refusal(name):
    return FrontendError(f"'{name}' reads elements that a mask picks, whose number is data, expected sums, means, losses and functions of single elements of them")


def is_mask(arguments, options):
    """Of __getitem__: whether the index is a mask, alone."""
    index = arguments[1]
    return isinstance(index, torch.Tensor) and index.dtype == torch.bool and 0 < index.dim() <= arguments[0].dim()


def pick(random, x, mask):
    selection = Selection(x, mask)
    neutral = 0.5 if x.dtype.is_floating_point else 0
    return Selection(selection.or_else(neutral), mask)


def masked_select(random, x, mask):
    return pick(random, *torch.broadcast_tensors(x, mask))


def is_among(arguments, options):
    return any(isinstance(value, Selection) for value in (*arguments, *options.values()))


def apply(function, arguments, options, run=None):
    """The function of arguments of which at least one is a selection; `run` is what calls it."""
    name, run = _name(function), run or function
    selections = [value for value in (*arguments, *options.values()) if isinstance(value, Selection)]
    if not selections:  # they are in a list
        raise refusal(name)
    first = selections[0]
    if any(not _same(first.mask, other.mask) for other in selections[1:]):
        raise FrontendError(f"'{name}' is given elements that different masks pick, expected those of one mask")
    if name == "setitem":
        return _write(*arguments)
    if name == "ctc_loss":
        return run(*(value.in_rows() if isinstance(value, Selection) else value for value in arguments), **options)
    if name in ("cross_entropy", "nll_loss"):
        return _classified(*_bound(function, arguments, options))
    if name in LOSSES:
        return _loss(first, *_bound(function, arguments, options))
    if name in ("numel", "dim"):
        return first.picked() if name == "numel" else first.rest + 1
    if name in ("view", "reshape", "flatten"):
        return _reshaped(first, name, arguments[1:])
    if name in ALONG:
        return _along(name, first, arguments, options, run)
    if name in WITH_WEIGHTS:
        fits = first is arguments[0] and len(selections) == 1 and _last_dimensions(name, arguments, options) <= first.rest
    else:
        fits = name in ELEMENTWISE and not any(isinstance(v, torch.Tensor) and v.dim() > first.rest for v in (*arguments, *options.values()))
    if not fits:
        raise refusal(name)
    return Selection(run(*map(_values, arguments), **{key: _values(value) for key, value in options.items()}), first.mask)


def _last_dimensions(name, arguments, options):
    """How many of its first argument a function takes together."""
    if name in ("embedding", "linear"):
        return int(name == "linear")
    return len(options["normalized_shape"] if "normalized_shape" in options else arguments[1])


def _write(target, mask, selection):
    if not isinstance(mask, torch.Tensor) or not isinstance(selection, Selection) or not _same(mask, selection.mask):
        raise refusal("setitem")
    target.copy_(torch.where(selection.placed(), selection.values, target))


def _values(value):
    return value.values if isinstance(value, Selection) else value


def _same(mask, other):
    """One tensor, or views of one: with other elements PyTorch would not take them together."""
    if mask is other:
        return True
    return assertions.answer(torch.equal, (mask, other), {})


def _bound(function, arguments, options):
    bound = inspect.signature(function).bind(*arguments, **options)
    bound.apply_defaults()
    return function, dict(bound.arguments)


def _classified(function, options):
    """The target of what is not picked is the one to ignore."""
    scores, target = options["input"], options["target"]
    if not all(isinstance(value, Selection) for value in (scores, target)) or (scores.rest, target.rest) != (1, 0):
        raise refusal(_name(function))
    if target.values.dtype.is_floating_point or options["reduction"] == "none":
        raise refusal(_name(function))
    scores = scores.values.reshape(-1, scores.values.shape[-1])
    return function(**options | {"input": scores, "target": target.or_else(options["ignore_index"]).reshape(-1)})


def _loss(first, function, options):
    if isinstance(options.get("weight"), torch.Tensor) or options.get("size_average") is not None:
        raise refusal(_name(function))
    reduction = options.pop("reduction")
    each = Selection(function(**{key: _values(value) for key, value in options.items()}, reduction="none"), first.mask)
    if reduction == "none":
        return each
    return each.total() / {"mean": each.picked(), "batchmean": first.mask.sum(), "sum": 1}[reduction]


def _reshaped(first, name, shape):
    shape = tuple(shape[0]) if shape and isinstance(shape[0], (tuple, list)) else tuple(shape)
    if first.rest == 0 and shape in ((-1,), ()) or name != "flatten" and shape == (-1, *first.values.shape[first.mask.dim():]):
        return first
    raise refusal(name)


def _along(name, first, arguments, options, run):
    front, rest = first.mask.dim(), first.rest
    dim = options.get("dim", arguments[1] if len(arguments) > 1 else None)
    if dim is None or dim in (0, -rest - 1):  # what is picked is counted
        if name not in ("sum", "mean") or options.keys() - {"dim"}:
            raise refusal(name)
        dims = None if dim is None else tuple(range(front))
        return first.total(dims) if name == "sum" else first.total(dims) / (first.picked() if dims is None else first.mask.sum())
    if not isinstance(dim, int) or isinstance(dim, bool) or -dim > rest + (name == "unsqueeze"):
        raise refusal(name)
    there = dim if dim < 0 else front - 1 + dim
    others = [_values(value) for value in arguments[2:]]
    return Selection(run(first.values, there, *others, **{key: _values(value) for key, value in options.items() if key != "dim"}), first.mask)
