"""The same samples as files of each kind that fit takes: sample_files.write(folder) gives {name: array}."""
import io
import pathlib
import tarfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

COUNT, HEIGHT, WIDTH = 48, 3, 2


def samples():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 255, (COUNT, HEIGHT, WIDTH), np.uint8)
    return {"x": x, "y": (x.sum((1, 2)) % 3).astype(np.int64)}


def encoded(pixels, form="PNG"):
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, form)
    return stream.getvalue()


def packed(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def saved(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def shard(path, samples):
    """A tar of {ending: bytes} for each sample."""
    with tarfile.open(path, "w") as tar:
        for number, files in enumerate(samples):
            for ending, data in files.items():
                entry = tarfile.TarInfo(f"{number:04}.{ending}")
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))


def table(data, x="x", y="y"):
    return pa.table({"id": np.arange(len(data["y"])), x: list(data["x"].reshape(len(data["x"]), -1)), y: data["y"]})


def write(folder):
    """In parts of 20 and 28, by name in the order of the samples."""
    folder, data = pathlib.Path(folder), samples()
    images = [encoded(image) for image in data["x"]]
    for part, rows in enumerate((slice(0, 20), slice(20, COUNT))):
        x, y = data["x"][rows], data["y"][rows]
        rows_of = table({"x": x, "y": y})
        pq.write_table(rows_of, folder / f"rows-{part}.parquet", row_group_size=9)
        (folder / "folder").mkdir(exist_ok=True)
        pq.write_table(table({"x": x, "y": y}, "pixels", "label"), folder / f"folder/part-{part}.parquet")
        pq.write_table(pa.table({"x": [{"bytes": image, "path": None} for image in images[rows]], "y": y}),
                       folder / f"images-{part}.parquet")
        for kind, new in (("file", pa.ipc.new_file), ("stream", pa.ipc.new_stream)):
            with pa.OSFile(str(folder / f"{kind}-{part}.arrow"), "wb") as file, new(file, rows_of.schema) as writer:
                writer.write_table(rows_of)
        np.savez(folder / f"packed-{part}.npz", x=x, y=y)
        np.save(folder / f"x-{part}.npy", x)
        shard(folder / f"pictures-{part}.tar",
              [{"png": image, "cls": b"%d" % label} for image, label in zip(images[rows], y)])
        shard(folder / f"arrays-{part}.tar", [{"x.npy": saved(a), "y.npy": saved(b)} for a, b in zip(x, y)])
        shard(folder / f"both-{part}.tar", [{"npz": packed(a=a, b=b), "json": b'{"b": %d}' % b} for a, b in zip(x, y)])
    np.save(folder / "y.npy", data["y"])
    return data
