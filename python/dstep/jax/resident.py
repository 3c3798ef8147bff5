"""A step of JAX in this process, whose parameters and states stay on the ranks: a returned value that is the next
call's argument is not copied in.

Arrays of JAX are immutable, so each call returns new ones: one copy out. If the caller donates the old ones, the new
ones are written to their memory (`move`). A parameter from elsewhere, such as a loaded one, is copied in like the
batch. `Recent` keeps the description of the last call's arguments, so that a call with the same shapes skips the
analysis.
"""
import math

import jax
import numpy as np

from ..base import arrays, dlpack
from ..session import native
from ..session.device import HeldArray
from .keys import unwrap
from .shardings import named
from .window import Window

NUMBERS = (bool, int, float)


LARGE = 1 << 16  # bytes from which JAX takes an array without a copy, because that is cheaper


def aligned(shape, dtype):
    """Returns memory that JAX takes without a copy if it is large, which needs 64 bytes of alignment."""
    size = math.prod(shape) * dtype.itemsize
    if size < LARGE:
        return np.empty(shape, dtype)
    memory = np.empty(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first:first + size].view(dtype).reshape(shape)


# One call for all of them: device_put takes 40 us for each.
copies = jax.jit(lambda *values: values)


def to_jax(values):
    """Returns arrays of JAX for arrays from `aligned`, or others that are not written any more."""
    small = iter(copies(*(value for value in values if value.nbytes < LARGE)))
    large = iter(jax.device_put([value for value in values if value.nbytes >= LARGE]))
    return [next(small if value.nbytes < LARGE else large) for value in values]


# Writes the second argument's values to the memory of the first one, and deletes that. JAX itself donates: it allocates
# new memory while NumPy still refers to the old one.
into = jax.jit(lambda old, new: new, donate_argnums=0, keep_unused=True)


def move(old, values):
    """Returns arrays of JAX for values that the next step overwrites, in the memory of the `old` ones with the same
    shapes and types, which cannot be read any more."""
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
        if (not isinstance(leaf, (jax.Array, np.ndarray)) or named(leaf) is not None
                or jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)):
            return None
        return kind, leaf.shape, leaf.dtype

    def leaves(self, args, returned):
        """Returns the leaves of other arguments, or None if their descriptions differ. `returned` are leaves that the
        last call returned for arguments."""
        if not self.is_plain or type(args) is not tuple:
            return None
        leaves, tree = jax.tree_util.tree_flatten(args)
        if tree != self.tree:
            return None
        known = zip(leaves, self.described)
        return leaves if all(returned.get(i) is leaf or self.describe(leaf) == was
                             for i, (leaf, was) in enumerate(known)) else None


def is_foreign(leaf):
    """True if a GPU holds the leaf for another library."""
    return not isinstance(leaf, (jax.Array, HeldArray)) and dlpack.is_on_gpu(leaf)


def described_on_host(args, device):
    """Returns the arguments with zeros in place of arrays that JAX cannot describe: of another library, or held by a
    step on a device."""
    if device == "cpu" and not any(isinstance(leaf, HeldArray) or dlpack.is_bare(leaf)
                                   for leaf in jax.tree_util.tree_leaves(args)):
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
        self.returned = {}  # argument: the array that the last step returned for it
        self.window = Window.of(instance, self.dtypes)
        self.expected = [(np.dtype(native.TYPES[a["type"]]), tuple(a[shape])) for a in instance.arguments]

    def _at(self, i, leaf):
        """Returns the address of a leaf that can be passed without a copy, or None."""
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
        """Returns {argument: address} of the next step's batch, for arrays on the host."""
        plain = {i: leaves[i] for i in self.batch if type(leaves[i]) is np.ndarray or isinstance(leaves[i], jax.Array)
                 and not dlpack.is_on_gpu(leaves[i])}
        self.prepared = {i: (leaf, self._fitting(i, leaf)) for i, leaf in plain.items()}
        return {i: array.ctypes.data for i, (_, array) in self.prepared.items()}

    def run(self, leaves, is_first, following=None):
        """Runs one step. Parameters and states are read in the first of several steps only. `following` are the leaves
        of the next step if they are known."""
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
        self.returned = {}  # until this step has completed
        instance.run(inputs, given=given, following=self._prepare(following) if following is not None
                     and instance.is_on_gpu else None)

    def results(self):
        """Returns copies of the step's results, as arrays of NumPy."""
        return [self.result(k) for k in range(len(self.dtypes))]

    def result(self, k):
        return arrays.restore(self.instance.result(k, aligned), self.dtypes[k])

    def current(self):
        """Returns the results in memory that the next step overwrites."""
        return [arrays.restore(self.instance.current(k), dtype) for k, dtype in enumerate(self.dtypes)]

    def gave(self, results):
        """Keeps the arrays of JAX that the results became."""
        self.returned = {a: results[k] for k, a in self.updates}
