"""A step of JAX in this process, whose parameters and states stay on the ranks: what a call returns, and the next one is given again, is not copied in.

Arrays of JAX do not change, so each call returns new ones: one copy out. Where the caller donates the old ones, the new ones are written to their memory
(`move`). A parameter of another array, such as one that was loaded, is copied in as the batch is. `Recent` knows the arguments of the call before, so that one
with the same shapes is not looked at anew.
"""
import math

import jax
import numpy as np

from .. import _native, arrays, dlpack
from ..device import HeldArray
from .keys import unwrap
from .shardings import named
from .window import Window

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


# The second argument's values, in the memory of the first one's, which are deleted. JAX itself donates: it takes new memory where NumPy still looks at the old one.
into = jax.jit(lambda old, new: new, donate_argnums=0, keep_unused=True)


def move(old, values):
    """Arrays of JAX for values that the next step overwrites, in place of `old` ones of these shapes and types, which nobody can read any more."""
    return jax.block_until_ready(into(old, values))


class Recent:
    """The arguments of a call, if they are plain arrays and numbers, and their export."""

    def __init__(self, args, made):
        leaves, self.tree = jax.tree_util.tree_flatten(args)
        self.made, self.described = made, [self.describe(leaf) for leaf in leaves]
        self.is_plain = not made.modules.objects and made.modules.rest is None and None not in self.described

    @staticmethod
    def describe(leaf):
        kind = type(leaf)
        if kind is np.ndarray:
            return kind, leaf.shape, leaf.dtype
        if kind in NUMBERS:
            return kind, (), None
        if is_foreign(leaf) and hasattr(leaf, "shape") and hasattr(leaf, "dtype"):
            return kind, tuple(leaf.shape), leaf.dtype
        if not isinstance(leaf, (jax.Array, np.ndarray)) or named(leaf) is not None or jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return None
        return kind, leaf.shape, leaf.dtype

    def leaves(self, args, returned):
        """The leaves of other arguments, or None if they are not of the same kind. `returned` are leaves that the call before has returned for arguments."""
        if not self.is_plain or type(args) is not tuple:
            return None
        leaves, tree = jax.tree_util.tree_flatten(args)
        if tree != self.tree:
            return None
        known = zip(leaves, self.described)
        return leaves if all(returned.get(i) is leaf or self.describe(leaf) == was for i, (leaf, was) in enumerate(known)) else None


def is_foreign(leaf):
    """Whether a GPU holds it, for another library."""
    return not isinstance(leaf, (jax.Array, HeldArray)) and dlpack.is_on_gpu(leaf)


def described_on_host(args, device):
    """The arguments, with an array of zeros in place of each that JAX does not know: that another library holds, or a step on a device."""
    if device == "cpu" and not any(isinstance(leaf, HeldArray) or dlpack.is_bare(leaf) for leaf in jax.tree_util.tree_leaves(args)):
        return args

    def describe(leaf):
        if not isinstance(leaf, HeldArray) and not dlpack.is_bare(leaf) and not is_foreign(leaf):
            return leaf
        like = leaf if isinstance(leaf, HeldArray) else dlpack.Given(leaf, -1)
        return np.broadcast_to(np.zeros((), like.dtype), like.shape)

    return jax.tree_util.tree_map(describe, args)


class Resident:
    """An export in an instance of it."""

    def __init__(self, instance, made, shape):
        self.instance, self.shape = instance, shape
        self.carried, self.prepared = {a for a, _ in made.carried}, {}
        self.batch = [i for i, a in enumerate(made.manifest["args"]) if a["role"] == "batch"]
        self.updates = [(k, a) for a, k in made.carried]
        self.dtypes = [arrays.dtype(r["dtype"]) for r in made.manifest["results"]]
        self.returned = {}  # argument: the array that the last step gave for it
        self.window = Window.of(instance, self.dtypes)
        self.expected = [(np.dtype(_native.TYPES[a["type"]]), tuple(a[shape])) for a in instance.arguments]

    def _at(self, i, leaf):
        """The address of a leaf that is handed over as it is, or None."""
        dtype, shape = self.expected[i]
        if type(leaf) is not np.ndarray or leaf.dtype != dtype or leaf.shape != shape or not leaf.flags.c_contiguous:
            return None
        return leaf.__array_interface__["data"][0]

    def _fitting(self, i, leaf):
        known = self.prepared.pop(i, None)
        if known is None or known[0] is not leaf:
            return self.instance.fitting(i, arrays.narrowed(unwrap(leaf), self.instance.dtype(i)), self.shape)
        return known[1]

    def _prepare(self, leaves):
        """{argument: address} of the next step's batch, of what lies on the host."""
        plain = {i: leaves[i] for i in self.batch if type(leaves[i]) is np.ndarray or isinstance(leaves[i], jax.Array) and not dlpack.is_on_gpu(leaves[i])}
        self.prepared = {i: (leaf, self._fitting(i, leaf)) for i, leaf in plain.items()}
        return {i: array.ctypes.data for i, (_, array) in self.prepared.items()}

    def run(self, leaves, is_first, following=None):
        """One step. Parameters and states count in the first one of several alone. `following` are the leaves of the next one, where they are known."""
        inputs, given, kept, instance = {}, {}, [], self.instance
        for i, leaf in enumerate(leaves):
            if i in self.carried and not (is_first and self.returned.get(i) is not leaf):
                continue
            address = self._at(i, leaf)
            if address is not None:
                inputs[i] = address
            elif instance.is_on_gpu and dlpack.is_on_gpu(leaf) if isinstance(leaf, jax.Array) else is_foreign(leaf):
                given[i] = instance.follow(leaf)
            else:
                kept.append(self._fitting(i, leaf))
                inputs[i] = kept[-1].ctypes.data
        self.returned = {}  # until this step has come to its end
        instance.run(inputs, given=given, following=self._prepare(following) if following is not None and instance.is_on_gpu else None)

    def results(self):
        """Copies of the step's results, as arrays of NumPy."""
        return [self.result(k) for k in range(len(self.dtypes))]

    def result(self, k):
        return arrays.restore(self.instance.result(k, aligned), self.dtypes[k])

    def current(self):
        """The results, which the next step overwrites."""
        return [arrays.restore(self.instance.current(k), dtype) for k, dtype in enumerate(self.dtypes)]

    def gave(self, results):
        """The arrays of JAX that the results have become."""
        self.returned = {a: results[k] for k, a in self.updates}
