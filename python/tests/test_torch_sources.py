"""fit of PyTorch trains on tables, .npz and tar shards as on the same tensors, bit for bit; what is wrong with them is
one sentence."""
import unittest

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
import sample_files
import source_cases
from dstep.frontend import FrontendError
from dstep.torch.training.sources import Source
from test_torch_fit import batch


def made():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Flatten(), nn.Linear(6, 3))
    return model, torch.optim.SGD(model.parameters(), lr=0.01)


def first(samples):
    return batch({"x": torch.tensor(samples["x"]).float(), "y": torch.tensor(samples["y"])})


class Sources(unittest.TestCase):
    def fit(self, data, samples):
        objects = made()
        history = ds.torch.data_parallel(*objects, F.cross_entropy, ranks=2).fit(first(samples), data, 2,
                                                                                 progress="none")
        return history, objects[0][1].weight.detach()

    def test_all_forms_train_alike(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            history, weight = self.fit(samples, samples)
            forms = source_cases.sources(samples) | {
                "a pair of DLPack": tuple(map(source_cases.Foreign, samples.values())),
                "a pair of files": ("x-*.npy", "y.npy"),
                                                     "columns of datasets": source_cases.Columns(samples)}
            for name, data in forms.items():
                with self.subTest(name):
                    got = self.fit(data, samples)
                    self.assertEqual(got[0], history)
                    torch.testing.assert_close(got[1], weight, rtol=0, atol=0)

    def test_mistakes_are_one_sentence(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            source_cases.write_mistakes(samples)
            train = ds.torch.data_parallel(*made(), F.cross_entropy, ranks=2)
            for make, sentence in source_cases.mistakes():
                with self.subTest(sentence), self.assertRaises(ValueError) as refused:
                    train.fit(first(samples), make(), progress="none")
                self.assertRegex(str(refused.exception), sentence)
            self.assertEqual(train.position.step, 0)
            with self.assertRaisesRegex(FrontendError, "expected .* a table, files of Parquet, a Dataset"):
                Source(first(samples)).of("train.csv", None)


if __name__ == "__main__":
    unittest.main()
