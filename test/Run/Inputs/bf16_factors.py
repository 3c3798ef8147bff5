"""bf16_factors.py FILE: what bf16_factors.mlir computes if each factor of a product is rounded to bf16 and nothing else
is, in exact arithmetic. That no sum needs more than 24 bits, so that every order of additions gives the same bits, and
that rounding changes the results, is checked."""
import random
import struct
import sys

import npz

RATE = 2.0 ** -12
draw = random.Random(7)


def rounded(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return struct.unpack("<f", struct.pack("<I", (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000))[0]


def exact(value):
    assert struct.unpack("<f", struct.pack("<f", value))[0] == value, f"{value} needs more than 24 bits"
    return value


def matrix(rows, columns, most):
    return [[float(draw.randint(-most, most)) for _ in range(columns)] for _ in range(rows)]


def turned(a):
    return [list(column) for column in zip(*a)]


def product(a, b, narrow):
    a, b = ([[narrow(v) for v in row] for row in each] for each in (a, turned(b)))
    for row in a:  # no partial sum is larger
        for column in b:
            exact(sum(abs(u * v) for u, v in zip(row, column)))
    return [[sum(u * v for u, v in zip(row, column)) for column in b] for row in a]


def flat(a):
    return [v for each in a for v in flat(each)] if isinstance(a, list) else [a]


def step(w1, w2, k, x, y, i, t, narrow):
    a = product(x, w1, narrow)
    h = [[max(v, 0.0) for v in row] for row in a]
    d = [[u - v for u, v in zip(*rows)] for rows in zip(product(h, w2, narrow), y)]
    b = product(d, turned(w2), narrow)
    dh = [[u if v > 0 else 0.0 for u, v in zip(*rows)] for rows in zip(b, a)]
    dw1, dw2 = product(turned(x), dh, narrow), product(turned(h), d, narrow)
    patches = [[flat([[i[n][y + p][x + q] for q in range(3)] for p in range(3)]) for n in range(8) for y in range(4)
                for x in range(4)]][0]
    dc = [[u - v for u, v in zip(*rows)] for rows in zip(product(patches, k, narrow), t)]
    dk = product(turned(patches), dc, narrow)
    return [[exact(u - exact(v * RATE)) for u, v in zip(flat(old), flat(gradient))]
            for old, gradient in ((w1, dw1), (w2, dw2), (k, dk))]


w1, w2, k = matrix(16, 16, 8), matrix(16, 8, 1), matrix(18, 4, 8)
x, y, t = matrix(8, 16, 4), matrix(8, 8, 100), matrix(128, 4, 300)
i = [[matrix(6, 2, 4) for _ in range(6)] for _ in range(8)]
new, wide = (step(w1, w2, k, x, y, i, t, narrow) for narrow in (rounded, lambda value: value))
assert all(a != b for a, b in zip(new, wide)), "rounding changes nothing"
shapes = [(16, 16), (16, 8), (3, 3, 2, 4), (8, 16), (8, 8), (8, 6, 6, 2), (8, 4, 4, 4)]
npz.write(sys.argv[1], {f"step1_arg{n}": (shape, flat(value))
                        for n, (shape, value) in enumerate(zip(shapes, (w1, w2, k, x, y, i, t)))}
          | {f"step1_res{n}": (shapes[n], value) for n, value in enumerate(new)})
