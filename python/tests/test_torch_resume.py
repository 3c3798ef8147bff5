"""fit that is killed in the middle of an epoch goes on with exactly the next batch: the bits of an undisturbed
training, for each kind of data.

Every training is a child of fork, since this process never loads libds.so.
"""
import collections
import json
import os
import pathlib
import resource
import signal
import struct
import sys
import tempfile
import traceback
import unittest
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset
from torchdata.stateful_dataloader import StatefulDataLoader

import dstep as ds
from dstep.base import arrays
from dstep.training import samples as native_samples, saving, streams
from dstep.session.run import RunError
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
        self.generator.bit_generator.state, self.order, self.place = state["generator"], state["order"], int(state[
            "place"])


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
    "a loader with two workers, shuffled by PyTorch's generator": lambda data: DataLoader(Noisy(data), 8, shuffle=True,
                                                                                          num_workers=2),
    "a loader that is shuffled by its own generator": lambda data: DataLoader(Noisy(data), 8, shuffle=True,
                                                                              generator=torch.Generator().manual_seed(3)),
    "a stateful loader": lambda data: StatefulDataLoader(tensors(data), 8, shuffle=True,
                                                         generator=torch.Generator().manual_seed(3)),
    "a stateful loader with two workers": lambda data: StatefulDataLoader(tensors(data), 8, shuffle=True,
                                                                          num_workers=2),
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
        batch(data), DATA[name](data), 3, progress="none", save=file, save_every=3, seed=4,
        schedule=lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=60, cycle_momentum=False),
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


def metadata_of(file):
    data = pathlib.Path(file).read_bytes()
    return json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])["__metadata__"]


def read(file):
    return {name: value.tobytes() for name, value in arrays.read_safetensors(file).items()}, int(metadata_of(file)[
        "ds.step"]), pathlib.Path(f"{file}.history").read_text()


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
        """At the fifth step, whose epoch has four of five behind it and the file three, and at the eleventh, the first
        of the third epoch; or in the second epoch and in the third."""
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


def fit(data, model=None, **options):
    model = model or nn.Linear(6, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2).fit(batch(samples()), data,
                                                                                  progress="none", **options)


def flip(file, at=-3):
    data = bytearray(pathlib.Path(file).read_bytes())
    data[at] ^= 16
    pathlib.Path(file).write_bytes(data)


class Files(unittest.TestCase):
    """What a file says is compared with what was written, and with the training that goes on from it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.file = pathlib.Path(folder.name), f"{folder.name}/w.safetensors"

    def refused(self, kind, sentence, data=None, **options):
        with self.assertRaisesRegex(kind, sentence):
            fit(data or samples(), save=self.file, resume=True, epochs=2, **options)

    def test_a_flipped_bit(self):
        fit(samples(), save=self.file)
        flip(self.file)
        self.refused(ValueError, "cannot be gone on with: no checkpoint of '.*w.safetensors' is whole .*it is damaged: "
                     "its checksum is .*; give save= another name")

    def test_the_one_before_a_damaged_one_is_taken(self):
        fit(samples(), save=self.file, save_every=2)
        self.assertEqual(sorted(os.listdir(self.folder)), [f"w-{step:012}.safetensors" for step in (2, 4, 6)] + [
            "w.safetensors"])
        for name in ("w", "w-000000000006"):
            flip(self.folder / f"{name}.safetensors")
        with self.assertWarnsRegex(Warning, "it is damaged: .*; it is passed over"):
            history = fit(samples(), save=self.file, resume=True, epochs=1)
        self.assertEqual((len(history), metadata_of(self.file)["ds.step"]), (1, "6"))
        fit(samples(), save=self.file, resume=True)
        with self.assertRaisesRegex(RunError, "w-000000000006.safetensors' is there from an earlier training; "
                                    "resume=True goes on from it, or give save= another name$"):
            fit(samples(), save=self.file)

    def test_other_data_another_step_and_another_seed(self):
        fit(samples(), save=self.file, model=nn.Sequential(nn.Linear(6, 3), nn.ReLU()))
        other = samples()
        other["x"][7, 2] += 1
        relu, tanh = nn.Sequential(nn.Linear(6, 3), nn.ReLU()), nn.Sequential(nn.Linear(6, 3), nn.Tanh())
        self.refused(ValueError, "^'.*w.safetensors' was trained on other data of the same size: its fingerprint is "
                     "[0-9a-f]+, that of this run's files is [0-9a-f]+$", other, model=relu)
        before = tanh[0].weight.clone()
        self.refused(ValueError, "w.safetensors' is of another training: the hash of its step is [0-9a-f]+, but this "
                     "run has [0-9a-f]+$", model=tanh)
        self.assertTrue(torch.equal(tanh[0].weight, before))
        self.refused(ValueError, "is of another training: it has seed 0, but this one 3$", model=relu, seed=3)
        self.assertEqual(len(fit(samples(), save=self.file, resume=True, epochs=2, model=relu)), 2)

    def test_a_step_that_no_training_reaches(self):
        arrays.write_safetensors(self.file, {"weight": np.zeros((3, 6), np.float32)},
                                 {"ds.step": str(10**20), "ds.fit": json.dumps({"form": 1})})
        self.refused(ValueError, r"cannot be gone on with: .*ds.step in '.*' is '1(0){20}', expected a number of steps "
                     r"from 0 to 2\^53")

    def test_one_of_an_earlier_version(self):
        fit(samples(), save=self.file)
        told = json.loads(metadata_of(self.file)["ds.fit"]) | {"form": 1}
        arrays.write_safetensors(self.file, arrays.read_safetensors(self.file),
                                 {"ds.step": metadata_of(self.file)["ds.step"], "ds.fit": json.dumps(told)})
        with self.assertWarnsRegex(Warning, "was written by an earlier version of dstep, without a checksum"):
            self.assertEqual(len(fit(samples(), save=self.file, resume=True, epochs=2)), 2)
        arrays.write_safetensors(self.file, arrays.read_safetensors(self.file),
                                 {"ds.step": "6", "ds.fit": json.dumps(told | {"form": 2})})
        self.refused(ValueError, "cannot be gone on with: '.*' has no checksum, so it is damaged, or another program "
                     "has written it$")

    def test_permissions_and_links_that_others_have_put_there(self):
        fit(samples(), save=self.file)
        os.chmod(self.file, 0o600)
        victim = self.folder / "victim"
        victim.write_text("mine")
        os.symlink(victim, f"{self.file}.tmp-{os.getpid()}")
        fit(samples(), save=self.file, save_every=4)
        for name in ("w.safetensors", "w-000000000004.safetensors"):
            self.assertEqual(os.stat(self.folder / name).st_mode & 0o777, 0o600)
        os.symlink(victim, f"{self.file}.lock")
        self.refused(RunError, "cannot write '.*w.safetensors.lock': too many levels of symbolic links")
        self.assertEqual(victim.read_text(), "mine")

    def test_one_training_has_the_file(self):
        def second(epoch, metrics):
            with self.assertRaisesRegex(RunError, "w.safetensors' is being written by another job, process "
                                        f"{os.getpid()} on host .*; wait for its end, or give save= another name"):
                fit(samples(), save=self.file)
        fit(samples(), save=self.file, callbacks=[second])
        self.assertEqual(os.listdir(self.folder), ["w.safetensors"])

    def test_a_lock_that_is_gone_is_noticed(self):
        with self.assertRaisesRegex(RunError, "w.safetensors.lock' was removed or replaced while this job trains, "
                                    ".*start again with resume=True$"):
            fit(samples(), save=self.file, callbacks=[lambda epoch, metrics: os.remove(f"{self.file}.lock")])


class Mistakes(unittest.TestCase):
    def test_of_the_file(self):
        class Strange(Batches):
            def state_dict(self):
                return {"lock": object()}

        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/w.safetensors"
            for sentence, options in {"^save_every= needs save=, the file of the training$": {"save_every": 3},
                                      "^resume= needs save=": {"resume": True},
                                      "^save='w.pt', expected a name that ends in .safetensors$": {"save": "w.pt"},
                                      "^save_every=0, expected an integer from 1 on$": {"save": file, "save_every": 0},
                                      "^the state of data= holds an object, which fit cannot save; expected numbers, "
                                      "texts, bytes, arrays, and lists": {"data": Strange(samples()),
                                                                          "save": file}}.items():
                with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                    fit(**{"data": samples()} | options)
            fit(samples(), save=file)
            for sentence, options in {
                "it has trained 48 samples, but data= has 56$": {"data": samples(56), "epochs": 2}}.items():
                with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                    fit(**{"data": samples(), "save": file, "resume": True} | options)
            pathlib.Path(file).write_bytes(b"\x05\0\0\0\0\0\0\0nothing")
            with self.assertRaisesRegex(ValueError, "cannot be gone on with: "):
                fit(samples(), save=file, resume=True)

    def test_a_file_that_cannot_be_written(self):
        """Where that is known it is said before anything is trained; a full disk leaves what was there, and nothing
        beside it."""
        data = samples()
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "is.safetensors").mkdir()
            for name, reason in (("none/w", "there is no directory '.*none'"), ("is", "it is a directory")):
                seen = []
                with self.assertRaisesRegex(RunError, f"^cannot write '.*{name}.safetensors': {reason}$"):
                    fit(data, save=f"{folder}/{name}.safetensors",
                        callbacks=[lambda epoch, metrics: seen.append(epoch)])
                self.assertEqual(seen, [])
            fit(data, save=f"{folder}/w.safetensors")
            before, limits = pathlib.Path(folder,
                                          "w.safetensors").read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
            try:
                with self.assertRaisesRegex(RunError, "^cannot write '.*w.safetensors': file too large$"):
                    fit(data, save=f"{folder}/w.safetensors",
                        callbacks=[lambda epoch, metrics: resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))])
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            self.assertEqual(sorted(os.listdir(folder)), ["is.safetensors", "w.safetensors"])
            self.assertEqual(pathlib.Path(folder, "w.safetensors").read_bytes(), before)

    def test_what_json_does_not_have_comes_back(self):
        """Texts, numbers of all kinds, and what loaders keep."""
        value = {"a": [1, 2.5, None, True, "x"], 3: (1, {4}), "b": b"\0\1", "=": collections.deque([1]),
                 "n": np.arange(6, dtype=np.uint8).reshape(2, 3), "s": np.float32(0.1),
                 "big": 1 << 127, "nan": float("inf")}
        got = saving.unpacked(saving.json.loads(saving.json.dumps(saving.packed(value | {"t": torch.arange(3)}))))
        self.assertTrue(torch.equal(got.pop("t"), torch.arange(3)))
        np.testing.assert_array_equal(got.pop("n"), value.pop("n"))
        self.assertEqual(got, value)
        self.assertIs(type(got["s"]), np.float32)


if __name__ == "__main__":
    unittest.main()
