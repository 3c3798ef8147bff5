"""Meshes of JAX, and shardings of its arrays; those in a step come with its StableHLO."""
import jax
from jax.sharding import NamedSharding


def mesh_of(mesh):
    """{axis: size}, in order, of a dictionary or of a mesh of JAX."""
    return None if mesh is None else {str(axis): int(size) for axis, size in dict(getattr(mesh, "shape", mesh)).items()}


def named(value):
    """The sharding over named axes that an array, or the description of one, has."""
    sharding = getattr(value, "sharding", None)
    return sharding if isinstance(sharding, NamedSharding) else None


def place(result, argument):
    """The new value of an argument, divided over devices as the argument is."""
    sharding = named(argument)
    return result if sharding is None else jax.device_put(result, sharding)
