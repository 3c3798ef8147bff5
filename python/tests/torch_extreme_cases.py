"""Values and gradients where nothing is valid, at zero, at infinity, and of what is no number, in groups as those of
torch_cases.py.

A case is traced as a step does it, with what ds.torch computes in its own way, and expected is what PyTorch's kernels
make of the same.
"""
import contextlib
import itertools

import torch
import torch.nn.functional as F

from dstep.torch.base import known
from dstep.torch.functions import StepFunctions
from torch_cases import GROUPS, f, group  # noqa: F401

INF, NAN = float("inf"), float("nan")
EDGES = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -30.0, 90.0, -200.0, 1e-30, 1e30, -1e30, INF, -INF, NAN])


def t(*values):
    return torch.tensor(values)


def differentiated(case, operation, *tensors):
    """The values, and the gradients of all tensors of floats."""
    def both(*tensors):
        with torch.enable_grad(), StepFunctions(None) if known.is_tracing() else contextlib.nullcontext():
            given = [v.detach().clone().requires_grad_() if v.is_floating_point() else v for v in tensors]
            y = operation(*given)
            y = y if isinstance(y, (tuple, list)) else [y]
            total = sum((v * torch.linspace(0.5, 1.5, v.numel()).reshape(v.shape)).sum() for v in y if v.requires_grad)
            wanted = [v for v in given if v.requires_grad]
            found = torch.autograd.grad(total, wanted, allow_unused=True) if torch.is_tensor(total) else []
        return [v.detach() for v in y] + [torch.zeros_like(v) if g is None or g._is_zerotensor() else g
                                          for v, g in zip(wanted, found)]
    case(both, *tensors)


@group
def extremes_of_losses(case):
    diff = lambda operation, *tensors: differentiated(case, operation, *tensors)
    x, none = f(4, 5), torch.full((4,), -100)
    some, image = t(1, -100, 4, -100), torch.full((2, 3, 2), -100)
    for reduction, labels in itertools.product(("mean", "sum", "none"), (none, some)):
        diff(lambda x, y, r=reduction: F.cross_entropy(x, y, reduction=r), x, labels)
    for weight in (torch.zeros(5), t(0.0, 1.0, 0.0, 0.0, 0.0), t(1.0, 0.0, INF, 1.0, 0.0)):
        for labels in (none, some, t(0, 0, 3, 2)):
            diff(lambda x, y, w=weight: F.cross_entropy(x, y, w), x, labels)
    diff(lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), x, none)
    diff(lambda x, y: F.cross_entropy(x, y), f(2, 5, 3, 2), image)
    diff(lambda x, y: F.nll_loss(x, y), f(2, 5, 3, 2), image)
    diff(lambda x, y: F.cross_entropy(x, y), t([INF, 0.0], [-INF, 0.0], [-INF, 0.0], [0.0, 1.0]), t(0, 1, -100, -100))
    diff(lambda x: F.binary_cross_entropy(x, t(0.0, 1.0, 1.0, 0.0, 0.5)), t(0.0, 1.0, 0.0, 1.0, 0.5))
    for y in (0.0, 1.0, 0.5):
        diff(lambda x, y=y: F.binary_cross_entropy_with_logits(x, torch.full_like(x, y)), EDGES[:12])
        diff(lambda x, y=y: F.binary_cross_entropy_with_logits(x, torch.full_like(x, y), reduction="none"), EDGES)
    for logs in (False, True):
        diff(lambda x, y, g=logs: F.kl_div(x, y, reduction="none", log_target=g), t(-INF, -1.0, -2.0, 0.0),
             t(0.0, 0.0, 0.5, 1.0))
    for beta in (0.0, 1.0):
        diff(lambda x, y, b=beta: F.smooth_l1_loss(x, y, reduction="none", beta=b), EDGES, torch.zeros_like(EDGES))
    diff(lambda x, y: F.huber_loss(x, y, reduction="none"), EDGES, torch.zeros_like(EDGES))
    diff(lambda x, y: F.mse_loss(x, y, reduction="none"), EDGES, torch.zeros_like(EDGES))
    diff(lambda x, y: F.poisson_nll_loss(x, y, full=True, reduction="none"), EDGES[:8],
         t(0.0, 1.0, 2.0, 0.0, 5.0, 1.0, 0.0, 3.0))
    diff(lambda x, y, v: F.gaussian_nll_loss(x, y, v, reduction="none"), t(0.0, 1.0, 2.0, 3.0), t(0.0, 1.0, 0.0, INF),
         t(0.0, 1.0, INF, 1e-9))
    diff(lambda x, y: F.multi_margin_loss(x, y), t([0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]), t(0, 0, 1))
    diff(lambda x, y: F.multi_margin_loss(x, y, p=2, reduction="none"),
         t([0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [INF, 0.0, 0.0]), t(0, 0, 0))
    diff(lambda x, y: F.multilabel_margin_loss(x, y), t([0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]),
         t([0, -1, -1], [-1, 0, 1], [0, 1, -1]))
    diff(lambda x, y: F.multilabel_soft_margin_loss(x, y, reduction="none"), t([0.0, 100.0, -100.0]),
         t([0.0, 1.0, 1.0]))
    diff(lambda x: F.soft_margin_loss(x, t(1.0, 1.0, -1.0), reduction="none"), t(0.0, 80.0, -80.0))
    diff(lambda x, y: F.hinge_embedding_loss(x, y, reduction="none"), t(0.0, 1.0, INF), t(1, -1, -1))
    zero = torch.zeros(3, 4)
    diff(lambda a, b: F.cosine_embedding_loss(a, b, t(1, -1, 1), reduction="none"), zero, f(3, 4))
    diff(lambda a, b: F.cosine_embedding_loss(a, b, t(1, -1, 1), reduction="none"), zero, zero)
    diff(lambda a, b, c: F.triplet_margin_loss(a, b, c, reduction="none"), zero, zero, zero)
    diff(lambda a, b: F.margin_ranking_loss(a, b, t(1, 1, -1), margin=1.0, reduction="none"), t(0.0, 1.0, 2.0),
         t(0.0, 0.0, 1.0))


@group
def extremes_of_ctc(case):
    scores = f(6, 4, 5)
    targets, lengths = t([1, 2, 2], [1, 1, 1], [3, 4, 1], [2, 1, 3]), t(6, 4, 6, 2)
    # Of 2 and 3 labels no path leads through 1, 1, 1 in 4 positions, nor through 2, 1, 3 in 2.
    differentiated(case, lambda x: F.ctc_loss(x.log_softmax(-1), targets, lengths, t(3, 3, 0, 3), zero_infinity=True),
                   scores)
    differentiated(case, lambda x: F.ctc_loss(x.log_softmax(-1), targets, t(6, 6, 6, 4), t(3, 2, 0, 3),
                                              reduction="sum"), scores)
    infinite = lambda x: F.ctc_loss(x.log_softmax(-1), targets, lengths, t(3, 3, 0, 3), reduction="none")
    case(lambda x: _traced(lambda: infinite(x)) if known.is_tracing() else infinite(x), scores)


def _traced(function):
    with StepFunctions(None):
        return function()


@group
def extremes_of_functions(case):
    diff = lambda operation, *tensors: differentiated(case, operation, *tensors)
    for function in (torch.sqrt, torch.rsqrt, torch.log, torch.log2, torch.log10, torch.log1p, torch.exp, torch.exp2,
                     torch.expm1, torch.reciprocal, torch.abs, torch.sign, torch.sgn,
                     torch.tanh, torch.sigmoid, torch.erf, torch.erfc, torch.erfinv, torch.asin, torch.acos, torch.atan,
                     torch.asinh, torch.acosh, torch.atanh,
                     torch.sinh, torch.cosh, torch.square, torch.sinc, torch.special.entr, torch.nan_to_num, torch.frac,
                     torch.trunc, torch.round, torch.floor,
                     F.relu, F.relu6, F.silu, F.mish, F.softplus, F.logsigmoid, F.elu, F.selu, F.celu, F.hardswish,
                     F.hardsigmoid, F.hardtanh,
                     F.leaky_relu, F.softsign, F.tanhshrink, F.hardshrink, F.softshrink, torch.deg2rad):
        diff(function, EDGES)
    # at -0 PyTorch's vectors and what it does with the rest differ
    diff(torch.logit, torch.cat([EDGES[:1], EDGES[2:]]))
    for kind in ("none", "tanh"):  # at infinity PyTorch's vectors have no number
        diff(lambda x, k=kind: F.gelu(x, approximate=k), torch.cat([EDGES[:12], EDGES[14:]]))
    diff(lambda x: torch.logit(x, 1e-6), t(0.0, 1.0, 0.5, -1.0, 2.0, NAN))
    diff(lambda x: F.threshold(x, 0.5, -1.0), EDGES)
    diff(lambda x: F.glu(x), torch.stack([EDGES, EDGES.flip(0)], 1))
    diff(lambda x, w: F.prelu(x, w), EDGES.unsqueeze(1), t(0.0))
    diff(lambda x: torch.clamp(x, -1, 1), EDGES)
    diff(lambda x, low: torch.clamp(x, min=low), EDGES, EDGES.flip(0))
    for exponent in (0, 0.0, 0.5, 1, 2, 3, -1, -0.5, 0.3, 2.5):
        diff(lambda x, e=exponent: torch.pow(x, e), EDGES)
        diff(lambda x, e=exponent: torch.pow(e, x), EDGES)
    a, b = EDGES.repeat(len(EDGES)), EDGES.repeat_interleave(len(EDGES))
    finite = [v[a.abs().lt(1e29) & b.abs().lt(1e29)] for v in (a, b)]
    for function in (torch.div, torch.maximum, torch.minimum, torch.fmax, torch.fmin, torch.copysign, torch.xlogy,
                     torch.special.xlog1py, torch.logaddexp, torch.logaddexp2):
        diff(function, a, b)
    for function in (torch.atan2, torch.hypot, torch.pow, torch.fmod, torch.remainder):
        diff(function, *finite)
    case(torch.floor_divide, a, b)
    diff(lambda a, b: torch.div(a, b, rounding_mode="floor"), t(1.0, -1.0, 0.3, 5.0, -7.0, 0.0, INF, 1.0, -1.0),
         t(0.1, 0.1, 0.1, 0.0, 2.0, -3.0, 2.0, INF, INF))
    diff(lambda a, b: torch.where(a > 0, a.sqrt(), b), EDGES, EDGES)


@group
def extremes_of_reductions(case):
    diff = lambda operation, *tensors: differentiated(case, operation, *tensors)
    rows = t([-INF, -INF, -INF], [INF, 0.0, -INF], [NAN, 0.0, 1.0], [0.0, 0.0, 0.0], [2.0, 2.0, -1.0], [-0.0, 3.0, 0.0],
             [INF, INF, 0.0], [-INF, 1.0, 0.0])
    one, zero = f(4, 1), torch.zeros(4, 3)
    for function in (torch.logsumexp, torch.softmax, torch.log_softmax, torch.amax, torch.amin, torch.sum, torch.mean,
                     torch.nansum, torch.nanmean, torch.var, torch.std, torch.cumsum,
                     torch.logcumsumexp, lambda x, d: torch.max(x, d).values, lambda x, d: torch.min(x, d).values,
                     lambda x, d: torch.median(x, d).values,
                     lambda x, d: torch.nanmedian(x, d).values, lambda x, d: torch.sort(x, d).values,
                     lambda x, d: torch.topk(x, 2, d).values,
                     lambda x, d: torch.cummax(x, d).values, lambda x, d: torch.cummin(x, d).values, torch.argmax,
                     torch.argmin):
        diff(lambda x, fn=function: fn(x, 1), rows)
    zeros = t([0.0, 0.0, 2.0], [0.0, 3.0, 2.0], [1.0, 2.0, 3.0], [-1.0, 2.0, 0.0])
    diff(lambda x: torch.cumprod(x, 1), zeros)  # of infinite elements PyTorch divides by them
    diff(lambda x: torch.prod(x, 1), zeros)
    diff(lambda x: torch.prod(x), t(2.0, 0.0, 3.0))
    for function in (torch.var, torch.std):
        diff(lambda x, fn=function: fn(x, 1), one)
        diff(lambda x, fn=function: fn(x, 1, correction=0), one)
        diff(lambda x, fn=function: fn(x, 1), zero)
        diff(lambda x, fn=function: fn(x), t(3.0))
    for order in (0, 1, 2, 3, 0.5, INF, -INF, -1):
        diff(lambda x, p=order: torch.linalg.vector_norm(x, p, 1),
             t([0.0, 0.0, 0.0], [1.0, -1.0, 0.5], [0.0, 2.0, -2.0]))
        diff(lambda x, p=order: torch.norm(x, p), torch.zeros(3))
    diff(lambda x: torch.linalg.vector_norm(x, 2, 1), rows)
    for order in ("fro", "nuc", INF, 1, 2):
        diff(lambda x, p=order: torch.linalg.matrix_norm(x, p), t([1.0, 2.0], [0.0, -1.0]))
    diff(lambda x: torch.linalg.matrix_norm(x), torch.zeros(3, 3))
    for order, limit in ((2, 1.0), (1, 0.5), (INF, 0.3)):
        diff(lambda x, p=order, m=limit: torch.renorm(x, p, 0, m), t([0.0, 0.0], [3.0, 4.0], [0.1, 0.1]))
    for x in (zero, t([0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1e-2, 0.0, 0.1], [7.0, 2.0, 0.0])):
        diff(lambda x: F.normalize(x, dim=1), x)
        diff(lambda x: F.normalize(x, p=1, dim=1), x)
        diff(lambda x: F.cosine_similarity(x, x.flip(0), dim=1), x)
        diff(lambda x: F.pairwise_distance(x, x.flip(0)), x)
        diff(lambda x: F.layer_norm(x, (3,)) * 0.1, x)
        diff(lambda x: F.layer_norm(x, (3,), eps=0.0), x)
        diff(lambda x: F.rms_norm(x, (3,)), x)
        diff(lambda x: F.batch_norm(x, None, None, training=True), x)
        diff(lambda x: F.group_norm(x.unsqueeze(0), 2), x)
        diff(lambda x: F.instance_norm(x.unsqueeze(0)) * 0.1, x)
        diff(lambda x: F.local_response_norm(x.unsqueeze(0), 2), x)
    diff(lambda x: torch.cov(x), t([1.0], [2.0]).expand(2, 1))
    diff(lambda x: torch.corrcoef(x), t([1.0, 1.0, 1.0], [1.0, 2.0, 4.0]))
    diff(lambda v, g: torch._weight_norm(v, g, 0), t([0.0, 0.0], [3.0, 4.0]), t([1.0], [2.0]))


@group
def extremes_of_distances(case):
    points = t([0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [3.0, 0.0])
    for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, INF):
        differentiated(case, lambda x, p=p: torch.cdist(x, x.flip(0), p), points)
        differentiated(case, lambda x, p=p: torch.cdist(x, x.clone().detach(), p), points)
        differentiated(case, lambda x, p=p: torch.pdist(torch.cat([x, x[:1]]), p), points)
    differentiated(case, lambda x: torch.dist(x, x.detach()), points)
    differentiated(case, lambda x: torch.cdist(x, x), torch.cat([points] * 8))


@group
def extremes_of_picks(case):
    diff = lambda operation, *tensors: differentiated(case, operation, *tensors)
    table = t([NAN, 0.0], [1.0, 2.0], [INF, 3.0], [4.0, 5.0], [0.0, 0.0])
    diff(lambda w: F.embedding(t(1, 3, 1), w), table)
    diff(lambda w: F.embedding(t(0, 3, 1), w, padding_idx=0).nan_to_num().sqrt(), table)
    # an infinite gradient in the row of padding
    diff(lambda w: (F.embedding(t(4, 3, 1), w, padding_idx=4)).sqrt(), table.nan_to_num(1.0, 1.0))
    for mode in ("mean", "sum", "max"):
        diff(lambda w, m=mode: F.embedding_bag(t(1, 3, 4, 4), w, t(0, 0, 2, 4), mode=m),
             table[1:].nan_to_num(1.0, 1.0).repeat(2, 1))
        diff(lambda w, m=mode: F.embedding_bag(t([1, 3], [4, 4]), w, mode=m, padding_idx=4), torch.zeros(5, 2))
    x = t([1.0, -INF], [0.0, 2.0], [-INF, 3.0], [2.0, 2.0])
    for reduce, itself in itertools.product(("sum", "prod", "mean", "amax", "amin"), (True, False)):
        diff(lambda x, s, r=reduce, k=itself: torch.scatter_reduce(x, 0, t([0, 0], [0, 1], [2, 2]), s, r,
                                                                   include_self=k), torch.ones(4, 2),
             t([1.0, 0.0], [1.0, 2.0], [0.0, 0.0]))
        if reduce != "sum":
            diff(lambda x, r=reduce, k=itself: torch.index_reduce(x, 0, t(0, 2), t([0.0, 1.0], [1.0, 1.0]), r,
                                                                  include_self=k), torch.ones(4, 2))
    diff(lambda x: torch.gather(x, 1, t([0, 0], [1, 1], [1, 1], [0, 0])), x)
    diff(lambda x: x[t(1, 3, 3)], x)
    diff(lambda x: torch.where(torch.isinf(x), torch.zeros(()), x).log(), x)
    diff(lambda x: x.masked_fill(x.isinf(), 0.0).sqrt(), x)
    images = t([[-INF, -INF, 1.0, 1.0], [-INF, -INF, 1.0, 2.0], [NAN, 0.0, 0.0, 0.0],
                [0.0, 0.0, -INF, 0.0]]).unsqueeze(0)
    quiet = images.nan_to_num(0.0, INF, -INF)
    for x in (images, quiet, torch.zeros(1, 1, 4, 4)):
        diff(lambda x: F.max_pool2d(x, 2), x)
        diff(lambda x: F.adaptive_max_pool2d(x, 2), x)
    for x in (quiet, torch.zeros(1, 1, 4, 4)):
        diff(lambda x: F.max_pool2d(x, 3, 2, 1), x)
        diff(lambda x: F.max_pool2d(x, 2, 1, dilation=2), x)
        diff(lambda x: F.adaptive_max_pool2d(x, 3), x)
    diff(lambda x: F.avg_pool2d(x, 2), images)
    diff(lambda x: F.adaptive_avg_pool2d(x, 2), images)
    diff(lambda x: F.lp_pool2d(x, 2, 2), torch.zeros(1, 1, 4, 4))
    diff(lambda x: F.interpolate(x, scale_factor=2), images)
    diff(lambda x: F.interpolate(x, size=(6, 3)), images)
    case(lambda x: torch.bucketize(x, t(-1.0, 0.0, 2.0)), EDGES)
    case(lambda x: torch.bucketize(x, t(-1.0, 0.0, 2.0), right=True), EDGES)


@group
def extremes_of_attention(case):
    q, k, v = f(1, 2, 3, 4), f(1, 2, 5, 4), f(1, 2, 5, 4)
    mask = torch.rand(3, 5) > 0.3
    mask[1] = False
    for m in (mask, torch.where(mask, 0.0, -INF), torch.zeros(3, 5, dtype=torch.bool)):
        differentiated(case, lambda q, k, v, m=m: F.scaled_dot_product_attention(q, k, v, attn_mask=m), q, k, v)
    differentiated(case, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), f(1, 2, 6, 4), k, v)


@group
def extremes_of_matrices(case):
    diff = lambda operation, *tensors: differentiated(case, operation, *tensors)
    zero, singular = torch.zeros(3, 3), t([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 1.0])
    for x in (zero, singular, torch.eye(3), torch.full((3, 3), 2.0)):
        # whose last pivot is zero or rounding, as the CPU's instructions go, and PyTorch's gradients with it:
        # Determinants has the right ones
        if x is singular:
            case(lambda x: torch.linalg.det(x) if not known.is_tracing() else _traced(lambda: torch.linalg.det(x)), x)
        else:
            diff(torch.linalg.det, x)
            case(lambda x: torch.linalg.slogdet(x) if not known.is_tracing()
                 else _traced(lambda: torch.linalg.slogdet(x)), x)
        case(lambda x: torch.linalg.pinv(x), x)
        case(lambda x: torch.linalg.svdvals(x), x)
        case(lambda x: torch.linalg.eigvalsh(x @ x.T), x)
        case(lambda x: torch.linalg.matrix_rank(x), x)
        diff(torch.linalg.matrix_exp, x)
    case(lambda x: torch.linalg.lstsq(x, torch.ones(3, 1)).solution, torch.eye(3))
    case(lambda x: torch.linalg.qr(x)[1].abs(), zero)
    pair = t([0.0, 0.0], [3.0, 4.0], [0.0, 1.0])
    diff(lambda p: torch.view_as_complex(p).abs(), pair)
    diff(lambda p: torch.view_as_complex(p).angle(), pair[1:])
    diff(lambda p: torch.view_as_real(torch.view_as_complex(p).sgn()), pair)
