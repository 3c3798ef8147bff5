"""fit of JAX trains on tables, .npz, tar shards and what has DLPack as on the same arrays, bit for bit; what is wrong
with them is one sentence."""
import gzip
import importlib
import os
import pathlib
import re
import unittest
from unittest import mock

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

import dstep as ds
import hints
import sample_files
import source_cases
from dstep.session.run import RunError

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/Data.md"


def example(begin):
    """The block of Python of docs/Data.md with a line that begins so."""
    return next(block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S) if begin in block)


def step(params, batch):
    def loss(w):
        out = batch["x"].reshape(len(batch["x"]), -1) / 255 @ w
        return -jnp.take_along_axis(jax.nn.log_softmax(out), batch["y"][:, None], 1).mean()
    value, grad = jax.value_and_grad(loss)(params["w"])
    return {"w": params["w"] - 0.5 * grad}, value


def begin(data, size=8):
    return {"w": np.linspace(-1, 1, 18, dtype=np.float32).reshape(6, 3)}, {"x": data["x"][:size].astype(np.float32),
                                                                           "y": data["y"][:size].astype(np.int32)}


def fit(data, first, **options):
    return ds.jax.data_parallel(step, ranks=2, params=0, batch=1).fit(*begin(first), data=data, epochs=2,
                                                                      progress="none", **options)


class Sources(unittest.TestCase):
    def test_all_forms_train_alike(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            expected = fit(samples, samples)
            for name, data in source_cases.sources(samples).items():
                with self.subTest(name):
                    params, history = fit(data, samples)
                    np.testing.assert_array_equal(params["w"], expected[0]["w"])
                    self.assertEqual(history, expected[1])

    def test_mistakes_are_one_sentence(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            source_cases.write_mistakes(samples)
            for make, sentence in source_cases.mistakes():
                with self.subTest(sentence), self.assertRaises(ValueError) as refused:
                    fit(make(), samples)
                self.assertRegex(str(refused.exception), sentence)
                self.assertNotIn("\n", str(refused.exception))

    def test_a_library_that_is_not_there_is_named(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            for module, sentence, make in (("pyarrow.parquet", "Parquet in data= needs pyarrow, which is not there .*: "
                                            "pip install pyarrow$", lambda: ds.data.parquet("rows-*.parquet")),
                                           ("pyarrow", "a table in data= needs pyarrow, .*: pip install pyarrow$",
                                            lambda: ds.data.arrow("file-0.arrow")),
                                           ("webdataset", "a tar shard in data= needs webdataset, .*: pip install "
                                            "webdataset$", lambda: ds.data.webdataset("pictures-0.tar")),
                                           ("PIL.Image", "an image in data= needs PIL, .*: pip install pillow$",
                                            lambda: fit("images-*.parquet", samples))):
                there = importlib.import_module

                def absent(name, *package, module=module, there=there):
                    if name == module:
                        raise ImportError(f"no module '{name}'")
                    return there(name, *package)

                with self.subTest(module), mock.patch("importlib.import_module",
                                                      absent), self.assertRaisesRegex(ImportError, sentence):
                    make()

    def test_images_get_the_channels_of_the_step(self):
        """Grey, RGB and RGBA, channels first and last, of a picture that has three."""
        pixels = np.random.default_rng(0).integers(0, 255, (5, 4, 3), np.uint8)
        png = sample_files.encoded(pixels)
        decode = lambda *wanted: ds.data.images.decode(png, wanted, "it")
        np.testing.assert_array_equal(decode(5, 4, 3), pixels)
        np.testing.assert_array_equal(decode(3, 5, 4), pixels.transpose(2, 0, 1))
        self.assertTrue((decode(4, 5, 4)[3] == 255).all())
        grey = decode(5, 4)
        np.testing.assert_array_equal(decode(1, 5, 4)[0], grey)
        np.testing.assert_array_equal(decode(5, 4, 1)[:, :, 0], grey)
        self.assertLess(abs(grey - pixels @ [0.299, 0.587, 0.114]).max(), 1.01)
        with self.assertRaisesRegex(ValueError, r"it is an image, expected an array of the shape \(60,\); transform= "
                                    r"makes it of the image"):
            decode(60)

    def test_samples_may_lie_along_another_dimension(self):
        across = lambda params, batch: step(params, {"x": batch["x"].T, "y": batch["y"]})
        with source_cases.folder():
            samples = sample_files.write(".")
            params, batch = begin(samples)
            batch["x"] = batch["x"].reshape(8, 6).T
            train = lambda data: ds.jax.data_parallel(across, ranks=2, params=0,
                                                      batch={"batch.x": 1, "batch.y": 0}).fit(params, batch, data=data,
                                                                                              progress="none")
            expected = train({"x": samples["x"].reshape(48, 6).T, "y": samples["y"]})
            np.testing.assert_array_equal(train("rows-*.parquet")[0]["w"], expected[0]["w"])

    def test_rows_of_files_of_ds_run_are_counted(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            pathlib.Path("x.npy.gz").write_bytes(gzip.compress(sample_files.saved(samples["x"])))
            idx = b"\0\0\x08\x03" + np.array(samples["x"].shape, ">i4").tobytes() + samples["x"].tobytes()
            pathlib.Path("x-idx3-ubyte.gz").write_bytes(gzip.compress(idx))
            pathlib.Path("x-idx3-ubyte").write_bytes(idx)
            pathlib.Path("list.txt").write_text("# parts\nx-0.npy\n\nx-1.npy\n")
            for name in ("x.npy.gz", "x-idx3-ubyte", "x-idx3-ubyte.gz", "@list.txt", "x-*.npy:scale=1/255",
                         "packed-*.npz:x", "x-{rank}.npy"):
                with self.subTest(name):
                    self.assertEqual(ds.data.counts.count(name.replace("{rank}", "0"), "x"),
                                     20 if "rank" in name else 48)

    def test_files_of_ranks_have_the_same_length(self):
        """Of 20 and 28 rows, which is refused with each last_batch."""
        with source_cases.folder():
            samples = sample_files.write(".")
            np.save("y-0.npy", samples["y"][:20])
            np.save("y-1.npy", samples["y"][20:])
            for last in (None, "drop", "wrap"):
                with self.subTest(last), self.assertRaisesRegex(RunError, "every rank brings as many samples as the "
                                                                "others, but rank 1 has files with 28 and rank 0 with "
                                                                "20"):
                    fit({"x": "x-{rank}.npy", "y": "y-{rank}.npy"}, samples, last_batch=last)

    def test_the_examples_of_the_page(self):
        with source_cases.folder():
            samples = sample_files.write(".")
            params, batch = begin(samples)
            for name in ("rows", "images"):
                for part in range(2):
                    os.rename(f"{name}-{part}.parquet", f"{'train' if name == 'rows' else 'pictures'}-{part}.parquet")
            for part in range(2):
                os.rename(f"pictures-{part}.tar", f"shard-{part}.tar")
            os.rename("folder", "train")
            os.rename("packed-0.npz", "train.npz")
            text = example("train-*.parquet")
            parallel = ds.jax.data_parallel(step, ranks=2, params=0, batch=1)
            calls = []

            def counted(*args, data, **options):
                calls.append(data)
                return parallel.fit(*args, data=data, progress="none", last_batch="drop", **options)

            exec(text, {"dstep": ds, "params": params, "batch": batch, "parallel": mock.Mock(fit=counted),
                        "table": sample_files.table(samples),
                        "x": samples["x"], "y": samples["y"]})
            self.assertEqual(len(calls), 7)

    def test_the_interface_says_its_types(self):
        self.assertEqual(hints.missing(ds.data, ["arrow", "npz", "parquet", "webdataset"]), [])


if __name__ == "__main__":
    unittest.main()
