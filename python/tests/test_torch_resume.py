"""fit that is killed in the middle of an epoch goes on with exactly the next batch: the bits of an undisturbed training, for each kind of data.

Every training is a child of fork, since this process never loads libds.so.
"""
import collections
import errno
import os
import pathlib
import signal
import sys
import tempfile
import traceback
import unittest
import unittest.mock
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset
from torchdata.stateful_dataloader import StatefulDataLoader

import dstep as ds
from dstep import samples as native_samples, saving, streams
from dstep.run import RunError
from test_torch_fit import batch, samples

STEPS = 5  # of an epoch: 42 samples in batches of 8, of which two are left out, or a sixth step that is filled


class Noisy(torch.utils.data.Dataset):
    """Draws from PyTorch's generator for each sample, as augmentations do."""

    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data["x"])

    def __getitem__(self, index):
        return self.data["x"][index] + 0.01 * torch.randn(6), self.data["y"][index]


class Batches:
    """A user's own iterable, which knows where it is: an order of its own for each epoch, by a generator of NumPy."""

    def __init__(self, data):
        self.data, self.generator, self.order, self.place = data, np.random.default_rng(7), [], 0

    def __iter__(self):
        while True:
            if not len(self.order):
                self.order, self.place = self.generator.permutation(40), 0
            if self.place == 40:
                self.order = []
                return
            rows = self.order[self.place:self.place + 8]
            self.place += 8
            yield self.data["x"][rows], self.data["y"][rows]

    def state_dict(self):
        return {"generator": self.generator.bit_generator.state, "order": self.order, "place": np.int64(self.place)}

    def load_state_dict(self, state):
        self.generator.bit_generator.state, self.order, self.place = state["generator"], state["order"], int(state["place"])


class Iterated:
    """An iterable without a state, whose iterators have one."""

    def __init__(self, data):
        self.data = data

    def __iter__(self):
        return Iterator(self.data)


class Iterator:
    def __init__(self, data):
        self.data, self.place = data, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place >= 40:
            raise StopIteration
        self.place += 8
        return self.data["x"][self.place - 8:self.place], self.data["y"][self.place - 8:self.place]

    def state_dict(self):
        return {"place": self.place}

    def load_state_dict(self, state):
        self.place = state["place"]


def tensors(data):
    return TensorDataset(data["x"], data["y"])


DATA = {
    "arrays": lambda data: data,
    "a dataset": tensors,
    "a loader in order": lambda data: DataLoader(tensors(data), 8),
    "a loader with two workers, shuffled by PyTorch's generator": lambda data: DataLoader(Noisy(data), 8, shuffle=True, num_workers=2),
    "a loader that is shuffled by its own generator": lambda data: DataLoader(Noisy(data), 8, shuffle=True, generator=torch.Generator().manual_seed(3)),
    "a stateful loader": lambda data: StatefulDataLoader(tensors(data), 8, shuffle=True, generator=torch.Generator().manual_seed(3)),
    "a stateful loader with two workers": lambda data: StatefulDataLoader(tensors(data), 8, shuffle=True, num_workers=2),
    "a user's iterable": Batches,
    "a user's iterators": Iterated,
}


def train(name, file, killed_at=None, **options):
    """In a child: three epochs, of which a kill takes the rest."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.3), nn.BatchNorm1d(8), nn.Linear(8, 3))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for kind in (native_samples.Data, streams.Stream):
        def run(self, step, stop=False, run=kind.run):
            if step == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return run(self, step, stop)
        kind.run = run
    data = samples(42)
    torch.manual_seed(11)
    history = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2, verify="off").fit(
        batch(data), DATA[name](data), 3, progress="none", save=file, save_every=3, seed=4, schedule=lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=60, cycle_momentum=False),
        **{"last_batch": "drop"} | options)
    pathlib.Path(f"{file}.history").write_text(repr(history))


def forked(*args, **options):
    """The status of a training in a child."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        warnings.simplefilter("ignore")
        train(*args, **options)
        status = 0
    except BaseException:
        traceback.print_exc()
    os._exit(status)


def read(file):
    told = saving.Checkpoint(file, resume=True).found()
    return {name: value.tobytes() for name, value in told[0].items()}, told[1], pathlib.Path(f"{file}.history").read_text()


class Resume(unittest.TestCase):
    def compare(self, name, kills, **options):
        with tempfile.TemporaryDirectory() as folder, self.subTest(name, **options):
            whole, parts = f"{folder}/whole.safetensors", f"{folder}/parts.safetensors"
            self.assertEqual(forked(name, whole, **options), 0)
            for kill in kills:
                self.assertEqual(forked(name, parts, kill, resume=True, **options), -signal.SIGKILL)
            self.assertEqual(forked(name, parts, resume=True, **options), 0)
            self.assertEqual(read(parts), read(whole))

    def test_a_kill_in_the_middle_of_an_epoch_changes_no_bit(self):
        """At the fifth step, whose epoch has four of five behind it and the file three, and at the eleventh, the first of the third epoch; or in the second
        epoch and in the third."""
        for number, name in enumerate(DATA):
            self.compare(name, ((4, 10), (7, 13))[number % 2])

    def test_a_filled_last_batch_has_the_first_samples_also_after_a_kill(self):
        for name in ("arrays", "a loader in order", "a stateful loader"):
            self.compare(name, (11,), last_batch="wrap")

    def test_a_training_that_has_ended_is_not_begun_again(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/w.safetensors"
            for _ in range(2):
                self.assertEqual(forked("arrays", file, resume=True), 0)
            self.assertEqual(read(file)[1], 3 * STEPS)


class Mistakes(unittest.TestCase):
    def fit(self, data, timeout=None, **options):
        objects = nn.Sequential(nn.Linear(6, 3)),
        optimizer = torch.optim.SGD(objects[0].parameters(), lr=0.1)
        return ds.torch.data_parallel(*objects, optimizer, F.cross_entropy, ranks=2, timeout=timeout).fit(batch(samples()), data, progress="none", **options)

    def test_of_the_file(self):
        class Strange(Batches):
            def state_dict(self):
                return {"lock": object()}

        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/w.safetensors"
            for sentence, options in {"^save_every= needs save=, the file of the training$": {"save_every": 3}, "^resume= needs save=": {"resume": True},
                                      "^save='w.pt', expected a name that ends in .safetensors$": {"save": "w.pt"},
                                      "^save= writes what ranks of this process hold, but launcher= and timeout= start others; leave it out": {"save": file, "timeout": 60},
                                      "^save_every=0, expected an integer from 1 on$": {"save": file, "save_every": 0},
                                      "^the state of data= holds an object, which fit cannot save; expected numbers, texts, bytes, arrays, and lists": {"data": Strange(samples()), "save": file}}.items():
                with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                    self.fit(**{"data": samples()} | options)
            self.fit(samples(), save=file)
            for sentence, options in {"is of another training: it has seed 0, but this one 3$": {"seed": 3},
                                      "it has trained 48 samples, but data= has 56$": {"data": samples(56), "epochs": 2}}.items():
                with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                    self.fit(**{"data": samples(), "save": file, "resume": True} | options)
            pathlib.Path(file).write_bytes(b"\x05\0\0\0\0\0\0\0nothing")
            with self.assertRaisesRegex(ValueError, "cannot be gone on with: "):
                self.fit(samples(), save=file, resume=True)

    def test_a_file_that_cannot_be_written(self):
        """Where that is known it is said before anything is trained; a full disk leaves what was there, and nothing beside it."""
        data = samples()
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "is.safetensors").mkdir()
            for name, reason in (("none/w", "there is no folder '.*none'"), ("is", "it is a folder")):
                seen = []
                with self.assertRaisesRegex(ValueError, f"^save='.*{name}.safetensors' cannot be written: {reason}$"):
                    self.fit(data, save=f"{folder}/{name}.safetensors", callbacks=[lambda epoch, metrics: seen.append(epoch)])
                self.assertEqual(seen, [])
            with unittest.mock.patch("os.access", return_value=False), self.assertRaisesRegex(ValueError, "cannot be written: the folder '.*' may not be written$"):
                self.fit(data, save=f"{folder}/w.safetensors")
            self.fit(data, save=f"{folder}/w.safetensors")
            before = pathlib.Path(folder, "w.safetensors").read_bytes()
            with unittest.mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")), \
                    self.assertRaisesRegex(RunError, "^save='.*w.safetensors' cannot be written: No space left on device$"):
                self.fit(data, save=f"{folder}/w.safetensors")
            self.assertEqual(sorted(os.listdir(folder)), ["is.safetensors", "w.safetensors"])
            self.assertEqual(pathlib.Path(folder, "w.safetensors").read_bytes(), before)

    def test_what_json_does_not_have_comes_back(self):
        """Texts, numbers of all kinds, and what loaders keep."""
        value = {"a": [1, 2.5, None, True, "x"], 3: (1, {4}), "b": b"\0\1", "=": collections.deque([1]), "n": np.arange(6, dtype=np.uint8).reshape(2, 3), "s": np.float32(0.1),
                 "big": 1 << 127, "nan": float("inf")}
        got = saving.unpacked(saving.json.loads(saving.json.dumps(saving.packed(value | {"t": torch.arange(3)}))))
        self.assertTrue(torch.equal(got.pop("t"), torch.arange(3)))
        np.testing.assert_array_equal(got.pop("n"), value.pop("n"))
        self.assertEqual(got, value)
        self.assertIs(type(got["s"]), np.float32)


if __name__ == "__main__":
    unittest.main()
