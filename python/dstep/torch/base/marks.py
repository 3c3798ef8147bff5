"""Annotations in a traced step: gradients of parameters, values that ranks reduce, and axes that shard a value. They
are identities that make_fx records as operations of their own; the lowering writes the calls that dstep.frontend reads.
"""
from typing import Any

import torch

from ...base.errors import FrontendError
from ...frontend.shardings import written
from .placements import axes_of, mesh_of

_library = torch.library.Library("ds", "DEF")
for _name, _said in (("gradient", "param"), ("sharding_constraint", "sharding"), ("combine", "kind")):
    _library.define(f"{_name}(Tensor value, str {_said}) -> Tensor")
    _library.impl(_name, lambda value, said: value.clone(), "CompositeExplicitAutograd")
gradient = torch.ops.ds.gradient.default
combine = torch.ops.ds.combine.default
shard_mark = torch.ops.ds.sharding_constraint.default


class _Shard(torch.autograd.Function):
    """Shards the gradient of a sharded value like the value."""

    @staticmethod
    def forward(ctx, value, sharding):
        ctx.sharding = sharding
        return shard_mark(value, sharding)

    @staticmethod
    def backward(ctx, gradient):
        return shard_mark(gradient, ctx.sharding), None


def shard(value: torch.Tensor, placements: Any, mesh: Any = None) -> torch.Tensor:
    """Returns `value`, sharded over axes of the mesh at this point:

        h = dstep.torch.shard(h, ("dp", None, "tp"))                 # an axis, a tuple of axes or None for each dimension
        h = dstep.torch.shard(h, [Shard(0), Shard(2)], device_mesh)  # placements of DTensors, one for each mesh axis

    The sharding never changes a value, and is the identity outside of a step of ds. Raises FrontendError if the
    placements fit neither the mesh nor the dimensions of the value.
    """
    placements = tuple(placements)
    if any(hasattr(p, "is_shard") for p in placements):
        if mesh is None or len(placements) != len(mesh_of(mesh)):
            raise FrontendError(f"placements are one for each axis of mesh=, got {len(placements)} and {'no mesh' if mesh is None else f'{len(mesh.shape)} axes'}")
        axes = axes_of(placements, mesh.mesh_dim_names, value.dim(), "a value")
    else:
        if len(placements) > value.dim():
            raise FrontendError(f"a value of {value.dim()} dimensions is divided in {len(placements)}")
        axes = [[] if p is None else [p] if isinstance(p, str) else list(p) for p in placements + (None,) * (value.dim() - len(placements))]
    return _Shard.apply(value, written(axes))
