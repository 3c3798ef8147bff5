"""What a rank program says of its arguments and results: types, and the part of the whole that a rank has."""
import re

import numpy

TYPES = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "bf16": "<u2", "i64": "<i8", "i32": "<i4", "i16": "<i2", "i8": "|i1",
         "i1": "|b1"}


def split_at_commas(text):
    """The parts of a list; commas in brackets and strings are theirs."""
    plain = re.sub(r'"[^"]*"', lambda quoted: "_" * len(quoted[0]), text)
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(plain):
        depth += (char in "([{<") - (char in ")]}>")
        if char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [part for part in [*parts, text[begin:]] if part.strip()]


class Value:
    def __init__(self, text, mesh):
        *shape, element = re.search(r"tensor<([^>]*)>", text)[1].split("x")
        self.shape, self.dtype, self.mesh = tuple(map(int, shape)), numpy.dtype(TYPES[element]), mesh
        named = re.search(r'ds\.(?:param|state|updates) = "([^"]*)"', text)
        self.name = named and named[1]
        sharding = re.search(r"#ds\.sharding<\[(.*?)\]>", text)
        self.axes = ([re.findall(r'"(\w+)"', axes) for axes in re.findall(r"\{([^{}]*)\}", sharding[1])] if sharding
                     else [])
        batch = re.search(r"ds\.batch = (\d+)", text)
        if batch:
            self.axes = [[next(iter(mesh))] if dim == int(batch[1]) else [] for dim in range(len(self.shape))]
        self.is_cyclic = 'ds.layout = "cyclic"' in text

    def part(self, whole, rank):
        """What a rank has of the whole, as a view."""
        coordinates, stride = {}, 1
        for axis, size in reversed(self.mesh.items()):
            coordinates[axis], stride = rank // stride % size, stride * size
        for dim, axes in enumerate(self.axes):
            number, count = 0, 1
            for axis in axes:
                number, count = number * self.mesh[axis] + coordinates[axis], count * self.mesh[axis]
            if axes:
                size = whole.shape[dim] // count
                rows = slice(number, None, count) if self.is_cyclic else slice(number * size, (number + 1) * size)
                whole = whole[(slice(None),) * dim + (rows,)]
        return whole


def read_signature(path, axes):
    """(name, arguments, results) of the module's step."""
    mesh = {name: int(size) for name, size in (axis.split("=") for axis in axes)}
    with open(path, encoding="utf-8") as file:
        header = next(line for line in file if "func.func" in line and "func.func private" not in line)
    name, arguments, results = re.fullmatch(r"\s*func\.func (?:public )?@(\w+)\((.*)\) -> (.*) \{\n", header).groups()
    results = results[1:-1] if results.startswith("(") else results
    arguments = [Value(part, mesh) for part in split_at_commas(arguments)]
    results = [Value(part, mesh) for part in split_at_commas(results)]
    stored = {value.name: value for value in arguments if value.name}
    for result in results:
        if result.name:  # the new value lies where the old one does
            result.axes, result.is_cyclic = stored[result.name].axes, stored[result.name].is_cyclic
    return name, arguments, results
