"""The marks of gradients in a traced step. `gradient` is an identity that make_fx records as an operation of its own; the lowering writes
the call for it that ds.frontend reads.
"""
import torch

_library = torch.library.Library("ds", "DEF")
_library.define("gradient(Tensor value, str param) -> Tensor")
_library.impl("gradient", lambda value, param: value.clone(), "CompositeExplicitAutograd")
gradient = torch.ops.ds.gradient.default
