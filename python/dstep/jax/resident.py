"""A step of JAX in this process, whose parameters and states stay on the ranks: what a call returns, and the next one is given again, is not copied in.

Arrays of JAX do not change, so each call returns new ones: one copy out. A parameter of another array, such as one that was loaded, is copied in as the
batch is. `Recent` knows the arguments of the call before, so that one with the same shapes is not looked at anew.
"""
import math

import jax
import numpy as np

from .. import arrays
from .keys import unwrap
from .shardings import named

NUMBERS = (bool, int, float)


LARGE = 1 << 16  # bytes from which an array that is taken over as it is is cheaper than a copy


def aligned(shape, dtype):
    """Memory that JAX takes over as it is where it is large, which needs 64 bytes of alignment."""
    size = math.prod(shape) * dtype.itemsize
    if size < LARGE:
        return np.empty(shape, dtype)
    memory = np.empty(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first:first + size].view(dtype).reshape(shape)


copies = jax.jit(lambda *values: values)  # one call for all of them: device_put takes 40 us for each


def to_jax(values):
    """Arrays of JAX for those that `aligned` has made, or others that nobody writes any more."""
    small = iter(copies(*(value for value in values if value.nbytes < LARGE)))
    large = iter(jax.device_put([value for value in values if value.nbytes >= LARGE]))
    return [next(small if value.nbytes < LARGE else large) for value in values]


class Recent:
    """The arguments of a call, if they are plain arrays and numbers, and their export."""

    def __init__(self, args, made):
        leaves, self.tree = jax.tree_util.tree_flatten(args)
        self.made, self.described = made, [self.describe(leaf) for leaf in leaves]
        self.is_plain = not made.modules.objects and made.modules.rest is None and None not in self.described

    @staticmethod
    def describe(leaf):
        if type(leaf) in NUMBERS:
            return type(leaf), (), None
        if not isinstance(leaf, (jax.Array, np.ndarray)) or named(leaf) is not None or jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return None
        return type(leaf), leaf.shape, leaf.dtype

    def leaves(self, args):
        """The leaves of other arguments, or None if they are not of the same kind."""
        if not self.is_plain or type(args) is not tuple:
            return None
        leaves, tree = jax.tree_util.tree_flatten(args)
        return leaves if tree == self.tree and all(self.describe(leaf) == known for leaf, known in zip(leaves, self.described)) else None


class Resident:
    """An export in an instance of it."""

    def __init__(self, instance, made, shape):
        self.instance, self.shape = instance, shape
        self.carried = {a for a, _ in made.carried}
        self.updates = [(k, a) for a, k in made.carried]
        self.dtypes = [arrays.dtype(r["dtype"]) for r in made.manifest["results"]]
        self.returned = {}  # argument: the array that the last step gave for it

    def run(self, leaves, is_first):
        """The results of a step as arrays of NumPy. Parameters and states count in the first one of several alone."""
        inputs, kept, instance = {}, [], self.instance
        for i, leaf in enumerate(leaves):
            if i not in self.carried or is_first and self.returned.get(i) is not leaf:
                kept.append(instance.fitting(i, arrays.narrowed(unwrap(leaf), instance.dtype(i)), self.shape))
                inputs[i] = kept[-1].ctypes.data
        self.returned = {}  # until this step has come to its end
        instance.run(inputs)
        return [arrays.restore(instance.result(k, aligned), dtype) for k, dtype in enumerate(self.dtypes)]

    def gave(self, results):
        """The arrays of JAX that the results have become."""
        self.returned = {a: results[k] for k, a in self.updates}
