"""The source of the data that `data=` names: a table, a Source, or files by the endings of their names."""
import os

from . import packed, shards, tables
from .files import Source

ENDINGS = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".npz": "npz",
           ".tar": "webdataset"}


def ending_of(data):
    """Returns the format of the files that data= names, or None: all files of a list must have the same one."""
    names = [data] if isinstance(data, (str, os.PathLike)) else data
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, (str, os.PathLike))
                                                                    for name in names):
        return None
    formats = {next((kind for ending, kind in ENDINGS.items() if os.fspath(name).rstrip("/").endswith(ending)), None)
               for name in names}
    return formats.pop() if len(formats) == 1 else None


def of_name(data):
    """Returns the Source of a table, of a Source, or of files whose endings give the format; None for other data."""
    if isinstance(data, Source):
        return data
    if hasattr(data, "__arrow_c_stream__") or hasattr(data,
                                                      "__arrow_c_array__") or type(data).__module__.startswith(
                                                          "pyarrow."):
        return tables.arrow(data)
    kind = ending_of(data)
    if kind == "webdataset":
        return shards.webdataset(data)
    return None if kind is None else {"parquet": tables.parquet, "arrow": tables.arrow, "npz": packed.npz}[kind](data)
