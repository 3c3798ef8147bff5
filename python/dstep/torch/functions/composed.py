"""Functions of PyTorch that a step computes from others, because PyTorch's are kernels, read values of tensors, or have
gradients only as kernels.

Each takes the source of random bits first and is differentiated by autograd, like code of the user's. Functions of
torch.nn.functional that are written in Python run as they are, with those that they call replaced.
"""
import math

import torch
import torch.nn.functional as F

from ...base.errors import FrontendError
from ..base import known
from ..decompositions import matrices
from . import sampling
from .batch_norm import instance_norm
from .bits import dropped


# Random numbers.
def normal(random, mean=0.0, std=1.0, size=None, **options):
    """torch.normal of numbers, or of a tensor for each element."""
    shape = list(size) if size is not None else list(torch.broadcast_shapes(*[v.shape for v in (mean, std) if isinstance(v, torch.Tensor)]))
    return random.normal(shape, options.get("dtype") or torch.get_default_dtype()) * std + mean


def normal_(random, x, mean=0.0, std=1.0, **options):
    return x.copy_(random.normal(list(x.shape), x.dtype) * std + mean)


def uniform_(random, x, low=0.0, high=1.0, **options):
    return x.copy_(random.uniform(list(x.shape), x.dtype) * (high - low) + low)


def exponential_(random, x, rate=1.0, **options):
    """1 - u is never 0; the result is never 0, either, as in PyTorch."""
    drawn = -torch.log(1 - random.uniform(list(x.shape), x.dtype))
    return x.copy_(drawn.clamp(min=torch.finfo(x.dtype).tiny) / rate)


def randint(random, low=0, high=None, size=None, *, dtype=torch.int64, **options):
    if size is None:
        low, high, size = 0, low, high
    if high - low > 1 << 24:
        raise FrontendError(f"torch.randint draws from {high - low} numbers, expected at most {1 << 24}")
    return low + torch.floor(random.uniform(list(size)) * (high - low)).to(dtype).clamp(max=high - low - 1)


def randint_like(random, x, low, high=None, *, dtype=None, **options):
    return randint(random, *((0, low) if high is None else (low, high)), list(x.shape), dtype=dtype or x.dtype)


def randperm(random, n, **options):
    """Returns the order of n random numbers."""
    return torch.argsort(random.uniform([n]), stable=True).to(options.get("dtype") or torch.int64)


def bincount(random, x, weights=None, minlength=0):
    """Counts the values below `minlength`; in PyTorch the largest value decides the number of counts."""
    if known.is_tracing() and known.are_known(x, weights):
        return known.answer(torch.bincount, (x, weights, minlength), {})
    if minlength == 0:
        raise FrontendError("torch.bincount has as many counts as the largest value of a batch says, expected minlength=, above all values")
    found = torch.arange(minlength).unsqueeze(1) == x
    return found.sum(1) if weights is None else torch.where(found, weights, torch.zeros((), dtype=weights.dtype)).sum(1)


def multinomial(random, weights, num_samples, replacement=False, **options):
    """Adds Gumbel noise to the logarithms of the weights: the largest sum is a draw; the largest k are k draws without
    replacement (Gumbel-top-k; Kool, van Hoof and Welling 2019)."""
    draws = [num_samples, 1] if replacement else [1, num_samples]
    waited = -torch.log1p(-random.uniform([*weights.shape[:-1], draws[0], weights.shape[-1]], weights.dtype))
    scores = torch.log(weights).unsqueeze(-2) - torch.log(waited.clamp(min=2.0**-25))
    return torch.topk(scores, draws[1], -1).indices.flatten(-2)


def _alpha(random, x, p, shape):
    """Dropped values become the lower limit of SELU; scale and shift preserve mean and variance."""
    if p == 0:
        return x
    limit = -1.7580993408473766
    scale = 1 / math.sqrt((1 - p) * (1 + p * limit**2)) if p < 1 else 0.0
    keep = random.uniform(shape) >= p
    return torch.where(keep, x, torch.full((), limit, dtype=x.dtype)) * scale - scale * limit * p


def _settled(x, result, in_place):
    """Returns the result of a function that may work in place. An unchanged argument is not written, so that values
    that autograd has saved stay valid."""
    return x.copy_(result) if in_place and result is not x else result


def dropout(drop, of_features, in_place):
    def call(random, x, p, train):
        shape = [*x.shape[:2], *[1] * (x.dim() - 2)] if of_features else list(x.shape)
        return _settled(x, drop(random, x, p, shape) if train else x, in_place)
    return call


def rrelu(in_place):
    def call(random, x, lower=1 / 8, upper=1 / 3, training=False):
        slope = random.uniform(list(x.shape), x.dtype) * (upper - lower) + lower if training else (lower + upper) / 2
        return _settled(x, torch.where(x >= 0, x, x * slope), in_place)
    return call


# Layers.
def _refuse_sparse(sparse):
    if sparse:
        raise FrontendError("an embedding has sparse=True, whose gradient holds a number of rows that the batch "
                            "decides; leave it out: ds reduces the whole gradient")


def refuse_renormalised(random, *arguments):
    raise FrontendError("an embedding has max_norm, which changes its weight while it is read; normalise the rows "
                        "in forward")


def embedding(random, weight, index, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    _refuse_sparse(sparse)
    return torch.embedding(weight, index, padding_idx, scale_grad_by_freq, sparse)


def embedding_bag(random, index, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
                  per_sample_weights=None, include_last_offset=False, padding_idx=None):
    """A bag per row of `index`; or a flat `index`, where bag k begins at offsets[k]: then a sum over the bag's
    elements."""
    if max_norm is not None:
        refuse_renormalised(random)
    _refuse_sparse(sparse)
    if index.dim() == 2:
        member = torch.ones(index.shape, dtype=torch.bool).unsqueeze(1)  # [bags, 1, elements]
        rows = F.embedding(index, weight, padding_idx, scale_grad_by_freq=scale_grad_by_freq)
        scale = per_sample_weights
    else:
        if include_last_offset:
            offsets = offsets[:-1]
        bag = (torch.arange(index.shape[0]).unsqueeze(1) >= offsets.unsqueeze(0)).sum(1) - 1
        member = (bag.unsqueeze(0) == torch.arange(offsets.shape[0]).unsqueeze(1)).unsqueeze(1)
        rows = F.embedding(index, weight, padding_idx, scale_grad_by_freq=scale_grad_by_freq).unsqueeze(0)
        index = index.unsqueeze(0)
        scale = None if per_sample_weights is None else per_sample_weights.unsqueeze(0)
    member = member.squeeze(1)
    if padding_idx is not None:
        member = member & (index != padding_idx % weight.shape[0])
    if scale is not None:
        rows = rows * scale.unsqueeze(-1)
    counted = member.unsqueeze(-1)
    some = member.any(1, keepdim=True)
    if mode == "max":  # of equal elements the first one gets the gradient
        largest = torch.where(counted, rows, torch.full((), -math.inf, dtype=rows.dtype)).max(1).values
        return torch.where(some, largest, torch.zeros((), dtype=rows.dtype))
    total = torch.where(counted, rows, torch.zeros((), dtype=rows.dtype)).sum(1)
    return total if mode == "sum" else total / member.sum(1, keepdim=True).clamp(min=1).to(rows.dtype)


def bilinear(random, a, b, weight, bias=None):
    result = torch.einsum("...i,oij,...j->...o", a, weight, b)
    return result if bias is None else result + bias


def weight_norm(random, v, g, dim=0):
    others = [d for d in range(v.dim()) if d != dim % v.dim()] if dim != -1 else list(range(v.dim()))
    return v * (g / torch.sqrt((v * v).sum(others, keepdim=True)))


# Distances.
def _length(squares):
    """The gradient of a distance of 0 is 0."""
    none = squares == 0
    return torch.where(none, squares, torch.sqrt(torch.where(none, torch.ones((), dtype=squares.dtype), squares)))


def _largest(size):
    """Each of several equal maxima gets the whole gradient; `amax` would split it among them."""
    found = size.detach().amax(-1)
    linear = torch.where(size.detach() == found.unsqueeze(-1), size, torch.zeros((), dtype=size.dtype)).sum(-1)
    return torch.where(torch.isfinite(found), found + (linear - linear.detach()), found)


def _distance(apart, p):
    if p == 2:
        return _length((apart * apart).sum(-1))
    if p == math.inf:
        return _largest(apart.abs())
    if p == 0:
        return apart.sign().abs().sum(-1)
    size = apart.abs()
    if p == 1:
        return size.sum(-1)
    none = size == 0
    total = torch.where(none, size, torch.where(none, torch.ones((), dtype=size.dtype), size) ** p).sum(-1)
    none = total == 0
    return torch.where(none, total, torch.where(none, torch.ones((), dtype=size.dtype), total) ** (1 / p))


def cdist(random, a, b, p=2.0, compute_mode=None):
    return _distance(a.unsqueeze(-2) - b.unsqueeze(-3), p)


def pdist(random, x, p=2.0):
    rows, columns = torch.triu_indices(x.shape[0], x.shape[0], 1).unbind(0)
    return _distance(x[rows] - x[columns], p)


# Losses; `reduction` is 0 for none, 1 for the mean, 2 for the sum.
def _reduced(losses, reduction):
    return losses.mean() if reduction == 1 else losses.sum() if reduction == 2 else losses


def multi_margin_loss(random, x, target, p=1, margin=1.0, weight=None, reduction=1):
    wide, labels = (x.unsqueeze(0), target.reshape(1)) if x.dim() == 1 else (x, target)
    hit = torch.arange(wide.shape[1]) == labels.unsqueeze(1)
    own = torch.where(hit, wide, torch.zeros((), dtype=x.dtype)).sum(1, keepdim=True)
    losses = torch.relu(torch.where(hit, torch.zeros((), dtype=x.dtype), margin - own + wide)) ** p
    if weight is not None:
        losses = losses * (hit.to(x.dtype) @ weight).unsqueeze(1)
    losses = losses.sum(1) / wide.shape[1]
    return _reduced(losses if x.dim() > 1 else losses.reshape(()), reduction)


def multilabel_margin_loss(random, x, target, reduction=1):
    """The labels of a row end at the first -1."""
    wide, labels = (x.unsqueeze(0), target.unsqueeze(0)) if x.dim() == 1 else (x, target)
    valid = torch.cumsum((labels < 0).to(torch.int64), 1) == 0
    hits = (torch.arange(wide.shape[1]) == labels.unsqueeze(2)) & valid.unsqueeze(2)  # [rows, labels, classes]
    zero = torch.zeros((), dtype=x.dtype)
    own = torch.where(hits, wide.unsqueeze(1), zero).sum(2)
    counted = valid.unsqueeze(2) & ~hits.any(1, keepdim=True)
    losses = torch.relu(torch.where(counted, 1 - own.unsqueeze(2) + wide.unsqueeze(1), zero)).sum((1, 2)) / wide.shape[1]
    return _reduced(losses if x.dim() > 1 else losses.reshape(()), reduction)


def ctc_loss(random, scores, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    """Computes the forward variables of all paths, position by position, in logarithms; autograd derives the backward
    ones.

    scores [time, samples, classes], targets [samples, labels] padded to one length."""
    if scores.dim() == 2:
        scores, targets = scores.unsqueeze(1), targets.unsqueeze(0)
        loss = ctc_loss(random, scores, targets, torch.as_tensor(input_lengths).reshape(1), torch.as_tensor(target_lengths).reshape(1), blank, reduction, zero_infinity)
        return loss.reshape(())
    if targets.dim() == 1 and not known.is_tracing():  # outside of a trace, a mask selects all labels of the batch
        targets = torch.nn.utils.rnn.pad_sequence(targets.split(torch.as_tensor(target_lengths).tolist()), batch_first=True)
    if targets.dim() != 2:
        raise FrontendError("ctc_loss is given targets in one row, expected [samples, labels] padded to one length")
    time, samples, classes = scores.shape
    labels, least = targets.shape[1], -1e30  # in place of -inf, whose differences are NaN
    lengths = [torch.as_tensor(v, dtype=torch.int64).expand(samples) for v in (input_lengths, target_lengths)]
    # Blanks before, between and after the labels.
    targets = targets.to(torch.int64)
    places = torch.stack([torch.full_like(targets, blank), targets], 2).reshape(samples, 2 * labels)
    places = torch.cat([places, torch.full_like(targets[:, :1], blank)], 1)
    width = 2 * labels + 1
    hits = (places.unsqueeze(2) == torch.arange(classes)).to(scores.dtype)  # [samples, width, classes]
    emitted = torch.einsum("tnc,nsc->tns", scores.clamp(min=least), hits)
    skip = torch.cat([torch.zeros(samples, 2, dtype=torch.bool), (places[:, 2:] != blank) & (places[:, 2:] != places[:, :-2])], 1)
    state = torch.where(torch.arange(width) < 2, emitted[0], torch.full((), least, dtype=scores.dtype))
    shifted = lambda v, k: torch.cat([torch.full((samples, k), least, dtype=v.dtype), v[:, :width - k]], 1)
    for t in range(1, time):
        two = torch.where(skip, shifted(state, 2), torch.full((), least, dtype=state.dtype))
        new = torch.logsumexp(torch.stack([state, shifted(state, 1), two]), 0) + emitted[t]
        state = torch.where((t < lengths[0]).unsqueeze(1), new.clamp(min=least), state)
    last = 2 * lengths[1].unsqueeze(1)
    at = lambda place: torch.where(torch.arange(width) == place, state, torch.full((), least, dtype=state.dtype)).amax(1)
    found = torch.logsumexp(torch.stack([at(last), torch.where(lengths[1] > 0, at(last - 1), torch.full((), least, dtype=state.dtype))]), 0)
    impossible = found < least / 2
    loss = torch.where(impossible, torch.full((), 0.0 if zero_infinity else math.inf, dtype=found.dtype), -found)
    return _reduced(loss / lengths[1].clamp(min=1) if reduction == 1 else loss, reduction)


REPLACED = {
    torch.normal: normal, torch.Tensor.normal_: normal_, torch.Tensor.uniform_: uniform_, torch.Tensor.exponential_: exponential_,
    torch.bincount: bincount, torch.Tensor.bincount: bincount, torch.multinomial: multinomial,
    torch.Tensor.multinomial: multinomial, torch.randperm: randperm, torch.randint: randint,
    torch.randint_like: randint_like, torch.rrelu: rrelu(False), torch.rrelu_: rrelu(True),
    torch.embedding: embedding, torch.embedding_renorm_: refuse_renormalised, torch.grid_sampler: sampling.grid_sampler,
    torch.instance_norm: instance_norm, torch._weight_norm: weight_norm,
    torch.cdist: cdist, torch.bilinear: bilinear, torch.pdist: pdist, torch.ctc_loss: ctc_loss,
    torch._C._nn.multi_margin_loss: multi_margin_loss, torch._C._nn.multilabel_margin_loss: multilabel_margin_loss,
} | matrices.FUNCTIONS | {
    getattr(torch, f"{'feature_' * of_features}{name}{'_' * in_place}"): dropout(drop, of_features, in_place)
    for name, drop in (("dropout", dropped), ("alpha_dropout", _alpha))
    for of_features in (False, True) for in_place in (False, True)
}
# Functions of Python that are replaced as a whole.
WHOLE = {(F, "embedding_bag"): embedding_bag}
