"""Exchanges between the processes of a launched world beside their steps: rows of numbers of all processes, texts of
all processes, and the bytes of process 0.

The step that carries them computes nothing: a batch of one row per rank is returned as the rows of all, and a parameter
is broadcast from process 0. All ranks of a process send its row. All calls are collective.
"""
import numpy as np

from ..base import config as configuration
from . import native
from .launch import first_rank, ranks_of_job, started_by

# The numbers that a process sends in one step, and the numbers that process 0 broadcasts at once.
ROW, WORDS = 64, 1 << 16
_STEP = f"""func.func @main(
    %words: tensor<{WORDS}xf32> {{ds.param = "words"}}, %row: tensor<1x{ROW}xi32> {{ds.batch = 0 : i64}})
    -> (tensor<{WORDS}xf32> {{ds.updates = "words"}}, tensor<1x{ROW}xi32> {{ds.batch = 0 : i64}}) {{
  return %words, %row : tensor<{WORDS}xf32>, tensor<1x{ROW}xi32>
}}"""


class Exchange:
    def __init__(self, config):
        kept = {key: config[key] for key in ("timeout", "device_num") if key in config}
        program = native.Program(_STEP, configuration.assignments({"batch": "local"} | kept))
        self.ranks = ranks_of_job(None, kept)
        self.instance = native.Instance(program, self.ranks, joined=True, batches=native.LOCAL)
        self.words = self.instance.view(0)
        self.firsts = [first_rank(process, self.ranks) for process in range(started_by()[1])]

    def rows(self, values):
        """Returns [process, number]: the values of each process, equally many 32-bit numbers."""
        values, found = np.asarray(values, np.uint32).view(np.int32), []
        for first in range(0, len(values), ROW):
            row = np.zeros((self.instance.local_ranks, ROW), np.int32)
            part = values[first:first + ROW]
            row[:, :len(part)] = part
            self.instance.run({1: row.ctypes.data})
            found.append(self.instance.result(1)[self.firsts, :len(part)])
        return np.concatenate(found, 1).view(np.uint32)

    def texts(self, text):
        """Returns the text of each process."""
        data = text.encode()
        lengths = self.rows([len(data)])[:, 0]
        words = np.zeros(-(-int(lengths.max()) // 4), np.uint32)
        words.view(np.uint8)[:len(data)] = np.frombuffer(data, np.uint8)
        rows = self.rows(words) if len(words) else [words] * len(lengths)
        return [row.tobytes()[:length].decode() for row, length in zip(rows, lengths)]

    def first(self, data):
        """Broadcasts process 0's values of an array of bytes into `data`."""
        memory = self.words.view(np.uint8)
        for first in range(0, len(data), len(memory)):
            part = data[first:first + len(memory)]
            memory[:len(part)] = part
            self.instance.broadcast()
            part[:] = memory[:len(part)]


_exchange = None


def exchange(config=None):
    """Returns the Exchange of this process. The first one joins the world if no step has; its ranks then wait for one another
    as long as `config` says."""
    global _exchange
    _exchange = _exchange or Exchange(config or {})
    return _exchange
