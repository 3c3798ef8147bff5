"""Helpers for the rules of the lowering: values of StableHLO whose types hold their shapes, and functions that write
one operation.

A rule is a function (node, *arguments, **options) -> value, or a tuple of values, registered for operations of ATen by
`lowers`. Arguments that were nodes of the graph are values; numbers and lists are passed as they are. The type of a
value holds its shape and dtype; those of the result come from the node, as PyTorch recorded them.
"""
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import torch
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

RULES: dict[Any, Callable[..., Any]] = {}  # {operation of ATen: its rule}
_CODES = {torch.float64: "f64", torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16", torch.int64: "i64", torch.int32: "i32",
          torch.int16: "i16", torch.int8: "i8", torch.uint8: "ui8", torch.bool: "i1",
          torch.complex64: "complex<f32>", torch.complex128: "complex<f64>"}
_DTYPES = {code: dtype for dtype, code in _CODES.items()}


select = hlo.select


def lowers(*operations):
    def register(rule):
        RULES.update(dict.fromkeys(operations, rule))
        return rule
    return register


def shape(value):
    return list(value.type.shape)


def dtype(value):
    return _DTYPES[str(value.type.element_type)]


def element(of):
    return ir.Type.parse(_CODES[of])


def tensor(dims, of):
    return ir.RankedTensorType.get(list(dims), element(of))


def result_of(node):
    """Returns (shape, dtype) of a node with one result."""
    meta = node.meta["tensor_meta"]
    return list(meta.shape), meta.dtype


def part_shape(node, number):
    """Returns the shape of one of a node's results."""
    return list(next(part for part in node.users if part.args[1] == number).meta["tensor_meta"].shape)


def each(values, count):
    """Returns a number for each of `count` dimensions; a single one applies to all."""
    return list(values) * count if len(values) == 1 else list(values)


def is_value(argument):
    return isinstance(argument, ir.Value)


def constant(array):
    """Returns a tensor of PyTorch as a constant; a uniform one is written as one number."""
    array = array.detach().contiguous()
    if array.is_complex():
        return hlo.complex(constant(array.real), constant(array.imag))
    if array.numel() and bool((array == array.reshape(-1)[0]).all()):
        return full(array.shape, array.reshape(-1)[0].item(), array.dtype)
    held = array.view(torch.int16).numpy().view(ml_dtypes.bfloat16) if array.dtype == torch.bfloat16 else array.numpy()
    return hlo.constant(ir.DenseElementsAttr.get(held, type=element(array.dtype), shape=list(array.shape)))


def full(dims, number, of):
    """Returns a tensor of one number."""
    if of.is_complex:
        return hlo.complex(full(dims, complex(number).real, of.to_real()), full(dims, complex(number).imag, of.to_real()))
    kind = element(of)
    if of == torch.bool:
        attribute = ir.IntegerAttr.get(kind, int(bool(number)))
    else:
        is_float = of.is_floating_point
        attribute = ir.FloatAttr.get(kind, float(number)) if is_float else ir.IntegerAttr.get(kind, int(number))
    return hlo.constant(ir.DenseElementsAttr.get_splat(tensor(dims, of), attribute))


def iota(dims, dim, of=torch.int64):
    return hlo.iota(tensor(dims, of), dim)


def convert(value, of):
    if dtype(value) == of:
        return value
    if of == torch.bool:
        return compare("NE", value, full(shape(value), 0, dtype(value)))
    return hlo.convert(tensor(shape(value), of), value)


def broadcast(value, dims, at=None):
    """Returns `value` with its dimension i as dimension at[i] of `dims`; without `at` the last ones, as PyTorch
    broadcasts."""
    dims = list(dims)
    at = list(range(len(dims) - len(shape(value)), len(dims))) if at is None else list(at)
    if shape(value) == dims and at == list(range(len(dims))):
        return value
    # A dimension of 1 that grows is dropped first, since broadcast_in_dim then adds it.
    kept = [i for i, size in enumerate(shape(value)) if size == dims[at[i]]]
    if len(kept) < len(at):
        value = reshape(value, [shape(value)[i] for i in kept])
    return hlo.broadcast_in_dim(tensor(dims, dtype(value)), value, [at[i] for i in kept])


def reshape(value, dims):
    return value if shape(value) == list(dims) else hlo.reshape(tensor(dims, dtype(value)), value)


def transpose(value, order):
    return value if list(order) == list(range(len(order))) else hlo.transpose(value, list(order))


def compare(direction, a, b):
    kind = "FLOAT" if dtype(a).is_floating_point else "UNSIGNED" if dtype(a) in (torch.bool, torch.uint8) else "SIGNED"
    return hlo.compare(a, b, hlo.ComparisonDirectionAttr.get(direction), compare_type=hlo.ComparisonTypeAttr.get(kind))


def slice_dim(value, dim, start, end, step=1):
    dims = shape(value)
    if (start, end, step) == (0, dims[dim], 1):
        return value
    starts, ends, steps = [0] * len(dims), list(dims), [1] * len(dims)
    starts[dim], ends[dim], steps[dim] = start, max(end, start), step
    return hlo.slice(value, starts, ends, steps)


def pad(value, low, high, inner=None, number=0):
    return hlo.pad(value, full([], number, dtype(value)), list(low), list(high), list(inner or [0] * len(low)))


def lowest(of):
    return -float("inf") if of.is_floating_point else 0 if of == torch.bool else torch.iinfo(of).min


def highest(of):
    return float("inf") if of.is_floating_point else 1 if of == torch.bool else torch.iinfo(of).max


COMBINERS = {"add": (hlo.add, lambda of: 0), "multiply": (hlo.multiply, lambda of: 1), "maximum": (hlo.maximum, lowest),
             "minimum": (hlo.minimum, highest), "or": (hlo.or_, lambda of: 0), "and": (hlo.and_, lambda of: 1)}


def fill_region(op, of, body, number=0):
    """Fills a region of an operation that combines two elements."""
    scalar = tensor([], of)
    block = op.regions[number].blocks.append(scalar, scalar)
    with ir.InsertionPoint(block):
        hlo.return_([body(*block.arguments)])


def reduce(value, dims, kind, keep=False):
    """Reduces dimensions by one of COMBINERS; `keep` leaves them as dimensions of 1."""
    dims = sorted({d % len(shape(value)) for d in dims}) if shape(value) else []
    if not dims:
        return value
    of, (combine, neutral) = dtype(value), COMBINERS[kind]
    left = [size for d, size in enumerate(shape(value)) if d not in dims]
    op = hlo.ReduceOp([tensor(left, of)], [value], [full([], neutral(of), of)], dims)
    fill_region(op, of, combine)
    result = op.results[0]
    return reshape(result, [1 if d in dims else size for d, size in enumerate(shape(value))]) if keep else result


def reduce_window(value, window, strides, padding, kind, dilation=None):
    """Reduces windows by one of COMBINERS; `padding` has (low, high) of each dimension."""
    of, (combine, neutral) = dtype(value), COMBINERS[kind]
    dilation = dilation or [1] * len(window)
    out = [(size + low + high - (k - 1) * d - 1) // s + 1
           for size, (low, high), k, s, d in zip(shape(value), padding, window, strides, dilation)]
    op = hlo.ReduceWindowOp([tensor(out, of)], [value], [full([], neutral(of), of)], window, window_strides=strides, window_dilations=dilation,
                            padding=ir.DenseElementsAttr.get(np.array(padding, np.int64)))
    fill_region(op, of, combine)
    return op.results[0]


def rows(table, index):
    """Returns table[index] along dimension 0, by gather."""
    dims, inner = shape(index), shape(table)[1:]
    start = reshape(convert(index, torch.int64), [*dims, 1])
    numbers = hlo.GatherDimensionNumbers.get(list(range(len(dims), len(dims) + len(inner))), [0], [], [], [0], len(dims))
    return hlo.gather(table, start, numbers, [1, *inner])
