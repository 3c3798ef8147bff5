"""`fit` with datasets, loaders and schedules of every step trains what the loop of PyTorch does."""
import copy
import os
import unittest
import unittest.mock
import warnings

import numpy as np
import torch
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, Dataset, DistributedSampler, IterableDataset, TensorDataset

from dstep.session import run
from dstep.frontend import FrontendError
from dstep.training import loading
from dstep.training.loading import order_of
from dstep.torch.training.sources import Source
from dstep.torch.training.schedules import Schedule
from test_torch_fit import batch, eager_step, made, parallel, samples


class Items(Dataset):
    """Other values in every pass, as augmentations make them."""

    def __init__(self, data):
        self.data, self.reads = data, 0

    def __len__(self):
        return len(self.data["x"])

    def __getitem__(self, index):
        self.reads += 1
        return self.data["x"][index] * (1 + (self.reads - 1) // len(self)), self.data["y"][index]


class Stream(IterableDataset):
    def __iter__(self):
        return iter([])


def scaled(items):
    x, y = torch.utils.data.default_collate(items)
    return 2 * x, y


class Loaders(unittest.TestCase):
    def equal(self, one, other):
        torch.testing.assert_close(dict(one.named_parameters()), dict(other.named_parameters()), rtol=1e-4, atol=1e-5)

    def test_the_order_of_ds_run(self):
        """Of these seeds and epochs, by lib/Data/Random.cpp."""
        self.assertEqual(sorted(order_of(7, 3, 50)), list(range(50)))
        self.assertEqual([list(order_of(0, 0, 1)), list(order_of(5, 2, 0))], [[0], []])
        state = loading._mix(np.array([7], np.uint64)) ^ loading._mix(np.array([~3 & loading.MASK], np.uint64))
        keyed = loading._keyed(state, 100)  # of more samples than fit a list; unittests/Data/SamplerTest.cpp has the same
        self.assertEqual((list(keyed[:8]), sorted(keyed)), ([37, 25, 41, 22, 43, 75, 57, 18], list(range(100))))

    def test_a_loader_keeps_its_order_its_collate_fn_and_its_schedule(self):
        """Shuffled by its own generator, with a schedule of every step; in `local` a batch is that of all ranks."""
        data = samples(42)
        loader = lambda: DataLoader(TensorDataset(data["x"], data["y"]), 8, shuffle=True, generator=torch.Generator().manual_seed(3), collate_fn=scaled)
        schedule = lambda optimizer: lr_scheduler.LinearLR(optimizer, 0.1, 1.0, 9)
        reference = made()
        rates = schedule(reference[1])
        batches = loader()
        for _ in range(2):
            for x, y in batches:
                if len(x) == 8:
                    eager_step(*reference, x, y)
                    rates.step()
        for config in ({}, {"batch": "local", "gradients_mean": True}):
            objects, calls = made(), []
            ours, train = schedule(objects[1]), parallel(objects, config=config)
            with self.subTest(config), warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                train.fit(batch(data), loader(), 2, progress="none", schedule=ours, callbacks=[lambda epoch, metrics: calls.append(epoch)])
                self.equal(objects[0], reference[0])
                self.assertEqual([str(w.message)[:40] for w in told if "left out" in str(w.message)], ["the last 2 of 42 samples are left out of"])
                self.assertEqual((calls, train.position.step, ours.last_epoch, train.exports), ([0, 1], 10, 10, 1))

    def test_batches_of_workers_are_taken_over_beside_the_step(self):
        """By a thread, in their order; the last one is filled with the first samples."""
        data, ends = samples(42), []
        for workers in (0, 2):
            objects = made()
            loader = DataLoader(TensorDataset(data["x"], data["y"]), 8, shuffle=True, generator=torch.Generator().manual_seed(3), num_workers=workers)
            history = parallel(objects).fit(batch(data), loader, 3, progress="none", last_batch="wrap")
            ends.append((history, [p.tolist() for p in objects[0].parameters()]))
        self.assertEqual(*ends)

    def test_a_batch_that_fails_leaves_the_model_as_it_was(self):
        """The third one, of an iterable that ends with an error, and of one whose batch has another size; the training goes on then."""
        data, objects = samples(), made()
        good, before = batch(data), [p.clone() for p in objects[0].parameters()]

        def broken():
            yield good
            yield good
            raise OSError("the disk is gone")

        train = parallel(objects)
        for batches, kind, sentence in ((broken(), OSError, "the disk is gone"), ([good, good, batch(data, 9)], ValueError, "batch 3 of data= has 9 samples, expected 8"),
                                        ([good, (good[0], good[1] + 7)], run.RunError, "'y' of batch 2 of data= holds")):
            with self.subTest(sentence), self.assertRaisesRegex(kind, sentence):
                train.fit(good, batches, progress="none")
            for p, was in zip(objects[0].parameters(), before):
                torch.testing.assert_close(p.detach(), was, rtol=0, atol=0)
        self.assertEqual(train.position.step, 0)
        self.assertEqual(len(train.fit(good, [good], 2, progress="none")), 2)

    def test_a_dataset_is_read_for_every_epoch(self):
        """One step has all samples, in any order."""
        data, objects = samples(16), made()
        reference, items = copy.deepcopy(objects), Items(data)
        parallel(objects).fit(batch(data, 16), items, 2, progress="none")
        for scale in (1, 2):
            eager_step(*reference, data["x"] * scale, data["y"])
        self.equal(objects[0], reference[0])
        self.assertEqual(items.reads, 32)

    def test_what_is_left_out_is_told_or_wrapped(self):
        data, objects = samples(12), made()
        train = parallel(objects)
        with self.assertWarnsRegex(UserWarning, "4 of 12 samples are left out of every epoch, because they make no batch of 8; last_batch=\"wrap\" fills it"):
            train.fit(batch(data), (data["x"], data["y"].numpy()), progress="none")
        self.assertEqual(train.position.step, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            train.fit(batch(data), TensorDataset(data["x"], data["y"]), progress="none", last_batch="wrap")
        self.assertEqual(train.position.step, 4)  # two steps, from an epoch of two on
        with self.assertRaisesRegex(ValueError, "last_batch='some', expected 'drop' or 'wrap'"):
            train.fit(batch(data), data, last_batch="some")

    def test_run_takes_a_schedule(self):
        data, objects = samples(), made()
        reference, theirs = copy.deepcopy(objects), None
        theirs, ours = (lr_scheduler.LinearLR(o, 0.01, 1.0, 4) for _, o in (reference, objects))
        parallel(objects).run([batch(data)] * 4, schedule=ours)
        for _ in range(4):
            eager_step(*reference, *batch(data))
            theirs.step()
        self.equal(objects[0], reference[0])
        self.assertEqual(ours.state_dict()["last_epoch"], 4)


    def test_a_function_gives_the_rate_of_each_step(self):
        """Also in a later call, and where batches come one by one."""
        rate = lambda number: 0.1 / (1 + number)
        data, objects = samples(), made()
        reference, train = copy.deepcopy(objects), parallel(objects)
        loader = DataLoader(TensorDataset(data["x"], data["y"]), 8)
        for _ in range(2):
            train.fit(batch(data), loader, progress="none", schedule=rate)
        train.run([batch(data)] * 2, schedule=rate)
        for number, (x, y) in enumerate([*loader, *loader, batch(data), batch(data)]):
            reference[1].param_groups[0]["lr"] = rate(number)
            eager_step(*reference, x, y)
        self.equal(objects[0], reference[0])

    def test_early_stopping_by_name(self):
        data, losses = samples(), iter([3, 2, 2, 2, 0])
        history = parallel(made()).fit(batch(data), data, 20, progress="none", early_stopping="val,patience=2", validation=lambda: {"val": next(losses)})
        self.assertEqual([m["val"] for m in history], [3, 2, 2, 2])


class Refusals(unittest.TestCase):
    def test_of_data(self):
        data = samples(16)
        source = Source(batch(data))
        pair = lambda count, wide=6: (torch.zeros(count, wide), torch.zeros(count, dtype=torch.int64))
        sampled = DataLoader(TensorDataset(*pair(16)), 8, sampler=DistributedSampler(range(16), 2, 0))
        for sentence, value in {
                "expected a DataLoader of it, which makes batches": Stream(), "gives one rank its samples, expected all samples": sampled, "data= is a int, expected": 3,
                "a TensorDataset of 1 tensors, expected a pair": TensorDataset(data["x"])}.items():
            with self.subTest(sentence), self.assertRaisesRegex(FrontendError, sentence):
                source.of(value, None)
        for sentence, value in {
                "yields a dict, expected a pair": [{"x": data["x"]}], "yields what is no batch: the batch is a Tensor": iter([data["x"]]),
                r"batch 1 of data= has 4 samples, expected 8": [pair(4), pair(8)], "batch 2 of data= has 9 samples": [pair(8), pair(9)],
                r"yields samples of .*\(5,\).*, expected .*\(6,\)": [pair(8, 5)], "yields 3 samples, expected a batch of 8": [pair(3)]}.items():
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                source.of(value, None).read(8)
        once = source.of(iter([pair(8)]), None)
        once.read(8)
        with self.assertRaisesRegex(ValueError, "which has the batches of one epoch, expected a list or a DataLoader"):
            once.read(8)

    def test_of_schedules(self):
        model, optimizer = made()
        with self.assertRaisesRegex(FrontendError, "ReduceLROnPlateau, which looks at a metric"):
            Schedule(lr_scheduler.ReduceLROnPlateau(optimizer), optimizer)
        with self.assertRaisesRegex(FrontendError, "schedule= is a float, expected a scheduler of torch.optim.lr_scheduler, a function of the step"):
            Schedule(0.1, optimizer)
        cycle = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=10)
        rate = optimizer.param_groups[0]["lr"]
        with self.assertRaisesRegex(FrontendError, "the schedule changes 'momentum' of the optimizer, a constant of the step, .*name it in hyper="):
            parallel((model, optimizer)).run([batch(samples())] * 3, schedule=cycle)
        self.assertEqual((cycle.last_epoch, optimizer.param_groups[0]["lr"]), (0, rate))

    def test_a_schedule_that_ends_with_the_training(self):
        """Batches come without a count, so rates are asked for ahead: no further than the schedule goes."""
        data = [batch(samples())] * 2
        for steps in (6, 5):
            for make in (lambda o: lr_scheduler.OneCycleLR(o, 0.1, total_steps=steps, cycle_momentum=False), lambda o: [0.1 / (k + 1) for k in range(steps + 1)].__getitem__):
                model, optimizer = made()
                train, schedule = parallel((model, optimizer)), make(optimizer)
                if steps == 6:
                    train.fit(data[0], data, 3, progress="none", schedule=schedule)
                    continue
                with self.assertRaisesRegex((ValueError, IndexError), "Tried to step 6 times|out of range"):
                    train.fit(data[0], data, 3, progress="none", schedule=schedule)
                self.assertEqual(train.position.step, 4)

    def test_a_script_under_a_launcher(self):
        for name, variables in {"mpirun": {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, "srun": {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"},
                                "torchrun": {"RANK": "1", "WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "x"}}.items():
            with self.subTest(name), unittest.mock.patch.dict(os.environ, variables):
                with self.assertRaisesRegex(run.RunError, f"ranks=1 is the number of ranks of the job, but {name} has started 2 processes, expected a rank for each at least: leave ranks= out"):
                    run.Runner(ranks=1)
        for variables in ({"WORLD_SIZE": "2", "RANK": "0"}, {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}):
            with unittest.mock.patch.dict(os.environ, variables):
                self.assertIsNone(run.started_by())


if __name__ == "__main__":
    unittest.main()
