"""Cases of statistics that count, and of what is done with the digits of numbers, for test_torch_lowering.py, in groups
as those of torch_cases.py."""
import torch

from torch_cases import f, group, i, with_gradient

aten = torch.ops.aten
INF, NAN = float("inf"), float("nan")


@group
def counting(case):
    rows = torch.randint(0, 4, (3, 2, 9))
    for dim in (0, -1):
        for x in (rows, rows.float()):
            case(lambda x, d=dim: aten.mode(x, d), x)
            case(lambda x, d=dim: aten.mode(x, d, True), x)
    case(lambda x: aten.mode(x, 0), torch.tensor(2.5))
    case(lambda x: aten.mode(x, 1), torch.tensor([[2.0, 1.0, INF, 2.0], [3.0, 1.0, 1.0, 3.0]]))
    case(lambda x: aten.mode(x, 1)[0], torch.tensor([[True, False], [True, True]]))
    with_gradient(case, lambda x: torch.mode(x * 2, 1)[0], torch.tensor([[0.5, 0.5, 2.0], [3.0, 1.0, 2.0]]))
    holes = torch.tensor([[NAN, NAN, NAN, 1.0], [NAN, NAN, 3.0, 2.0], [4.0, 3.0, 2.0, 1.0], [INF, -INF, NAN, 0.0]])
    for dim in (0, 1):
        case(lambda x, d=dim: aten.nanmedian.dim(x, d, True), holes)
    case(lambda x: aten.nanmedian.dim(x, 0)[0], torch.full((3, 1), NAN))
    case(aten.nanmedian.default, holes)
    case(lambda x: aten.nonzero_static(x, size=4), torch.tensor([[0.0, 2.0, NAN], [1.0, 0.0, 0.0]]))
    case(lambda x: aten.nonzero_static(x, size=2, fill_value=7), torch.tensor([0, 3, 0, 0]))
    case(lambda x: torch.combinations(x, 2), f(4))
    for p in (0, 1, 2, 3, INF):
        case(lambda a, b, p=p: aten.dist(a, b, p), f(3, 4), f(4))
    with_gradient(case, torch.dist, f(3, 4), f(4))
    x, edges = i(9, 40).float(), torch.tensor([-5.0, -1.0, 0.0, 0.5, 4.0])
    for options in ({}, {"range": (-4.0, 5.0)}, {"density": True}):
        case(lambda x, o=options: aten.histogram.bin_ct(x, 7, **o), x)
    case(lambda x: aten.histogram.bin_ct(x, 3), torch.ones(4))
    case(lambda x, e: aten.histogram.bins_tensor(x, e), x, edges)
    case(lambda x, e, w: aten.histogram.bins_tensor(x, e, weight=w, density=True), x, edges, torch.rand(40))


@group
def numbers(case):
    """What is done with the digits of numbers."""
    x = torch.tensor([0.0, -0.0, 1.0, -3.5, 0.1, 1e-37, 3e38, INF, -INF, NAN])
    case(aten.frexp.Tensor, x)
    case(aten.frexp.Tensor, x.double())
    case(aten.frexp.Tensor, f(5).bfloat16())
    for name in ("fmax", "fmin"):
        case(getattr(aten, name).default, x.unsqueeze(1), x)
        case(getattr(aten, name).default, i(9, 4), i(9, 4))
        with_gradient(case, getattr(torch, name), f(5), f(5))
    case(aten.nextafter.default, f(4), torch.tensor([INF, -INF, 0.0, NAN]))
    case(aten.nextafter.default, torch.tensor([1.0, INF]).double(), torch.tensor([1.0, 0.0]).double())
    a, b = torch.tensor([[0], [12], [-18], [7], [2**40]]), torch.tensor([0, -8, 6, 5, 3 * 2**20])
    for name in ("gcd", "lcm"):
        case(getattr(aten, name).default, a, b)
        case(getattr(aten, name).default, i(9, 5).to(torch.int32), i(9, 5).to(torch.int32))
        case(getattr(aten, name).default, torch.tensor([12, 0, 200, 7]).to(torch.uint8),
             torch.tensor([18, 0, 150, 1]).to(torch.uint8))
    for decimals in (-2, 0, 1, 3):
        case(lambda x, d=decimals: aten.round.decimals(x, decimals=d),
             torch.tensor([1234.5678, -0.05, 150.0, 250.0, 2.5]))
