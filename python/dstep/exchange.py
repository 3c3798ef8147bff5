"""What processes of a launched world say to one another beside their steps: rows of numbers of all of them, texts of
all of them, and the bytes of process 0.

The step that carries them computes nothing: a batch of one row for each process comes out as the rows of all, and a
parameter is what process 0 has of it. Calls are collective.
"""
import functools

import numpy as np

from . import _native

ROW, WORDS = 64, 1 << 16  # numbers that a process says at once, and that process 0 hands out at once
_STEP = f"""func.func @main(
    %words: tensor<{WORDS}xf32> {{ds.param = "words"}}, %row: tensor<1x{ROW}xi32> {{ds.batch = 0 : i64}})
    -> (tensor<{WORDS}xf32> {{ds.updates = "words"}}, tensor<1x{ROW}xi32> {{ds.batch = 0 : i64}}) {{
  return %words, %row : tensor<{WORDS}xf32>, tensor<1x{ROW}xi32>
}}"""


class Exchange:
    def __init__(self):
        self.instance = _native.Instance(_native.Program(_STEP, "batch=local"), joined=True, batches=_native.LOCAL)
        self.words = self.instance.view(0)

    def rows(self, values):
        """[process, number] of what each process gives, equally many numbers of 32 bits."""
        values, found = np.asarray(values, np.uint32).view(np.int32), []
        for first in range(0, len(values), ROW):
            row = np.zeros((1, ROW), np.int32)
            part = values[first:first + ROW]
            row[0, :len(part)] = part
            self.instance.run({1: row.ctypes.data})
            found.append(self.instance.result(1)[:, :len(part)])
        return np.concatenate(found, 1).view(np.uint32)

    def texts(self, text):
        """What each process gives."""
        data = text.encode()
        lengths = self.rows([len(data)])[:, 0]
        words = np.zeros(-(-int(lengths.max()) // 4), np.uint32)
        words.view(np.uint8)[:len(data)] = np.frombuffer(data, np.uint8)
        rows = self.rows(words) if len(words) else [words] * len(lengths)
        return [row.tobytes()[:length].decode() for row, length in zip(rows, lengths)]

    def first(self, data):
        """Gives an array of bytes the values that process 0 has of it."""
        memory = self.words.view(np.uint8)
        for first in range(0, len(data), len(memory)):
            part = data[first:first + len(memory)]
            memory[:len(part)] = part
            self.instance.broadcast()
            part[:] = memory[:len(part)]


@functools.cache
def exchange():
    """That of this process, after it has joined the world."""
    return Exchange()
