"""Samples in common formats, for `data=` of fit: Parquet and Arrow tables, .npz, and the tar shards of WebDataset.

    train.fit(batch, "train-*.parquet")                       # columns with the names of the batch arguments
    train.fit(batch, dstep.data.parquet("train-*.parquet", {"x": "image", "y": "label"}))
    train.fit(batch, dstep.data.arrow(table))                    # of pyarrow, polars, pandas, duckdb:
                                                                 __arrow_c_stream__
    train.fit(batch, dstep.data.npz("train.npz"))
    train.fit(batch, dstep.data.webdataset("shard-{00..09}.tar", x="jpg;png", y="cls"))

A file is a name, a shell pattern, a folder of files with the format's ending, or a list of these; files of a pattern or
a folder are sorted by name. All samples are read once, and stay in memory. The libraries (pyarrow, webdataset, Pillow)
are imported when they are needed.
"""
from . import counts, images
from .files import Source
from .formats import of_name
from .packed import npz
from .shards import webdataset
from .tables import arrow, parquet

__all__ = ["Source", "arrow", "counts", "images", "npz", "of_name", "parquet", "webdataset"]
