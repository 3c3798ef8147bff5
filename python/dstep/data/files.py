"""Shared parts of all sources of samples: names of files, and columns that fit the batch arguments of a step."""
import glob
import importlib
import math
import os

import numpy as np


def library(name, package, what):
    """Imports a module when it is needed; `package` is its name for pip."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{what} needs {name.partition('.')[0]}, which is not there ({error}): pip "
                          f"install {package}") from None


def named(files, endings, expand=lambda name: [name]):
    """Returns the files of a name, a pattern, a folder or a list of these; a folder gives its files with `endings`."""
    found = []
    for name in [files] if isinstance(files, (str, os.PathLike)) else list(files):
        if not isinstance(name, (str, os.PathLike)):
            raise ValueError(f"data= names as a file {name!r}, expected a text")
        for each in expand(os.fspath(name)):
            if os.path.isdir(each):
                inside = sorted(os.path.join(each, entry) for entry in os.listdir(each) if entry.endswith(endings)
                                and not entry.startswith((".", "_")))
            else:
                inside = [each] if os.path.exists(each) or not glob.has_magic(each) else sorted(glob.glob(each))
            if not inside:
                raise ValueError(f"data= names '{each}', expected files that end in {' or '.join(endings)}, found none")
            found += inside
    if not found:
        raise ValueError("data= names no files, expected at least one")
    return found


def fitted(rows, wanted, place):
    """Returns an array whose first dimension counts rows, with the shape `wanted` for each sample; rows with the same
    number of elements in another shape are reshaped."""
    if wanted is None or rows.shape[1:] == wanted:
        return rows
    if math.prod(rows.shape[1:]) != math.prod(wanted):
        raise ValueError(f"{place(0)} has the shape {rows.shape[1:]}, expected {wanted}")
    return rows.reshape(len(rows), *wanted)


def stacked(rows, place):
    """Returns rows of one shape as an array of numbers."""
    if isinstance(rows, list):
        rows = [np.asarray(row) for row in rows]
        for number, row in enumerate(rows):
            if row.shape != rows[0].shape:
                raise ValueError(f"{place(number)} has the shape {row.shape}, expected {rows[0].shape}, as the rows "
                                 "before have")
        rows = np.stack(rows)
    return refuse_kind(rows, place)


def refuse_kind(value, place):
    """Returns a column of numbers; raises ValueError for any other type."""
    if value.dtype.kind not in "biuf" and value.dtype.name != "bfloat16":
        raise ValueError(f"{place(0)} is of the type {value.dtype}, expected numbers")
    return value


class Source:
    """Samples with named columns: `read(columns, wanted)` yields {column: array} for each file in turn. The caller's
    `columns` are {argument: column}; an argument without an entry takes the column of its own name."""

    def __init__(self, read, columns=None):
        self.read, self.columns = read, dict(columns or {})

    def arrays(self, wanted):
        """Returns {argument: array of all samples} for {argument: shape of one sample}."""
        unknown = [name for name in self.columns if name not in wanted]
        if unknown:
            raise ValueError(f"data= has a column for '{unknown[0]}', expected one of the step's batch arguments "
                             f"{', '.join(wanted)}")
        names = {argument: self.columns.get(argument, argument) for argument in wanted}
        shapes = {column: wanted[argument] for argument, column in names.items()}
        parts = [part for part in self.read(list(dict.fromkeys(names.values())), shapes)
                 if len(next(iter(part.values())))]
        if not parts:
            raise ValueError("data= has no rows, expected samples")
        return {argument: parts[0][column] if len(parts) == 1 else np.concatenate([part[column] for part in parts])
                for argument, column in names.items()}


def missing(place, found, columns):
    """Returns the error message for a file that lacks a column, or None."""
    lacks = [name for name in columns if name not in found]
    shown = ", ".join(map(str, list(found)[:12])) + (", .." if len(found) > 12 else "")
    return (f"{place} has {shown or 'nothing'}, expected {', '.join(map(repr, lacks))} as well; columns= names what is "
            f"called otherwise, as in {{\"x\": \"image\"}}" if lacks else None)
