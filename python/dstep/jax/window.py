"""Small results of a step as arrays of JAX by one call: the slots of a rank lie in one piece of memory, from which a
jitted function slices the results.

Passing each result as an argument of its own costs JAX 2 us. So this serves replicated results of 4 bytes per element,
within LIMIT bytes; copying larger ones is as fast.
"""
import functools

import jax
import numpy as np

LIMIT = 1 << 20  # less than the distance of two allocations, which begin at huge pages
WORD = 4


@functools.cache
def _cutter(places):
    """Returns a function of donated arrays and the words of a window; it returns the arrays at these (first, shape,
    type)."""
    def cut(old, words):
        parts = [jax.lax.slice(words, (first,), (first + int(np.prod(shape, dtype=np.int64)),)).reshape(shape)
                 for first, shape, _ in places]
        return [part if part.dtype == dtype else jax.lax.bitcast_convert_type(part, dtype)
                for part, (_, _, dtype) in zip(parts, places)]

    return jax.jit(cut, donate_argnums=0, keep_unused=True)


def _shared(words):
    """Returns memory of NumPy as an array of JAX, made once: JAX takes an array of its own 4 us faster. NumPy's itself
    if that would be a copy, or on another device than results are."""
    held = jax.dlpack.from_dlpack(words)
    is_shared = held.unsafe_buffer_pointer() == words.ctypes.data
    return held if is_shared and jax.devices()[0] in held.devices() else words


class Window:
    """`of` returns None unless the results of an instance, which become arrays of these types, fit into a window."""

    def __init__(self, words, cut):
        self.words, self.cut = words, cut

    @classmethod
    def of(cls, instance, dtypes):
        views = [instance.plain(k) for k in range(len(dtypes))]
        if not views or any(view is None or view.itemsize != WORD or dtype.itemsize != WORD or not view.size
                            for view, dtype in zip(views, dtypes)):
            return None
        addresses = [view.ctypes.data for view in views]
        first = min(addresses)
        size = max(address + view.nbytes for address, view in zip(addresses, views)) - first
        if size > LIMIT:
            return None
        places = tuple(((address - first) // WORD, view.shape, dtype)
                       for address, view, dtype in zip(addresses, views, dtypes))
        return cls(_shared(instance.words(first, size)), _cutter(places))

    def arrays(self, old=()):
        """Returns the results, in the memory of `old` arrays with their shapes and types, which cannot be read any
        more."""
        found = self.cut(old, self.words)
        found[0].block_until_ready()  # all of them come from one call
        return found
