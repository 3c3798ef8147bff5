"""Values of StableHLO as arrays with numpy's operators, for algorithms that would be long as text.

    row = (l * (rows == j)).sum(-2)          dimensions of size 1 and missing leading ones broadcast

`Array` holds a value; a number in an operation takes its type. Reductions keep their dimension with size 1, so that
their results broadcast against their operands. `loop` counts, `repeat` runs while a condition holds.
"""
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo


def _typed(dims, element):
    return ir.RankedTensorType.get(list(dims), element)


def _full(dims, number, element):
    whole = isinstance(element, ir.IntegerType)
    attribute = ir.IntegerAttr.get(element, int(number)) if whole else ir.FloatAttr.get(element, float(number))
    return Array(hlo.constant(ir.DenseElementsAttr.get_splat(_typed(dims, element), attribute)))


def constant(values, element):
    """Returns a table of numbers, each rounded once."""
    values = np.asarray(values, np.float64)
    values = values if str(element) == "f64" else values.astype(np.float32)
    return Array(hlo.constant(ir.DenseElementsAttr.get(np.ascontiguousarray(values), type=element,
                                                       shape=list(values.shape))))


def _compare(direction):
    def compare(self, other):
        a, b = self.beside(other)
        kind = "FLOAT" if isinstance(a.element, ir.FloatType) else "SIGNED"
        return Array(hlo.compare(a.value, b.value, hlo.ComparisonDirectionAttr.get(direction),
                                 compare_type=hlo.ComparisonTypeAttr.get(kind)))
    return compare


def _binary(operation, turned=False):
    def binary(self, other):
        a, b = self.beside(other)
        return Array(operation(b.value, a.value) if turned else operation(a.value, b.value))
    return binary


class Array:
    """A value of StableHLO with the operators of arrays; each inserts operations."""
    def __init__(self, value):
        self.value, self.shape, self.element = value, list(value.type.shape), value.type.element_type

    @property
    def rank(self):
        return len(self.shape)

    def like(self, number, dims=None):
        """Returns a number in the type of this array."""
        return _full(self.shape if dims is None else dims, number, self.element)

    def to(self, dims):
        """Returns the array broadcast to `dims`; its own dimensions are the last ones."""
        dims = list(dims)
        if self.shape == dims:
            return self
        kept = [d for d, size in enumerate(self.shape) if size != 1 or dims[d - self.rank] == 1]
        thin = self.reshape([self.shape[d] for d in kept])
        return Array(hlo.broadcast_in_dim(_typed(dims, self.element), thin.value,
                                          [len(dims) - self.rank + d for d in kept]))

    def beside(self, other):
        """Returns both operands, broadcast to one shape."""
        other = other if isinstance(other, Array) else self.like(other)
        dims = np.broadcast_shapes(self.shape, other.shape)
        return self.to(dims), other.to(dims)

    __add__ = __radd__ = _binary(hlo.add)
    __sub__, __rsub__ = _binary(hlo.subtract), _binary(hlo.subtract, turned=True)
    __mul__ = __rmul__ = _binary(hlo.multiply)
    __truediv__, __rtruediv__ = _binary(hlo.divide), _binary(hlo.divide, turned=True)
    __and__, __or__ = _binary(hlo.and_), _binary(hlo.or_)
    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = (_compare(name) for name in ("EQ", "NE", "LT", "LE", "GT", "GE"))
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self):
        return Array(hlo.negate(self.value))

    def __invert__(self):
        return Array(hlo.not_(self.value))

    def sqrt(self):
        return Array(hlo.sqrt(self.value))

    def abs(self):
        return Array(hlo.abs(self.value))

    def maximum(self, other):
        return _binary(hlo.maximum)(self, other)

    def minimum(self, other):
        return _binary(hlo.minimum)(self, other)

    def reshape(self, dims):
        return self if self.shape == list(dims) else Array(hlo.reshape(_typed(dims, self.element), self.value))

    def transpose(self, order):
        return Array(hlo.transpose(self.value, list(order)))

    @property
    def T(self):
        """The array with its last two dimensions swapped."""
        return self.transpose([*range(self.rank - 2), self.rank - 1, self.rank - 2])

    def reverse(self, *dims):
        return Array(hlo.reverse(self.value, [d % self.rank for d in dims]))

    def part(self, dim, start, end):
        starts, ends = [0] * self.rank, list(self.shape)
        starts[dim], ends[dim] = start, end
        return Array(hlo.slice(self.value, starts, ends, [1] * self.rank))

    def reduce(self, dim, combine, start):
        dim %= self.rank
        left = self.shape[:dim] + self.shape[dim + 1:]
        op = hlo.ReduceOp([_typed(left, self.element)], [self.value], [self.like(start, []).value], [dim])
        scalar = _typed([], self.element)
        block = op.regions[0].blocks.append(scalar, scalar)
        with ir.InsertionPoint(block):
            hlo.return_([combine(*block.arguments)])
        return Array(op.results[0]).reshape(self.shape[:dim] + [1] + self.shape[dim + 1:])

    def sum(self, dim):
        return self.reduce(dim, hlo.add, 0)

    def any(self):
        """Returns whether any element is true, as an array of one number."""
        flat = self.reshape([int(np.prod(self.shape))])
        return flat.reduce(0, hlo.or_, 0).reshape([])

    def max(self, dim):
        return self.reduce(dim, hlo.maximum, float("-inf"))

    def min(self, dim):
        """Returns the least of integers."""
        return self.reduce(dim, hlo.minimum, 2**31 - 1)

    def __matmul__(self, other):
        """Returns products of the matrices in the last two dimensions."""
        batch = list(range(self.rank - 2))
        numbers = hlo.DotDimensionNumbers.get(batch, batch, [self.rank - 1], [self.rank - 2])
        return Array(hlo.dot_general(_typed([*self.shape[:-1], other.shape[-1]], self.element), self.value, other.value,
                                     numbers))

    def product(self, other, dim):
        """Returns the product of dimension `dim` with the rows of a matrix; the matrix's columns take the place of that
        dimension."""
        dim %= self.rank
        numbers = hlo.DotDimensionNumbers.get([], [], [dim], [0])
        left = self.shape[:dim] + self.shape[dim + 1:]
        made = hlo.dot_general(_typed([*left, other.shape[1]], self.element), self.value, other.value, numbers)
        return Array(made).transpose([*range(dim), self.rank - 1, *range(dim, self.rank - 1)])


def counted(dims, dim):
    """Returns the position of each element along a dimension."""
    return Array(hlo.iota(_typed(dims, ir.IntegerType.get_signless(32)), dim % len(dims)))


def where(condition, a, b):
    a, b = (a, b) if isinstance(a, Array) else (b.like(a, []), b)
    a, b = a.beside(b)
    dims = np.broadcast_shapes(a.shape, condition.shape)
    return Array(hlo.select(condition.to(dims).value, a.to(dims).value, b.to(dims).value))


def concatenate(parts, dim):
    return Array(hlo.concatenate([p.value for p in parts], dim % parts[0].rank))


def repeat(condition, body, carried):
    """Inserts `while condition(*carried): carried = body(*carried)`."""
    types = [c.value.type for c in carried]
    op = hlo.WhileOp(types, [c.value for c in carried])
    for region, function in ((op.regions[0], lambda *values: [condition(*values)]), (op.regions[1], body)):
        block = region.blocks.append(*types)
        with ir.InsertionPoint(block):
            hlo.return_([r.value for r in function(*(Array(a) for a in block.arguments))])
    return [Array(r) for r in op.results]


def loop(count, body, *carried):
    """Inserts `for j in range(count): carried = body(j, *carried)`; j is an array of one number."""
    zero = _full([], 0, ir.IntegerType.get_signless(32))
    found = repeat(lambda j, *values: j < count, lambda j, *values: [j + 1, *body(j, *values)], [zero, *carried])
    return found[1:]
