"""Meshes and shardings that are given beside a step; those in the step come with its StableHLO."""
import jax
from jax.sharding import NamedSharding

from ..frontend import FrontendError


def mesh_of(mesh):
    """{axis: size}, in order, of a dictionary or of a mesh of JAX."""
    return None if mesh is None else {str(axis): int(size) for axis, size in dict(getattr(mesh, "shape", mesh)).items()}


def named(value):
    """The sharding over named axes that an array, or the description of one, has."""
    sharding = getattr(value, "sharding", None)
    return sharding if isinstance(sharding, NamedSharding) else None


def give(described, leaves, shardings, mesh):
    """Writes `shardings` into the descriptions of the arguments: {name: an axis, a tuple of axes or None for each dimension}."""
    for name, dims in shardings.items():
        found = [d for d, leaf in zip(described, leaves) if name in (leaf.name, leaf.full)]
        if not found:
            raise FrontendError(f"shardings= names '{name}', but the arguments are {', '.join(d['name'] for d in described)}")
        rank, dims = len(found[0]["shape"]), tuple(dims)
        if len(dims) > rank:
            raise FrontendError(f"shardings= gives '{name}' {len(dims)} dimensions, expected {rank} at most")
        axes = [[] if dim is None else [dim] if isinstance(dim, str) else list(dim) for dim in dims + (None,) * (rank - len(dims))]
        for axis in sum(axes, []):
            if mesh is not None and axis not in mesh:
                raise FrontendError(f"shardings= divides '{name}' over the axis '{axis}', but the mesh has {', '.join(mesh)}")
        found[0]["sharding"] = axes


def place(result, argument):
    """The new value of an argument, divided over devices as the argument is."""
    sharding = named(argument)
    return result if sharding is None else jax.device_put(result, sharding)
