"""Elements that a mask selects: `x[mask]` and `masked_select`.

Their number is data, and a step has fixed shapes. So they stay in place: functions of single elements (or along the
dimensions after the mask's) apply to all elements, sums leave out the unselected ones, means divide by the number of
the selected ones (picked.py). Unselected elements are 0.5 for every function, where the derivatives of sqrt, log and
1/x are finite: they are discarded, but 0 times infinity would not be 0.

A mask that does not depend on an argument of the step is known, and selects as in PyTorch (known.py); so do all masks
outside of a trace.
"""
import inspect
import math

import torch

from ...base.errors import FrontendError
from ..base import known
from . import picked

# By the name of the function without underscores: torch.add, Tensor.add and Tensor.__add__ are one.
ELEMENTWISE = frozenset(
    """abs absolute acos acosh add addcdiv addcmul angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh bfloat16 bitwise_and bitwise_not
    bitwise_or bitwise_xor bool ceil celu clamp clamp_max clamp_min clip clone contiguous copysign cos cosh deg2rad detach digamma div divide double dropout elu eq erf erfc
    erfinv exp exp2 expm1 fill float float_power floor floor_divide floordiv fmax fmin fmod frac ge gelu greater greater_equal gt half hardshrink hardsigmoid hardswish
    hardtanh heaviside hypot int invert isfinite isinf isnan ldexp le leaky_relu lerp less less_equal lgamma log log10 log1p log2 logaddexp logaddexp2 logical_and
    logical_not logical_or logical_xor logit logsigmoid long lt masked_fill maximum minimum mish mod mul multiply nan_to_num ne neg negative nextafter not_equal positive pow
    rad2deg radd rand rdiv reciprocal relu relu6 remainder rfloordiv rmod rmul ror round rpow rrelu rsqrt rsub rtruediv rxor selu sgn sigmoid sign signbit silu sin sinc sinh
    softplus softshrink softsign sqrt square sub subtract tan tanh tanhshrink threshold to true_divide truediv trunc type type_as where xlogy zero
    and or xor""".split())
# Functions of the last dimensions, with weights of other shapes.
WITH_WEIGHTS = frozenset("embedding layer_norm linear matmul mm pairwise_distance rms_norm".split())
# Functions along dimensions, which are an argument.
ALONG = frozenset(picked.REDUCTIONS) | frozenset(picked.KEEPING) | frozenset("chunk cosine_similarity flip gather normalize softmin split squeeze unbind unsqueeze".split())
LOSSES = frozenset("binary_cross_entropy binary_cross_entropy_with_logits huber_loss kl_div l1_loss mse_loss poisson_nll_loss smooth_l1_loss".split())
OPERATORS = """add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg abs invert and rand or ror xor rxor lt le gt ge eq ne matmul
    iadd isub imul itruediv""".split()
# Functions whose derivative at 0.5 is NaN.
NEUTRAL = {"acosh": 2.0, "arccosh": 2.0}


def _name(function):
    return function.__name__.strip("_")


def neutral(values, mask, number=0.5):
    """Returns `values` with 0.5 for unselected elements."""
    mask = mask.reshape(*mask.shape, *[1] * (values.dim() - mask.dim()))
    return torch.where(mask, values, torch.full((), number if values.dtype.is_floating_point else 0, dtype=values.dtype))


class Selection:
    """`values` [*mask.shape, *rest]; the tensor of PyTorch that it represents has the shape [selected, *rest]."""

    def __init__(self, values, mask):
        self.values, self.mask = values, mask

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("dtype", "device", "requires_grad"):
            return getattr(self.values, name)
        if name == "shape":
            return (self.mask.sum(), *self.values.shape[self.mask.dim():])
        if name == "ndim":
            return self.rest + 1
        if not callable(getattr(torch.Tensor, name, None)):
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
        """The number of dimensions after the mask's."""
        return self.values.dim() - self.mask.dim()

    def placed(self):
        """Returns the mask in a shape that broadcasts with the values."""
        return self.mask.reshape(*self.mask.shape, *[1] * self.rest)

    def picked(self):
        """Returns the number of selected elements as a tensor."""
        return self.mask.sum() * math.prod(self.values.shape[self.mask.dim():])

    def or_else(self, value):
        return torch.where(self.placed(), self.values, torch.full((), value, dtype=self.values.dtype))

    def flat(self):
        """Returns all elements in one dimension."""
        return Selection(self.values, self.placed().expand(self.values.shape))

    def rows(self):
        """Returns (values [n, *rest], mask [n, 1 ..]), in the order of the mask's elements."""
        rest = self.values.shape[self.mask.dim():]
        return self.values.reshape(-1, *rest), self.mask.reshape(-1, *[1] * len(rest))

    def in_rows(self):
        """Returns [rows, columns] of a mask of two dimensions: the selected elements of each row first, then zeros."""
        order = torch.argsort(~self.mask, dim=1, stable=True)
        return self.or_else(0).gather(1, order)


for _operator in OPERATORS:
    def _apply(self, *arguments, _function=getattr(torch.Tensor, f"__{_operator}__")):
        return apply(_function, (self, *arguments), {})
    setattr(Selection, f"__{_operator}__", _apply)


def refusal(name):
    return FrontendError(f"'{name}' reads elements that a mask picks, whose number is data, expected sums, means, losses and functions of single elements of them")


def is_mask(arguments, options):
    """For __getitem__: True if the index is a mask that depends on data, alone or before other indices."""
    x, index = arguments
    index = index[0] if isinstance(index, tuple) and index else index
    if not (isinstance(index, torch.Tensor) and index.dtype == torch.bool and 0 < index.dim() <= x.dim()):
        return False
    others = arguments[1][1:] if isinstance(arguments[1], tuple) else ()
    return known.is_tracing() and known.known(index) is None and not any(isinstance(v, (torch.Tensor, list, tuple)) for v in others)


def pick(random, x, index):
    mask, others = (index[0], index[1:]) if isinstance(index, tuple) else (index, ())
    found = Selection(neutral(x, mask), mask)
    return found[(slice(None), *others)] if others else found


def masked_select(random, x, mask):
    x, mask = torch.broadcast_tensors(x, mask)
    return pick(random, x, mask) if is_mask((x, mask), {}) else x[mask]


def _among(values):
    for value in values:
        if isinstance(value, Selection):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _among(value)


def is_among(arguments, options):
    return any(True for _ in _among((*arguments, *options.values())))


def apply(function, arguments, options):
    """Applies a function to arguments of which at least one is a selection."""
    name = _name(function)
    selections = list(_among((*arguments, *options.values())))
    if name in ("cat", "concat", "concatenate", "stack"):
        return _joined(name, function, *arguments, **options)
    if any(isinstance(value, (list, tuple)) and list(_among(value)) for value in (*arguments, *options.values())):
        raise refusal(name)
    first = selections[0]
    if any(not _same(first.mask, other.mask) for other in selections[1:]):
        raise FrontendError(f"'{name}' is given elements that different masks pick, expected those of one mask")
    if name == "setitem":
        return _write(*arguments)
    if name == "ctc_loss":
        return function(*(value.in_rows() if isinstance(value, Selection) else value for value in arguments), **options)
    if name in ("cross_entropy", "nll_loss"):
        return _classified(*_bound(function, arguments, options))
    if name in LOSSES:
        return _loss(first, *_bound(function, arguments, options))
    if name in ("numel", "dim", "size"):
        return _size(first, name, *arguments[1:], **options)
    if name in ("view", "reshape", "flatten"):
        return _reshaped(first, name, arguments[1:])
    if name in ("max", "min") and len(arguments) > 1 and not isinstance(arguments[1], int):
        name = f"{name}imum"
    if name in ALONG:
        return _along(function, name, first, arguments, options)
    if name in WITH_WEIGHTS:
        fits = first is arguments[0] and (len(selections) == 1 or name == "pairwise_distance") and _last_dimensions(name, arguments, options) <= first.rest
    else:
        fits = (name in ELEMENTWISE or name.lstrip("i") in ELEMENTWISE) and not any(
            isinstance(v, torch.Tensor) and v.dim() > first.rest for v in (*arguments, *options.values()))
    if not fits:
        raise refusal(name)
    return _taken(function, name, first, arguments, options)


def _taken(function, name, first, arguments, options):
    """Applies the function to all elements; one in place changes its argument."""
    give = lambda value: neutral(value.values, value.mask, NEUTRAL[name]) if isinstance(value, Selection) and name in NEUTRAL else _values(value)
    in_place = function.__name__.endswith("_") and not function.__name__.endswith("__") or function.__name__.startswith("__i") and name != "invert"
    if in_place:  # of a copy: in PyTorch a mask selects a copy
        first.values = first.values.clone()
    found = function(*map(give, arguments), **{key: give(value) for key, value in options.items()})
    if isinstance(found, (tuple, list)):
        return tuple(Selection(neutral(v, first.mask), first.mask) for v in found)
    found = neutral(found, first.mask)
    if in_place:
        first.values = found
        return first
    return Selection(found, first.mask)


def _size(first, name, dim=None):
    if name == "numel":
        return first.picked()
    if name == "dim":
        return first.rest + 1
    shape = first.shape
    return shape if dim is None else shape[dim]


def _joined(name, function, parts, dim=0, **options):
    """Joins along a dimension after the mask's, or appends the rows of other masks."""
    dim = options.get("axis", dim)
    first = next(_among(parts))
    if not all(isinstance(part, Selection) and part.rest == first.rest for part in parts):
        raise refusal(name)
    if name != "stack" and dim in (0, -first.rest - 1):
        rows = [part.rows() for part in parts]
        return Selection(function([v for v, _ in rows]), torch.cat([m.reshape(-1) for _, m in rows]))
    if not all(_same(first.mask, part.mask) for part in parts):
        raise FrontendError(f"'{name}' is given elements that different masks pick, expected those of one mask")
    rest = first.rest + (name == "stack")
    if not isinstance(dim, int) or dim == 0 or -dim > rest:
        raise refusal(name)
    values = [part.values for part in parts]
    return Selection(function(values, dim if dim < 0 else first.mask.dim() - 1 + dim), first.mask)


def _last_dimensions(name, arguments, options):
    """Returns how many last dimensions of its first argument a function takes together."""
    if name in ("matmul", "mm") and (not isinstance(arguments[1], torch.Tensor) or arguments[1].dim() > 2):
        raise refusal(name)
    if name in ("embedding", "linear", "matmul", "mm", "pairwise_distance"):
        return int(name != "embedding")
    return len(options["normalized_shape"] if "normalized_shape" in options else arguments[1])


def _write(target, mask, selection):
    if not isinstance(mask, torch.Tensor) or not isinstance(selection, Selection) or not _same(mask, selection.mask):
        raise refusal("setitem")
    target.copy_(torch.where(selection.placed(), selection.values, target))


def _values(value):
    return value.values if isinstance(value, Selection) else value


def _same(mask, other):
    """True for one tensor, or masks of equal values: with different elements PyTorch could not combine the
    selections."""
    if mask is other:
        return True
    return known.answer(torch.equal, (mask, other), {})


def _bound(function, arguments, options):
    bound = inspect.signature(function).bind(*arguments, **options)
    bound.apply_defaults()
    return function, dict(bound.arguments)


def _classified(function, options):
    """Gives unselected elements the ignored class as their target."""
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
    return each.or_else(0).sum() / {"mean": each.picked(), "batchmean": first.mask.sum(), "sum": 1}[reduction]


def _reshaped(first, name, shape):
    shape = tuple(shape[0]) if shape and isinstance(shape[0], (tuple, list)) else tuple(shape)
    if name == "flatten" and shape in ((1,), (1, -1)) and first.rest:
        return Selection(first.values.flatten(first.mask.dim()), first.mask)
    if name == "flatten" and shape not in ((), (0,), (0, -1)) or name != "flatten" and not shape:
        raise refusal(name)
    count, *rest = shape or (-1,)
    if name == "flatten" or not rest and isinstance(count, int) and count == -1:
        return first if first.rest == 0 else first.flat()
    whole = math.prod(first.values.shape[first.mask.dim():])
    if all(isinstance(size, int) for size in rest) and (count == -1 if isinstance(count, int) else -1 in rest or math.prod(rest) == whole):
        rest = [whole // -math.prod(rest) if size == -1 else size for size in rest]
        if math.prod(rest) == whole:
            return Selection(first.values.reshape(*first.mask.shape, *rest), first.mask)
    raise refusal(name)


def _along(function, name, first, arguments, options):
    front, rest = first.mask.dim(), first.rest
    given = picked.bound(name, arguments, options)
    dim = given.get("dim", given.get("dims"))
    dim = dim[0] if isinstance(dim, (tuple, list)) and len(dim) == 1 and name not in ("flip",) else dim
    if dim is None or dim in (0, -rest - 1):  # along the dimension that counts the selected elements
        keep, dims = given.pop("keepdim", False), given.pop("dim", None)
        if name in picked.KEEPING and dims is not None and not given.keys() - {"_stacklevel"}:
            values, mask = first.rows()
            found = function(torch.where(mask, values, torch.full((), picked.KEEPING[name], dtype=values.dtype)), 0)
            return Selection(neutral(found.reshape(first.values.shape), first.mask), first.mask)
        if name not in picked.REDUCTIONS or keep and dims is None:
            raise refusal(name)
        if name in ("max", "min") and dims is not None:
            given["along"] = True
        try:
            found = picked.REDUCTIONS[name](*(first.flat() if dims is None else first).rows(), **given)
        except TypeError:  # an option that the reduction does not have
            raise refusal(name) from None
        kept = lambda v: v.unsqueeze(0) if keep else v
        return type(found)(map(kept, found)) if isinstance(found, tuple) else kept(found)
    dims = list(dim) if isinstance(dim, (tuple, list)) else [dim]
    if any(not isinstance(d, int) or isinstance(d, bool) or d == 0 or -d > rest + (name == "unsqueeze") for d in dims):
        raise refusal(name)
    there = [d if d < 0 else front - 1 + d for d in dims]
    given = {key: _values(value) for key, value in given.items()} | {"dims" if name == "flip" else "dim": there if len(there) > 1 or name == "flip" else there[0]}
    found = function(first.values, **given)
    if isinstance(found, tuple):
        return tuple(Selection(neutral(v, first.mask), first.mask) for v in found)
    return Selection(neutral(found, first.mask), first.mask)
