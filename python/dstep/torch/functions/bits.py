"""Random numbers of a step as a hash of (seed argument, number of the call, position of the element): every rank
computes those of its own rows, and a resumed run repeats them."""
import math

import torch

from ...base.errors import FrontendError

WORD = 0xFFFFFFFF


def _int32(value):
    """Returns the 32-bit pattern `value` as a signed number."""
    value &= WORD
    return value - (1 << 32) if value >> 31 else value


def _shift_right(x, bits):
    """Logical shift: int32 shifts arithmetically, so the copies of the sign are cleared."""
    return (x >> bits) & _int32(WORD >> bits)


def _mix(x, key=None):
    """A bijection of 32-bit words in which every input bit affects every output bit (xorshift and multiply, two
    rounds); a key between the rounds selects another bijection."""
    x = (x ^ _shift_right(x, 16)) * _int32(0x7FEB352D)
    x = x if key is None else x + key
    x = (x ^ _shift_right(x, 15)) * _int32(0x846CA68B)
    return x ^ _shift_right(x, 16)


def _python_mix(x):
    """Returns _mix of a Python number."""
    x = (x ^ x >> 16) * 0x7FEB352D & WORD
    x = (x ^ x >> 15) * 0x846CA68B & WORD
    return x ^ x >> 16


def _positions(shape):
    """Returns the number of each element in row-major order, from one iota per dimension: so a rank that holds some
    rows of the global batch can compute their numbers."""
    total = torch.zeros((), dtype=torch.int32)
    stride = 1
    for dim in reversed(range(len(shape))):
        iota = torch.arange(shape[dim], dtype=torch.int32).reshape([-1] + [1] * (len(shape) - 1 - dim))
        total = total + iota * _int32(stride)
        stride *= shape[dim]
    return total.expand(shape)


class RandomBits:
    """Random words of a step: `seed` is the step's ds.seed argument, two 32-bit words (seed of the run, number of the
    step). Seed and step make two keys; each call changes them by constants and hashes positions with them. `place` is
    (stream, calls): the stream of the step is None; a stream started by torch.manual_seed has the number of its seed,
    and the same keys in all steps."""

    def __init__(self, seed):
        self.seed, self.place, self.keys, self.drawn = seed, (None, 0), {}, False

    def _keys(self, stream):
        if stream is not None:
            first = _python_mix(_python_mix(stream & WORD) ^ stream >> 32 & WORD)
            return _int32(first), _int32(_python_mix(first ^ 0x9E3779B9))
        self.drawn = True
        first = _mix(_mix(self.seed[0]) ^ self.seed[1])
        return first, _mix(first ^ _int32(0x9E3779B9))

    def words(self, shape):
        if self.seed is None:
            raise FrontendError("the optimizer draws random numbers, expected an update that is the same in every run")
        stream, calls = self.place
        if stream not in self.keys:
            self.keys[stream] = self._keys(stream)
        self.place = stream, calls + 1
        first, second = (key ^ _int32(_python_mix(2 * calls + 2 + i)) for i, key in enumerate(self.keys[stream]))
        return _mix(_positions(shape) ^ first, second)

    def uniform(self, shape, dtype=torch.float32):
        """Returns numbers in [0, 1) with the 24 bits of a float32."""
        return (_shift_right(self.words(shape), 8).to(torch.float32) * 2.0**-24).to(dtype)

    def normal(self, shape, dtype=torch.float32):
        """Box and Muller's method; 1 - u is never 0."""
        radius = torch.sqrt(-2 * torch.log(1 - self.uniform(shape)))
        return (radius * torch.cos(2 * math.pi * self.uniform(shape))).to(dtype)


def dropped(random, x, p, shape):
    if not 0 <= p <= 1:
        raise FrontendError(f"dropout has the probability {p}, expected 0 to 1")
    if p == 0:
        return x
    if p == 1:
        return x * 0
    keep = random.uniform(shape) >= p
    # A select, not a product: a dropped element may be infinite.
    return torch.where(keep, x * (1 / (1 - p)), torch.zeros((), dtype=x.dtype))
