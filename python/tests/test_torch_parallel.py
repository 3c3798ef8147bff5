"""ds.torch.data_parallel trains the user's model as PyTorch would; the example runs as its README says, in small."""
import copy
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import torch
import torch.nn.functional as F
from torch import nn

import dstep as ds
from dstep.frontend import FrontendError
from dstep.session.run import RunError

ROOT = pathlib.Path(__file__).resolve().parents[2]


def small():
    torch.manual_seed(0)
    # No bias before the normalisation: its true gradient is zero, and Adam would amplify the rounding noise.
    model = nn.Sequential(nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 3))
    return model, torch.optim.Adam(model.parameters(), lr=0.01)


def batches(count):
    return [(torch.randn(8, 6), torch.randint(0, 3, (8,))) for _ in range(count)]


class DataParallel(unittest.TestCase):
    def test_it_changes_the_model_as_pytorch_would(self):
        """Across launches, and with a learning rate that the user changes between them."""
        model, optimizer = small()
        reference, other = copy.deepcopy((model, optimizer))
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2, hyper=("lr",))
        data = batches(3)
        got = train.run(data[:2])
        optimizer.param_groups[0]["lr"] = 0.005
        got.append(train(data[2]))
        rates = [0.01, 0.01, 0.005]
        for (x, y), metrics, rate in zip(data, got, rates):
            other.param_groups[0]["lr"] = rate
            other.zero_grad()
            loss = F.cross_entropy(reference(x), y)
            loss.backward()
            other.step()
            self.assertAlmostEqual(metrics["loss"], float(loss.detach()), places=5)
        for (name, value), expected in zip(model.state_dict().items(), reference.state_dict().values()):
            torch.testing.assert_close(value, expected, rtol=1e-4, atol=1e-5, msg=name)
        for p, q in zip(model.parameters(), reference.parameters()):
            self.assertEqual(float(optimizer.state[p]["step"]), 3)
            torch.testing.assert_close(optimizer.state[p]["exp_avg"], other.state[q]["exp_avg"], rtol=1e-4, atol=1e-6)

    def test_it_fits_a_dataset(self):
        model, optimizer = small()
        x = torch.randn(64, 6)
        data = {"x": x, "y": (x[:, 0] > 0).long()}
        metrics = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2).fit((x[:8], data["y"][:8]), data,
                                                                                         epochs=4)
        self.assertEqual(len(metrics), 4)
        self.assertLess(metrics[-1]["loss"], metrics[0]["loss"] - 0.1)
        model.eval()
        self.assertGreater(float((model(x).argmax(1) == data["y"]).float().mean()), 0.7)

    def test_refusals(self):
        train = ds.torch.data_parallel(*small(), F.cross_entropy, ranks=3)
        with self.assertRaisesRegex(FrontendError, "a batch of 8 samples cannot be divided among 3 ranks"):
            train(batches(1)[0])
        train = ds.torch.data_parallel(*small(), F.cross_entropy, ranks=2)
        train(batches(1)[0])
        with self.assertRaisesRegex(FrontendError, "the batch is .*, but the step was exported for"):
            train((torch.randn(4, 6), torch.randint(0, 3, (4,))))


    def test_a_label_or_token_out_of_range_is_an_error_as_in_pytorch(self):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Embedding(20, 6), nn.Flatten(), nn.Linear(12, 3))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        tokens, labels = torch.randint(0, 20, (8, 2)), torch.tensor([0, 1, 2, -100, 0, 1, 2, 0])
        train = ds.torch.data_parallel(model, optimizer, F.cross_entropy, ranks=2)
        train((tokens, labels))
        before = [p.clone() for p in model.parameters()]
        for batch, said in (((tokens, torch.where(labels == 2, 3, labels)), "'y' of step 1 holds 3, expected an index "
                             "from 0 to 2 or -100; 2 of 8"),
                            ((torch.where(tokens == tokens[1, 1], -1, tokens), labels), "holds -1, expected an index "
                             "from 0 to 19")):
            with self.assertRaisesRegex(RunError, said):
                train(batch)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(before, model.parameters())))


class Example(unittest.TestCase):
    def test_torch_resnet_learns_and_agrees_with_pytorch(self):
        """With 48 samples no input of a ReLU is so near to zero that rounding decides its sign; with 32 one is."""
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([sys.executable, ROOT / "examples/torch_resnet/train.py", "--ranks", "2", "--steps",
                                   "24", "--batch", "48", "--out", out],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"replay: 2 steps, \d+ results on 2 ranks: .*: equal")
        # A fast machine reports once, at the end; before training ten classes are a guess.
        losses = [float(loss) for loss in re.findall(r"loss (\S+)  accuracy", done.stdout)]
        self.assertLess(losses[-1], math.log(10) - 0.1)
        accuracy = float(re.search(r"accuracy (\S+) % \(", done.stdout)[1])
        again = float(re.search(r"PyTorch with the trained parameters: (\S+) %", done.stdout)[1])
        self.assertGreater(accuracy, 20)
        self.assertLess(abs(accuracy - again), 8)

    def test_the_readme_names_options_that_exist(self):
        text = (ROOT / "examples/torch_resnet/README.md").read_text()
        source = (ROOT / "examples/torch_resnet/train.py").read_text()
        for option in set(re.findall(r"`?(--ranks|--steps|--batch|--out|--lr)\b", text)):
            self.assertIn(f'"{option}"', source)


if __name__ == "__main__":
    unittest.main()
