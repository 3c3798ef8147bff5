"""What data= of fit may be, of the files of sample_files.py, and what it cannot be: used by the tests of both
frameworks."""
import contextlib
import pathlib
import tempfile
import warnings
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.dataset as parts

import dstep as ds
import sample_files


@contextlib.contextmanager
def folder():
    """A folder that is the current one meanwhile."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        yield


class Columns:
    """As a dataset of the library `datasets` is."""

    def __init__(self, columns):
        self.columns, self.column_names = columns, list(columns)

    def with_format(self, kind):
        return self.columns


class Foreign:
    """An array that knows DLPack alone."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def sources(data):
    """{name: what data= is}, each of them the samples `data`, in the current folder."""
    table = sample_files.table(data)
    return {
        "a file for each part": ["rows-0.parquet", "rows-1.parquet"],
        "a pattern": "rows-*.parquet",
        "a folder with other names": ds.data.parquet("folder", {"x": "pixels", "y": "label"}),
        "images in a table": "images-?.parquet",
        "Arrow's file": "file-*.arrow",
        "Arrow's stream": ds.data.arrow(["stream-0.arrow", "stream-1.arrow"]),
        "a table": table,
        "a slice of chunks": pa.concat_tables([table.slice(0, 7), table.slice(7)]),
        "a reader": pa.RecordBatchReader.from_batches(table.schema, table.to_batches(11)),
        "a dataset of Arrow": ds.data.arrow(parts.dataset(["rows-0.parquet", "rows-1.parquet"])),
        "a transformed table": ds.data.arrow(sample_files.table(data, y="z"), {"y": "z"},
                                             transform={"x": lambda row: np.reshape(row, data["x"].shape[1:])}),
        "npz": "packed-*.npz",
        "files of ds-run": {"x": "x-*.npy", "y": "y.npy"},
        "an array of an npz of ds-run": {"x": "packed-?.npz:x", "y": "packed-*.npz"},
        "DLPack": {name: Foreign(value) for name, value in data.items()},
        "shards of images": ds.data.webdataset("pictures-{0..1}.tar", x="jpg;png", y="cls"),
        "shards of arrays": ["arrays-0.tar", "arrays-1.tar"],
        "shards of npz": ds.data.webdataset("both-*.tar", x="npz:a", y="json:b"),
        "transformed shards": ds.data.webdataset("pictures-*.tar", x="png", y="txt;cls", transform={"x": np.array}),
    }


def write_mistakes(data):
    """Files that are wrong, in the current folder."""
    x, y = data["x"].reshape(len(data["x"]), -1).tolist(), data["y"].tolist()
    write = lambda name, **columns: sample_files.pq.write_table(pa.table(columns), f"{name}.parquet")
    write("null", x=x, y=[None if row == 5 else label for row, label in enumerate(y)])
    write("ragged", x=[row[:-1] if k == 17 else row for k, row in enumerate(x)], y=y)
    write("wide", x=[row + row for row in x], y=y)
    write("words", x=x, y=["a"] * len(y))
    write("times", x=x, y=pa.array(y, pa.timestamp("ms")))
    write("nested", x=[[[1, 2, None]]] * 3, y=[1] * 3)
    write("empty", x=pa.array([], pa.list_(pa.int64())), y=pa.array([], pa.int64()))
    write("broken-image", x=[sample_files.encoded(data["x"][0]), b"no image"], y=[0, 1])
    write("large-image", x=[sample_files.encoded(np.zeros((5, 5), np.uint8))], y=[0])
    write("other-names", pixels=x, label=y)
    for name, content in {"short.parquet": b"PAR1", "no.arrow": b"ARROW1..", "no.npz": b"PK\x03\x04",
                          "no.tar": b"x" * 600}.items():
        pathlib.Path(name).write_bytes(content)
    np.save("one.npz.npy", np.zeros(3))
    np.savez("unequal.npz", x=data["x"], y=data["y"][1:])
    np.savez("objects.npz", x=np.array([{}, {}], object), y=data["y"])
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile("twice.npz", "w") as packed:  # zipfile warns of it
        for _ in range(2):
            packed.writestr("x.npy", pathlib.Path("one.npz.npy").read_bytes())
    np.savez("scalar.npz", x=np.float32(1), y=data["y"])
    image = sample_files.encoded(data["x"][0])
    sample_files.shard("lacks.tar", [{"png": image, "cls": b"1"}, {"png": image}])
    sample_files.shard("words.tar", [{"png": image, "cls": b"cat"}])
    sample_files.shard("unknown.tar", [{"png": image, "pth": b"1"}])
    sample_files.shard("sizes.tar", [{"png": image, "cls": b"1"},
                                     {"png": sample_files.encoded(np.zeros((4, 4), np.uint8)), "cls": b"1"}])
    sample_files.shard("many.tar", [{"npz": sample_files.packed(a=data["x"][0], b=1), "cls": b"1"}])


def mistakes():
    """(what is given to fit as data=, a call; the sentence)."""
    web = lambda file, **fields: lambda: ds.data.webdataset(file, **(fields or {"x": "png", "y": "cls"}))
    one = lambda value: lambda: value
    return [
        (one("null.parquet"), r"^'null.parquet': row 5 of 'y' is null, expected a value$"),
        (one("ragged.parquet"), r"^'ragged.parquet': row 17 of 'x' holds 5 values, expected 6, as the rows "
         r"before have$"),
        (one("wide.parquet"), r"^'wide.parquet': row 0 of 'x' has the shape \(12,\), expected \(3, 2\)$"),
        (one("words.parquet"), r"^'words.parquet': row 0 of 'y' is of the type string, expected numbers, lists of "
         r"them, or images$"),
        (one("times.parquet"), r"row 0 of 'y' is of the type timestamp\[ms\], expected numbers"),
        (one("nested.parquet"), r"^'nested.parquet': row 0 of 'x' is null, expected a value$"),
        (one("empty.parquet"), r"^data= has no rows, expected samples$"),
        (one("broken-image.parquet"), r"^'broken-image.parquet': row 1 of 'x' cannot be read as an image: "),
        (one("large-image.parquet"), r"row 0 of 'x' is an image of 5 x 5 pixels \(height, width\), expected 3 x 2; "
         r"transform= may resize it$"),
        (one("other-names.parquet"), r"^'other-names.parquet' has pixels, label, expected 'x', 'y' as well; columns= "
         r"names what is called otherwise"),
        (lambda: ds.data.parquet("other-names.parquet", {"z": "label"}), r"^data= has a column for 'z', expected one "
         r"of the step's batch arguments x, y$"),
        (one("absent.parquet"), r"^'absent.parquet' is not there, expected a file of Parquet$"),
        (one("absent-*.parquet"), r"^data= names 'absent-\*.parquet', expected files that end in "
         r".parquet, found none$"),
        (lambda: ds.data.parquet([]), r"^data= names no files, expected at least one$"),
        (lambda: ds.data.parquet([3]), r"^data= names as a file 3, expected a text$"),
        (one("short.parquet"), r"^'short.parquet' cannot be read as Parquet: "),
        (one("no.arrow"), r"^'no.arrow' cannot be read as Arrow: "),
        (one(pa.table({"x": [1]})), r"^the table of data= has x, expected 'y' as well"),
        (one(pa.table({"x": [[1] * 6] * 2, "y": [1, None]})), r"^data= has a table whose row 1 of 'y' is null"),
        (lambda: ds.data.arrow(pa.array([1, 2])), r"^data= is an Int64Array, which is no table of Arrow: "),
        (one("no.npz"), r"^'no.npz' cannot be read as .npz: "),
        (one("absent.npz"), r"^'absent.npz' is not there, expected an .npz$"),
        (lambda: ds.data.npz("one.npz.npy"), r"^'one.npz.npy' is an .npy of one array, expected an .npz$"),
        (one("unequal.npz"), r"^'unequal.npz' has different numbers of samples: x 48, y 47$"),
        (one("objects.npz"), r"^'objects.npz': 'x' cannot be read: Object arrays cannot be loaded"),
        (one("twice.npz"), r"^'twice.npz' holds two arrays called 'x', expected one of a name$"),
        (one("scalar.npz"), r"^'scalar.npz': 'x' is one number, expected an array of all samples$"),
        (one({"x": "unequal.npz:z", "y": "y.npy"}), r"^data= names 'unequal.npz:z' for 'x', which cannot be read: it "
         r"holds x, y, expected 'z'$"),
        (one({"x": "absent.npy", "y": "y.npy"}), r"^data= names 'absent.npy' for 'x', which cannot be read: .*No such "
         r"file"),
        (web("no.tar"), r"^'no.tar' cannot be read as tar: "),
        (web("absent.tar"), r"^'absent.tar' is not there, expected a tar shard$"),
        (web("lacks.tar"), r"^'lacks.tar': sample 1 '0001' has png, expected cls for 'y'; "
         r"dstep.data.webdataset\(files, "),
        (one("lacks.tar"), r"^'lacks.tar': sample 0 '0000' has png, cls, expected x.npy or x.cls or x.jpg or x.png for "
         r"'x'; "),
        (web("words.tar"), r"^'words.tar': '0000.cls' for 'y' cannot be read as cls: invalid literal for int"),
        (web("unknown.tar", x="png", y="pth"), r"^'unknown.tar': '0000.pth' for 'y' has the ending pth, expected one "
         r"of jpg, jpeg, png, npy, npz, json, cls, or transform=$"),
        (web("sizes.tar"), r"^'sizes.tar': '0001.png' for 'x' is an image of 4 x 4 pixels \(height, width\), expected "
         r"3 x 2; "),
        (web("many.tar", x="npz", y="cls"), r"^'many.tar': '0000.npz' for 'x' cannot be read as npz: it holds a, b, "
         r"expected the name of one, as in \"npz:a\"$"),
        (web("many.tar", x="npz:c", y="cls"), r"^'many.tar': '0000.npz' for 'x' cannot be read as npz: it holds a, b, "
         r"expected 'c'$"),
        (web("pictures-0.tar", x="png", y="cls", z="cls"), r"^data= has a column for 'z', expected one of the step's "
         r"batch arguments x, y$"),
    ]
