"""Batches of few lengths: a function is compiled once for each."""
import torch


def padded(tensor: torch.Tensor, multiple: int, dim: int = 1, value: float = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Pads a dimension at its end to the next multiple. Returns (tensor, mask); the mask has the dimensions up to the
    padded one, and is true for the elements of `tensor`:
    """
    size, dim = tensor.shape[dim], dim % tensor.dim()
    more = -size % multiple
    mask = (torch.arange(size + more, device=tensor.device) < size).expand(*tensor.shape[:dim], size + more)
    return torch.nn.functional.pad(tensor, (0, 0) * (tensor.dim() - 1 - dim) + (0, more), value=value), mask
