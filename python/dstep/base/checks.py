"""Checks of a training's arguments before anything runs: one sentence for each mistake."""
import collections.abc
import numbers
import os
import re

import numpy as np


def kind(value):
    """Returns 'a list', 'an int': the kind of a value, for a sentence."""
    name = "None" if value is None else type(value).__name__
    return name if value is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def integer(name, value, least):
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise ValueError(f"{name}={value!r}, expected an integer from {least} on")
    return int(value)


def boolean(name, value):
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r}, expected True or False")
    return value


def number(name, value):
    """Returns a hyper-parameter of the step that fit gives by its value."""
    if np.ndim(value):
        raise ValueError(f"'{name}' has the shape {np.shape(value)}, expected a single number: fit gives "
                         "hyper-parameters by their values; name it by state= or seed=")
    return float(value)


def device(value):
    """Returns a device in the form of ds-run's --device; accepts objects whose str() has it, for example a
    torch.device."""
    if not re.fullmatch(r"cpu|cuda(:\d+(,\d+)*)?", str(value)):
        raise ValueError(f"device={value!r}, expected 'cpu', 'cuda', or 'cuda' with numbers of GPUs, such as 'cuda:0' "
                         "or 'cuda:0,2'")
    return str(value)


def mapping(name, value, expected):
    """Returns the dictionary that an option gives."""
    if value is not None and not isinstance(value, collections.abc.Mapping):
        raise ValueError(f"{name}= is {kind(value)}, expected {expected}")
    return dict(value or {})


def is_file(value):
    """True if a value of data= names a file in the form of ds-run's --data: x=part-{rank}.npy:scale=1/255."""
    return isinstance(value, (str, os.PathLike))


def dataset(data, arguments):
    """Returns {name: file or array} for the batch arguments of a manifest. Arrays hold numbers and have the arguments'
    shapes except for the number of samples, which is the same in all of them."""
    names = [argument["name"] for argument in arguments]
    if not isinstance(data, collections.abc.Mapping):
        raise ValueError(f"data= is {kind(data)}, expected {{name: array of all samples, or a file}} for "
                         f"{', '.join(names)}, of which ds-run makes the batches")
    if set(data) != set(names):
        raise ValueError(f"data= has {', '.join(sorted(map(str, data)))}, expected the step's batch arguments "
                         f"{', '.join(names)}")
    made = {name: value if is_file(value) else numbers_of(name, value) for name, value in data.items()}
    counts, fewest = {}, min(argument["shape"][argument["dim"]] for argument in arguments)
    for argument in arguments:
        name, dim, value = argument["name"], argument["dim"], made[argument["name"]]
        if is_file(value):
            continue
        wanted = ["samples" if d == dim else size for d, size in enumerate(argument["shape"])]
        if value.ndim != len(wanted) or any(got != size for got, size in zip(value.shape, wanted) if size != "samples"):
            raise ValueError(f"data= has for '{name}' an array of the shape {value.shape}, expected "
                             f"({', '.join(map(str, wanted))}{',' * (len(wanted) == 1)})")
        if value.dtype.kind == "c" and not argument["dtype"].startswith("complex"):
            raise ValueError(f"data= has for '{name}' an array of the type {value.dtype}, expected {argument['dtype']}")
        counts[name] = value.shape[dim] * fewest // argument["shape"][dim]
        if not counts[name]:
            raise ValueError(f"data= has no samples for '{name}': its shape is {value.shape}")
    if len(set(counts.values())) > 1:
        raise ValueError("data= has different numbers of samples: "
                         + ", ".join(f"'{name}' {count}" for name, count in counts.items()))
    return made


def numbers_of(name, value):
    try:
        value = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise ValueError(f"data= has for '{name}' what is no array: {str(error).splitlines()[0]}") from None
    if value.dtype.kind in "OSUMm":
        raise ValueError(f"data= has for '{name}' an array of the type {value.dtype}, expected numbers")
    return value


def calls(callbacks, validation):
    """Returns the callbacks as a list."""
    if callable(callbacks):
        raise ValueError("callbacks= is a function, expected a list of functions: "
                         f"[{getattr(callbacks, '__name__', 'function')}]")
    callbacks = [] if callbacks is None else list(callbacks)
    for callback in callbacks:
        if not callable(callback):
            raise ValueError(f"callbacks= holds {kind(callback)}, expected functions")
    if validation is not None and not callable(validation):
        raise ValueError(f"validation= is {kind(validation)}, expected a function that returns {{name: number}}")
    return callbacks


def validated(found):
    """Returns the result of a validation as {name: number}."""
    if not isinstance(found, collections.abc.Mapping):
        raise ValueError(f"validation= has returned {kind(found)}, expected {{name: number}}")
    return {name: float(value) for name, value in found.items()}
