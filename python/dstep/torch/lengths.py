"""Batches of few lengths: a function is compiled once for each."""
import torch


def padded(tensor: torch.Tensor, multiple: int, dim: int = 1, value: float = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """The tensor with a dimension padded at its end to the next multiple, and a mask of the dimensions up to that one, which is true where the tensor was:

        tokens, mask = ds.torch.padded(tokens, 64)
        loss = (F.cross_entropy(model(tokens).mT, labels, reduction="none") * mask).sum() / mask.sum()
    """
    size, dim = tensor.shape[dim], dim % tensor.dim()
    more = -size % multiple
    mask = (torch.arange(size + more, device=tensor.device) < size).expand(*tensor.shape[:dim], size + more)
    return torch.nn.functional.pad(tensor, (0, 0) * (tensor.dim() - 1 - dim) + (0, more), value=value), mask
