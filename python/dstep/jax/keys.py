"""Typed random keys, which are passed as arrays of integers."""
import jax
import numpy as np


def is_key(value):
    """True if a leaf is a typed random key, whose bits are passed as an array of integers."""
    return jax.dtypes.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.prng_key)


def unwrap(value):
    return jax.random.key_data(value) if is_key(value) else value


def impl_of(key):
    """Returns the algorithm of a typed key, or of the description of one."""
    found = []
    jax.eval_shape(lambda k: found.append(jax.random.key_impl(k)), key)
    return found[0]


def wrap(bits, like):
    return jax.random.wrap_key_data(bits, impl=impl_of(like))
