"""Functions of PyTorch that a step computes without PyTorch's kernels, as a mode.

    dropout*            a hash of (seed argument, number of the call, position of the element) instead of the generator
                        of PyTorch, so that every rank computes the mask of its own rows and a resumed run repeats it
    rand*, bernoulli    the same hash
    scaled_dot_product  matmul, softmax, matmul: the fused kernels have gradients only as kernels
    lstm, gru, rnn      one cell per position, from matmuls
    batch_norm          batch_norm.py
    add(alpha=tensor)   multiplication, so that a learning rate may be an argument
    and the functions in composed.py

The same mode is active when PyTorch itself trains for a recording, so masks agree.
"""
import contextlib
import functools
import math

import torch
import torch.nn.functional as F
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.overrides import TorchFunctionMode

from ..base import known
from ..base.threads import replaced
from . import assertions, batch_norm, composed, generator, recurrent, selection
from .bits import RandomBits, dropped
from .patched import PatchedMode


def _attention(random, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if enable_gqa:
        repeats = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(repeats, -3), value.repeat_interleave(repeats, -3)
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = torch.where(attn_mask, scores, torch.full((), -math.inf, dtype=scores.dtype))
    elif attn_mask is not None:
        scores = scores + attn_mask
    # A query that may attend to no key has weights of 0; a causal mask alone leaves each query a key.
    weights = torch.softmax(scores, -1) if attn_mask is None or is_causal else torch._safe_softmax(scores, -1)
    return dropped(random, weights, dropout_p, weights.shape) @ value


def _leaf(values, requires_grad=False, **options):
    return values.requires_grad_() if requires_grad else values


def _draws(kind):
    def draw(random, *sizes, size=None, dtype=None, **options):
        shape = size if size is not None else sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
        return _leaf(getattr(random, kind)(list(shape), dtype or torch.get_default_dtype()), **options)
    return draw


def _like(function):
    """Returns a function of a shape as one of a tensor with that shape."""
    def call(random, x, *arguments, dtype=None, **options):
        return function(random, x.shape, *arguments, dtype=dtype or x.dtype, **options)
    return call


def _bernoulli(random, x, p=None, **options):
    return (random.uniform(list(x.shape)) < (x if p is None else p)).to(x.dtype)


def _bernoulli_(random, x, p=0.5, **options):
    """In place: stochastic depth fills a new tensor of one number per sample."""
    drawn = random.uniform(list(x.shape)) < p
    return x.copy_(drawn.to(x.dtype))


def _scaled_add(sign, in_place=False):
    def add(random, x, other, *, alpha=1):
        found = x + (sign * alpha) * other
        return x.copy_(found) if in_place else found
    return add


def _has_tensor(name):
    return lambda arguments, options: isinstance(options.get(name), torch.Tensor)


def _has_tensor_positions(arguments, options):
    return len(arguments) > 1 and isinstance(arguments[1], torch.Tensor)


def _set_data(random, x, value):
    """x.data = value: a traced tensor keeps its identity, so that the step sees the write."""
    if isinstance(x, FunctionalTensor) and x.shape == value.shape and x.dtype == value.dtype:
        with torch.no_grad():
            x.data.copy_(value)
    else:
        torch.Tensor.data.__set__(x, value)


def _is_functional(arguments, options):
    return isinstance(arguments[0], FunctionalTensor)


def _deepcopy(random, x, memo):
    """Returns a copy of a parameter or a value of the step, which has no memory to copy."""
    if id(x) not in memo:
        memo[id(x)] = x.detach().clone().requires_grad_(x.requires_grad)
    return memo[id(x)]


def _is_filled_by_tensor(arguments, options):
    return any(isinstance(v, torch.Tensor) for v in (*arguments[1:2], options.get("fill_value")))


def _full(random, size, fill_value, *, out=None, dtype=None, requires_grad=False, **options):
    return _leaf(fill_value.reshape(()).to(dtype or fill_value.dtype).expand(size).clone(), requires_grad)


# function -> replacement, which takes the RandomBits first
REPLACED = {
    F.scaled_dot_product_attention: _attention, torch.batch_norm: batch_norm.batch_norm,
    torch.rand: _draws("uniform"), torch.randn: _draws("normal"),
    torch.rand_like: _like(_draws("uniform")), torch.randn_like: _like(_draws("normal")),
    torch.bernoulli: _bernoulli, torch.Tensor.bernoulli: _bernoulli, torch.Tensor.bernoulli_: _bernoulli_,
    torch.masked_select: selection.masked_select, torch.Tensor.masked_select: selection.masked_select,
    torch.Tensor.data.__set__: _set_data,
    torch.lstm: recurrent.lstm, torch.gru: recurrent.gru,
    torch.rnn_tanh: recurrent.rnn(torch.tanh), torch.rnn_relu: recurrent.rnn(torch.relu),
    torch.lstm_cell: recurrent.lstm_cell, torch.gru_cell: recurrent.gru_cell,
    torch.rnn_tanh_cell: recurrent.rnn_cell(torch.tanh), torch.rnn_relu_cell: recurrent.rnn_cell(torch.relu),
} | composed.REPLACED
# function -> (condition, replacement)
REPLACED_IF = {
    torch.add: (_has_tensor("alpha"), _scaled_add(1)), torch.Tensor.add: (_has_tensor("alpha"), _scaled_add(1)),
    torch.sub: (_has_tensor("alpha"), _scaled_add(-1)), torch.Tensor.sub: (_has_tensor("alpha"), _scaled_add(-1)),
    torch.Tensor.add_: (_has_tensor("alpha"), _scaled_add(1, in_place=True)),
    torch.Tensor.sub_: (_has_tensor("alpha"), _scaled_add(-1, in_place=True)),
    torch.Tensor.addcdiv_: (_has_tensor("value"), lambda random, x, a, b, *, value: x.copy_(x + value * (a / b))),
    torch.Tensor.addcmul_: (_has_tensor("value"), lambda random, x, a, b, *, value: x.copy_(x + value * (a * b))),
    torch.full: (_is_filled_by_tensor, _full), torch.full_like: (_is_filled_by_tensor, _like(_full)),
    torch.Tensor.__deepcopy__: (_is_functional, _deepcopy),
    torch.Tensor.__getitem__: (selection.is_mask, selection.pick),
    # tensor_split reads the memory of positions, which a traced tensor does not have.
    torch.tensor_split: (_has_tensor_positions, lambda random, x, at, dim=0: torch.tensor_split(x, at.tolist(), dim)),
    torch.Tensor.tensor_split: (_has_tensor_positions, lambda random, x, at, dim=0: torch.tensor_split(x, at.tolist(), dim)),
}


@contextlib.contextmanager
def exporting(told=True):
    """Libraries query the compiler whether a step is traced, and then omit shortcuts that read the values of
    tensors."""
    with replaced(torch.compiler, "_is_compiling_flag", told), replaced(torch.compiler, "_is_exporting_flag", told):
        yield


def uncompiled():
    """Runs functions under torch.compile uncompiled; torch.compiler.set_stance would do so on all threads."""
    from torch._dynamo import eval_frame
    return replaced(eval_frame, "_stance", eval_frame.DynamoStance("force_eager"))


def _backward(x, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    return torch.autograd.backward(x, gradient, retain_graph, create_graph, inputs=inputs)


class _Again(TorchFunctionMode):
    """The mode of a step, which PyTorch turns off while it handles a function: what a checkpoint computes again in
    `backward`, and functions of selected elements, are part of the step."""

    def __init__(self, functions):
        super().__init__()
        self.functions = functions

    def __torch_function__(self, function, types, arguments=(), options=None):
        return self.functions.__torch_function__(function, types, arguments, options)


class StepFunctions(PatchedMode):
    """Active while the step is traced and while PyTorch records it."""

    def __init__(self, seed):
        self.random = RandomBits(seed)
        patches = [(*place, functools.partial(function, self.random)) for place, function in composed.WHOLE.items()]
        # PyTorch compares the elements of a mask to detect that it is causal; the mask itself has the same effect.
        patches.append((torch.nn.modules.transformer, "_detect_is_causal_mask", lambda mask, is_causal=None, size=None: bool(is_causal)))
        patches += generator.Generator(self.random).patches()
        patches.append((torch.nn.SyncBatchNorm, "forward", batch_norm.forward_of_all))
        patches.append((torch.nn.modules.batchnorm._BatchNorm, "forward", batch_norm.forward))
        # Keeps the mode on in a checkpoint's second pass, and in functions of torch.nn.functional.
        is_of_selection = lambda *values: selection.is_among(values, {})
        patches += [(owner, "has_torch_function", is_of_selection) for owner in (torch.autograd, F)]
        patches += [(F, f"has_torch_function_{kind}", is_of_selection) for kind in ("unary", "variadic")]
        # A distribution validates its parameters and samples by reading their values.
        patches.append((torch.distributions.Distribution, "_validate_args", False))
        super().__init__(patches)

    def __torch_function__(self, function, types, arguments=(), options=None):
        options = options or {}
        if function is torch.Tensor.backward:
            with _Again(self):
                return _backward(*arguments, **options)
        if function in assertions.ASKING and (assertions.is_asserted() or known.is_tracing() and known.are_known(arguments, options)):
            return known.answer(function, arguments, options)
        if selection.is_among(arguments, options):
            with _Again(self):
                return selection.apply(function, arguments, options)
        if function in REPLACED_IF and REPLACED_IF[function][0](arguments, options):
            return REPLACED_IF[function][1](self.random, *arguments, **options)
        if function in REPLACED:
            return REPLACED[function](self.random, *arguments, **options)
        return function(*arguments, **options)
