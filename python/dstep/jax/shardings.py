"""Meshes of JAX, and shardings of its arrays; those inside a step are part of its StableHLO."""
import collections.abc

import jax
from jax.sharding import NamedSharding

from ..base.checks import integer, kind
from ..base.errors import FrontendError


def mesh_of(mesh):
    """Returns {axis: size}, in order, of a dictionary or of a mesh of JAX."""
    if mesh is None:
        return None
    shape = getattr(mesh, "shape", mesh)
    if not isinstance(shape, collections.abc.Mapping):
        raise FrontendError(f"mesh= is {kind(mesh)}, expected {{axis: size}} such as {{'dp': 2, 'tp': 4}}, or a mesh "
                            "of JAX")
    return {str(axis): integer(f"mesh= has {axis}", size, 1) for axis, size in shape.items()}


def named(value):
    """Returns the NamedSharding of an array, or of the description of one, or None."""
    sharding = getattr(value, "sharding", None)
    return sharding if isinstance(sharding, NamedSharding) else None


def place(result, argument):
    """Returns the new value of an argument, sharded over devices like the argument."""
    sharding = named(argument)
    return result if sharding is None else jax.device_put(result, sharding)
