"""Samples as people have them, as `data=` of fit takes them: Parquet and Arrow tables, .npz, and the tar shards of WebDataset.

    train.fit(batch, "train-*.parquet")                       # columns that are called as the batch arguments are
    train.fit(batch, ds.data.parquet("train-*.parquet", {"x": "image", "y": "label"}))
    train.fit(batch, ds.data.arrow(table))                    # of pyarrow, polars, pandas, duckdb: what has __arrow_c_stream__
    train.fit(batch, ds.data.npz("train.npz"))
    train.fit(batch, ds.data.webdataset("shard-{00..09}.tar", x="jpg;png", y="cls"))

A file is a name, a pattern of the shell's, a folder of such files, or a list of these; files of a pattern or a folder come by name. All samples are read once, and
stay in memory. The libraries (pyarrow, webdataset, Pillow) are imported when they are needed.
"""
from . import counts, images
from .files import Source, of_name
from .packed import npz
from .shards import webdataset
from .tables import arrow, parquet

__all__ = ["Source", "arrow", "counts", "images", "npz", "of_name", "parquet", "webdataset"]
