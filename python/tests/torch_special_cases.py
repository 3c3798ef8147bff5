"""Cases of special functions for test_torch_lowering.py, in groups as those of torch_cases.py."""
import torch

from torch_cases import f, group, i, with_gradient

special = torch.special
INF, NAN = float("inf"), float("nan")
EDGES = [0.0, -0.0, 1e-37, 1e-6, 1e-3, 0.3, 0.5, 0.87, 1.0, 1.5, 2.0, 2.05, 2.1, 3.0, 4.99, 5.01, 7.9, 8.1, 12.5, 30.0,
         80.0, 1e6, INF, NAN]
EDGES = torch.tensor(EDGES + [-x for x in EDGES[3:-1]])
DIFFERENTIABLE = "i0 i1 i0e i1e erfcx ndtri log_ndtr".split()
OTHERS = ("bessel_j0 bessel_j1 bessel_y0 bessel_y1 spherical_bessel_j0 airy_ai modified_bessel_i0 modified_bessel_i1 "
          "modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1").split()


@group
def special_functions(case):
    # of larger ones the phase has no digit, and products of 0 and infinity are the kernel's own
    small = EDGES[EDGES.abs() < 1e4]
    for name in DIFFERENTIABLE:
        function = getattr(special, name)
        case(function, EDGES)
        case(function, EDGES.double())
        x = torch.rand(4, 3) * 0.98 + 0.01 if name == "ndtri" else small[(small != 0)
                                                                         & (small
                                                                            > -9)] if "n" in name or "x" in name else small[small != 0]
        with_gradient(case, function, x)
    case(special.ndtri, torch.tensor([1e-37, 1e-20, 1e-9, 0.1353, 0.1354, 0.8646, 0.8647, 0.9999999, 1.0, 1.1]))
    for name in OTHERS:
        case(getattr(special, name), small)
        case(getattr(special, name), small.double())
        case(getattr(special, name), torch.tensor([INF, NAN, -INF]))
    case(special.i0, i(9, 5))
    for half in (torch.bfloat16, torch.float16):
        case(lambda x, h=half: special.i0(x.to(h)), f(5))
    s, q = torch.tensor([1.0, 1.1, 2.0, 3.0, 20.0, 0.5]), torch.tensor([0.1, 1.0, 10.0, 1e3, -0.5, -1.0, 0.0])
    case(lambda s, q: special.zeta(s.unsqueeze(1), q), s, q)
    case(lambda q: special.zeta(2.5, q), q)
    case(lambda s: special.zeta(s, 1.5), s)


@group
def gamma_functions(case):
    """Beside the edges, x far below a, near it and far above it, on either side of 1 and where Stirling's series
    begins."""
    a = torch.tensor([0.0, 1e-6, 0.01, 0.2, 0.3, 1.0, 1.5, 5.0, 9.9, 10.1, 30.0, 100.0, 1e3, INF, -1.0])
    ratios = torch.tensor([0.0, 1e-3, 0.5, 0.9, 1.0, 1.05, 1.5, 4.0])
    fixed = torch.tensor([0.0, 1e-6, 0.3, 0.99, 1.0, 1.01, 2.0, 40.0, INF, -1.0])
    for function in (special.gammainc, special.gammaincc):
        # Of an a of 1e-6 the last digits that PyTorch's float32 keeps of Q are few.
        case(lambda a, r, fn=function: fn(a.unsqueeze(1), a.unsqueeze(1) * r), a[2:-2], ratios)
        case(lambda a, x, fn=function: fn(a.unsqueeze(1), x), a, fixed)
        case(lambda a, x, fn=function: fn(a.unsqueeze(1), x), a.double(), fixed.double())
        with_gradient(case, lambda x, fn=function: fn(torch.tensor([[0.5], [2.0], [20.0]]), x),
                      torch.tensor([0.1, 0.9, 1.1, 3.0, 22.0]))


@group
def polynomials(case):
    x = torch.tensor([-3.0, -1.0, -0.99, -0.5, 0.0, 0.3, 0.999, 1.0, 1.2, 5.0, INF, NAN])
    degrees = torch.tensor([-2.0, 0.0, 1.0, 2.0, 3.0, 4.5, 7.0, 20.0, NAN])
    for kind in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
                 "shifted_chebyshev_polynomial_t",
                 "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w",
                 "hermite_polynomial_h",
                 "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"):
        function = getattr(special, kind)
        for degree in (-1, 0, 1, 2, 5, 25):
            case(lambda x, fn=function, n=degree: fn(x, n), x)
        # What is no number is the degree 0 of some kernels and none of others.
        given = degrees if kind == "hermite_polynomial_h" else degrees[:-1]
        case(lambda x, n, fn=function: fn(x.unsqueeze(1), n), x[:-2], given)
        case(lambda n, fn=function: fn(0.7, n), degrees[:-1])
    case(lambda x: special.hermite_polynomial_he(x, 129), x)
    case(lambda x: special.hermite_polynomial_h(x, torch.tensor([128.0, 129.0, 200.0])), torch.tensor(0.0))
