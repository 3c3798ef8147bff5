"""Placements of DTensors as shardings of ds: the result of `parallelize_module`, `distribute_tensor` and `fully_shard`.

A process holds only its own shard of a DTensor, so the values of a step come from the model before it was parallelized,
and the parallelized model gives the shardings. A fake process group is enough to make it.
"""
import torch
from torch.distributed.tensor import DTensor

from ...base.errors import FrontendError
from ...frontend.shardings import with_batch_axis


def mesh_of(mesh):
    """Returns {axis: size} of a dictionary or of a DeviceMesh."""
    if mesh is None or isinstance(mesh, dict):
        return mesh
    if not mesh.mesh_dim_names:
        raise FrontendError("the mesh has no names, expected mesh_dim_names=, such as ('dp', 'tp')")
    return dict(zip(mesh.mesh_dim_names, mesh.shape))


def axes_of(placements, names, rank, what):
    """Returns, for each of `rank` dimensions, the axes that shard it, from major to minor."""
    axes, minor = [[] for _ in range(rank)], [[] for _ in range(rank)]
    for placement, name in zip(placements, names, strict=True):
        if placement.is_partial():
            raise FrontendError(f"{what} is {placement} over the axis '{name}', expected Shard or Replicate: ds finds by itself what to combine later")
        if placement.is_replicate():
            continue
        # FSDP shards the blocks of tensor parallelism, so its axis is the minor one, although it comes first in the
        # mesh.
        strided = type(placement).__name__ == "_StridedShard"
        (minor if strided else axes)[placement.dim % rank].append(name)
    return [first + last for first, last in zip(axes, minor)]


def shardings(module: torch.nn.Module) -> tuple[dict[str, int], dict[str, tuple]]:
    """Returns ({axis: size}, {parameter: axes of each dimension}) of a module whose parameters are DTensors.

        mesh, axes = dstep.torch.shardings(parallelize_module(copy.deepcopy(model), device_mesh["tp"], plan))

    The first axis of the mesh shards the batch. If it shards parameters and no part of the module is an FSDPModule,
    every rank has all samples: an axis of one rank is inserted before it. Raises FrontendError if no parameter is a
    DTensor, or if they are on different meshes.
    """
    held = {n: p.data for n, p in module.named_parameters() if isinstance(p.data, DTensor)}
    if not held:
        raise FrontendError("no parameter of the module is a DTensor; parallelize_module, distribute_tensor and fully_shard make them")
    meshes = {n: mesh_of(p.device_mesh._get_root_mesh()) for n, p in held.items()}
    mesh = next(iter(meshes.values()))
    for name, other in meshes.items():
        if other != mesh:
            raise FrontendError(f"'{name}' is on the mesh {other}, but '{next(iter(held))}' on {mesh}, expected one mesh")
    dims = {n: axes_of(p.placements, p.device_mesh.mesh_dim_names, p.dim(), f"'{n}'") for n, p in held.items()}
    first = next(iter(mesh))
    if not any(is_fsdp(m) for m in module.modules()) and any(first in axes for of in dims.values() for axes in of):
        mesh = with_batch_axis(mesh)
    return mesh, dims


def is_fsdp(module):
    return any(kind.__name__ == "FSDPModule" for kind in type(module).__mro__)


def read_options(mesh, sharded):
    """Returns (mesh, {name: axes of each dimension}) of the options mesh= and shardings=; shardings= may be a
    module."""
    if isinstance(sharded, torch.nn.Module):
        of_module, sharded = shardings(sharded)
        mesh = of_module if mesh is None else mesh
    return mesh_of(mesh), dict(sharded or {})


def refuse_divided(module):
    """Raises FrontendError for a model with DTensors: a step is traced with global values."""
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if isinstance(tensor.data, DTensor):
            raise FrontendError(f"'{name}' is a DTensor, of which this process holds one shard; give the model as it was before it was parallelized, and this "
                                "one as shardings=")
