"""Tables of Parquet and Arrow, by pyarrow. Columns of numbers become arrays; lists of equal length, nested to any
depth, become further dimensions; binary columns, and the structs with `bytes` that the library `datasets` writes,
become images."""
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..base.checks import kind
from . import images
from .files import Source, fitted, library, missing, named, stacked


def _pyarrow(module=""):
    return library(f"pyarrow{module}", "pyarrow", "a table in data=")


def _first(mask):
    return int(np.flatnonzero(mask)[0])


def _plain(array):
    """Returns an array of Arrow without extension types, dictionaries, and structs around an image."""
    arrow, types = _pyarrow(), _pyarrow(".types")
    if isinstance(array.type, arrow.BaseExtensionType):
        return _plain(array.storage)
    if types.is_dictionary(array.type):
        return _plain(array.dictionary_decode())
    fields = [field.name for field in array.type] if types.is_struct(array.type) else []
    return array.flatten()[fields.index("bytes")] if "bytes" in fields else array


def values(array, wanted, place):
    """Returns an array of Arrow as one of NumPy, or a list of decoded images; `wanted` is the shape of a row,
    `place(row)` its name."""
    types, array = _pyarrow(".types"), _plain(array)
    of = array.type
    if array.null_count:
        raise ValueError(f"{place(_first(array.is_null().to_numpy(zero_copy_only=False)))} is null, expected a value")
    if types.is_binary(of) or types.is_large_binary(of):
        return [images.decode(data.as_py(), wanted, place(row)) for row, data in enumerate(array)]
    if types.is_fixed_size_list(of):
        size = of.list_size
    elif types.is_list(of) or types.is_large_list(of):
        lengths = array.value_lengths().to_numpy(zero_copy_only=False)
        size = int(lengths[0]) if len(lengths) else 0
        if (lengths != size).any():
            row = _first(lengths != size)
            raise ValueError(f"{place(row)} holds {lengths[row]} values, expected {size}, as the rows before have")
    elif types.is_integer(of) or types.is_floating(of) or types.is_boolean(of):
        return array.to_numpy(zero_copy_only=False)
    else:
        raise ValueError(f"{place(0)} is of the type {of}, expected numbers, lists of them, or images")
    inner = values(array.flatten(), None, lambda element: place(element // max(size, 1)))
    if isinstance(inner, list):
        raise ValueError(f"{place(0)} is a list of images, expected one image")
    return inner.reshape(len(array), size, *inner.shape[1:])


def column_of(column, wanted, where, transform):
    """Returns a column of a table as an array, converted chunk by chunk."""
    parts, begin = [], 0
    for chunk in column.chunks:
        place = lambda row, begin=begin: where(row + begin)
        rows = values(chunk, None if transform else wanted, place)
        if transform:
            rows = [transform(row) for row in rows]
        if len(rows):
            parts.append(fitted(stacked(rows, place), wanted, place))
        begin += len(chunk)
    return np.empty(0, np.float32) if not parts else parts[0] if len(parts) == 1 else np.concatenate(parts)


def arrays_of(table, names, wanted, where, transform):
    """Returns {column: array} of a table; `where` names the table in errors."""
    told = missing(where or "the table of data=", table.column_names, names)
    if told:
        raise ValueError(told)
    within = f"{where}: " if where else "data= has a table whose "
    return {name: column_of(table[name], wanted[name], lambda row, name=name: f"{within}row {row} of '{name}'",
                            transform.get(name)) for name in names}


@contextlib.contextmanager
def _translate_errors(path, what):
    """Turns pyarrow's errors about a file into a sentence."""
    try:
        yield
    except FileNotFoundError:
        raise ValueError(f"'{path}' is not there, expected a file of {what}") from None
    except (_pyarrow().ArrowException, OSError) as error:
        raise ValueError(f"'{path}' cannot be read as {what}: {str(error).splitlines()[0]}") from None


def _of_files(paths, what, schema_of, read, columns, transform):
    by_column = {(columns or {}).get(name, name): function for name, function in (transform or {}).items()}

    def tables(names, wanted):
        for path in paths:
            with _translate_errors(path, what):
                found = schema_of(path)
            told = missing(f"'{path}'", found, names)
            if told:
                raise ValueError(told)
            with _translate_errors(path, what):
                table = read(path, names)
            yield arrays_of(table, names, wanted, f"'{path}'", by_column)

    return Source(tables, columns)


def parquet(files: Any, columns: Mapping[str, str] | None = None, *,
            transform: Mapping[str, Callable[..., Any]] | None = None) -> Source:
    """Returns a source of columns of Parquet files. A column holds numbers, lists of equal length, nested to any depth,
    or encoded images.

    files      a name, a pattern such as "train-*.parquet", a folder, or a list of these
    columns    {batch argument: name of the column}, for columns with another name than their argument
    transform  {batch argument: function of a row's value}, such as one that resizes an image; called once for each
               sample
    """
    parquet_of = library("pyarrow.parquet", "pyarrow", "Parquet in data=")
    return _of_files(named(files, (".parquet",)), "Parquet", lambda path: parquet_of.read_schema(path).names,
                     lambda path, names: parquet_of.ParquetFile(path, memory_map=True).read(columns=names), columns,
                     transform)


def _read_ipc(path):
    arrow = _pyarrow()
    source = arrow.memory_map(path)
    begins = source.read(6)
    source.seek(0)
    return (arrow.ipc.open_file if begins == b"ARROW1" else arrow.ipc.open_stream)(source)


def arrow(data: Any, columns: Mapping[str, str] | None = None, *,
          transform: Mapping[str, Callable[..., Any]] | None = None) -> Source:
    """Returns a source of columns of a table in memory (pyarrow's Table, RecordBatch, RecordBatchReader and Dataset;
    tables of polars, pandas, duckdb and other libraries with __arrow_c_stream__), or of files in Arrow's IPC formats
    (.arrow, .feather). `columns` and `transform` are those of `parquet`. Raises ValueError for other data."""
    arrow_of = _pyarrow()
    if not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__") or hasattr(data, "to_table")):
        return _of_files(named(data, (".arrow", ".feather", ".ipc")), "Arrow",
                         lambda path: _read_ipc(path).schema.names,
                         lambda path, names: _read_ipc(path).read_all().select(names), columns, transform)
    by_column = {(columns or {}).get(name, name): function for name, function in (transform or {}).items()}
    try:
        table = data.to_table() if hasattr(data, "to_table") else arrow_of.table(data)
    except (arrow_of.ArrowException, TypeError, ValueError) as error:
        raise ValueError(f"data= is {kind(data)}, which is no table of Arrow: {str(error).splitlines()[0]}") from None
    return Source(lambda names, wanted: iter([arrays_of(table, names, wanted, "", by_column)]), columns)
