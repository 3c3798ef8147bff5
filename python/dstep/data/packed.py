"""Arrays in .npz files."""
import contextlib
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from .files import Source, fitted, missing, named, refuse_kind


@contextlib.contextmanager
def open_npz(path):
    try:
        stream = open(path, "rb")
    except FileNotFoundError:
        raise ValueError(f"'{path}' is not there, expected an .npz") from None
    with stream:
        try:
            found = np.load(stream, allow_pickle=False)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"'{path}' cannot be read as .npz: {str(error).splitlines()[0]}") from None
        if not isinstance(found, np.lib.npyio.NpzFile):
            raise ValueError(f"'{path}' is an .npy of one array, expected an .npz")
        for name in found.files:
            if found.files.count(name) > 1:
                raise ValueError(f"'{path}' holds two arrays called '{name}', expected one of a name")
        yield found


def array_of(packed, name, place):
    try:
        return packed[name]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{place} cannot be read: {str(error).splitlines()[0]}") from None


def npz(files: Any, columns: Mapping[str, str] | None = None) -> Source:
    """Returns a source of the arrays in .npz files, each with all samples of its file; several files are concatenated.

    files    a name, a pattern, a folder, or a list of these
    columns  {batch argument: name of the array}, for arrays with another name than their argument
    """
    paths = named(files, (".npz",))

    def read(names, wanted):
        for path in paths:
            with open_npz(path) as packed:
                told = missing(f"'{path}'", packed.files, names)
                if told:
                    raise ValueError(told)
                found = {}
                for name in names:
                    place = lambda row, name=name: f"'{path}': row {row} of '{name}'"
                    value = array_of(packed, name, f"'{path}': '{name}'")
                    if not value.ndim:
                        raise ValueError(f"'{path}': '{name}' is one number, expected an array of all samples")
                    found[name] = fitted(refuse_kind(value, place), wanted[name], place)
            counts = {name: len(value) for name, value in found.items()}
            if len(set(counts.values())) > 1:
                raise ValueError(f"'{path}' has different numbers of samples: "
                                 f"{', '.join(f'{name} {count}' for name, count in counts.items())}")
            yield found

    return Source(read, columns)
