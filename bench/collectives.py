"""What collectives of a compiled step move, from its text: IR of ds (`ds_traffic`) and XLA's HLO (`xla_traffic`).

Both return [Collective], one for each operation, with the number of times that a step runs it. Bytes are those that a
rank sends in the least that the collective takes of n ranks: an all-reduce of b bytes 2 (n-1)/n b, what gathers,
scatters or exchanges b bytes (of the larger side) (n-1)/n b, a permutation b for each rank that sends to another one. A
text that says something in a way that is not known here is an error, not nothing.
"""
import dataclasses
import itertools
import math
import re

BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "i1": 1, "index": 8,
         "s64": 8, "u64": 8, "s32": 4, "u32": 4, "s16": 2, "u16": 2, "s8": 1, "u8": 1, "pred": 1}


@dataclasses.dataclass(frozen=True)
class Collective:
    kind: str       # as ds spells it
    axes: tuple     # of the mesh, in its order
    message: int    # bytes of the value, whole
    sent: float     # bytes that a rank sends
    times: int = 1  # in a step


def sent(kind, message, ranks):
    return message * (ranks - 1) / ranks * (2 if kind == "all_reduce" else 1)


def total(traffic, what="sent"):
    return sum(getattr(c, what) * c.times for c in traffic)


def calls(traffic, kind=None):
    return sum(c.times for c in traffic if kind in (None, c.kind))


def over(traffic, *axes):
    """Those between ranks that differ along just these axes."""
    return [c for c in traffic if c.axes == axes]


# IR of ds

def mesh_of(text):
    """{axis: size} of a step's configuration; the first axis divides the batch."""
    found = re.search(r'\bmesh = "([^"]*)"', text)
    if found:
        return {name: int(size) for name, size in (axis.split("=") for axis in found[1].split(","))}
    return {"dp": int(re.search(r"\bdevice_num = (\d+)", text)[1])}


def tensor_bytes(types):
    return sum(math.prod(map(int, re.findall(r"(\d+)x", dims))) * BYTES[element]
               for dims, element in re.findall(r"tensor<((?:\d+x)*)(\w+)(?:,[^>]*)?>", types))


def without_attributes(line):
    """The attributes of an operation, and its line without them; they nest lists, not dictionaries."""
    found = re.search(r" \{([^{}]*)\}", line)
    return (found[1], line[:found.start()] + line[found.end():]) if found else ("", line)


def ds_traffic(text):
    mesh, constants, loops, found = mesh_of(text), {}, [], []
    names = list(mesh)
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if constant := re.match(r"\s*(%\w+) = arith\.constant (\d+) : index", line):
            constants[constant[1]] = int(constant[2])
        while loops and indent <= loops[-1][0]:
            loops.pop()
        if re.search(r"\bscf\.(for|while)\b", line):
            bounds = re.search(r"= (%\w+) to (%\w+) step (%\w+)", line)
            known = [constants.get(name) for name in bounds.groups()] if bounds else [None]
            loops.append((indent, None if None in known else len(range(*known))))
        operation = re.search(
            r"\bds\.(all_reduce|all_reduce_start|all_gather|reduce_scatter|all_to_all|broadcast|collective_permute)\b",
            line)
        if not operation:
            continue
        if any(times is None for _, times in loops):
            raise ValueError(f"a collective runs as often as data says: {line.strip()}")
        kind = operation[1].removesuffix("_start")
        attributes, rest = without_attributes(line)
        group = re.search(r"\bgroup = \[([^\]]*)\]", attributes)
        axes = re.findall(r'"(\w+)"', group[1]) if group else names[:1]
        if unknown := [axis for axis in axes if axis not in mesh]:
            raise ValueError(f"the mesh {mesh} has no axis '{unknown[0]}': {line.strip()}")
        message = max(tensor_bytes(types) for types in rest.rsplit(" : ", 1)[1].split(" into "))
        ranks = math.prod(mesh[axis] for axis in axes)
        times = math.prod(times for _, times in loops)
        leaves = sent(kind, message, ranks)
        if sources := re.search(r" from \[([^\]]*)\]", rest):
            leaves = message * sum(source not in (-1, member)
                                   for member, source in enumerate(numbers(sources[1]))) / ranks
        found.append(Collective(kind, tuple(a for a in names if a in axes and mesh[a] > 1), message, leaves, times))
    return [c for c in found if c.sent]


# HLO

def groups_of(attributes):
    """Lists of devices that do a collective together."""
    if found := re.search(r"replica_groups=\{((?:\{[\d,]*\},?)+)\}", attributes):
        return [[int(n) for n in group.split(",")] for group in re.findall(r"\{([\d,]+)\}", found[1])]
    if found := re.search(r"replica_groups=\[(\d+),(\d+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", attributes):
        order = permuted(numbers(found[3]), numbers(found[4]) if found[4] else None)
        return cut(order, int(found[2]))
    if found := re.search(r"replica_groups=mesh\[([^\]]*)\](?:, device_ids=\(\[([\d,]+)\](?:T\(([\d,]+)\))?\))? "
                          r"\{([^}]*)\}", attributes):
        sizes = {name: int(size) for name, size in re.findall(r"'(\w+)'=(\d+)", found[1])}
        devices = (permuted(numbers(found[2]), numbers(found[3]) if found[3] else None) if found[2]
                   else range(math.prod(sizes.values())))
        return along(list(devices), sizes, re.findall(r"'(\w+)'", found[4]))
    raise ValueError(f"groups of a collective are not understood: {attributes[:200]}")


def numbers(text):
    return [int(n) for n in text.split(",")]


def permuted(dims, order):
    """0, 1, .. in rows of `dims`, whose dimensions go in another order."""
    order = order or range(len(dims))
    stride = [math.prod(dims[i + 1:]) for i in range(len(dims))]
    return [sum(at * stride[dim] for at, dim in zip(place, order))
            for place in itertools.product(*(range(dims[dim]) for dim in order))]


def cut(devices, size):
    return [devices[i:i + size] for i in range(0, len(devices), size)]


def along(devices, sizes, axes):
    """Groups of `devices`, in rows of a mesh, that differ along `axes` alone."""
    names = list(sizes)
    groups = {}
    for device, place in zip(devices, itertools.product(*(range(size) for size in sizes.values()))):
        groups.setdefault(tuple(at for at, name in zip(place, names) if name not in axes), []).append(device)
    return list(groups.values())


def axes_of(groups, mesh):
    """XLA divides axes, too."""
    wanted = {frozenset(group) for group in groups}
    names = [axis for axis, size in mesh.items() if size > 1]
    for count in range(len(names) + 1):
        for axes in itertools.combinations(names, count):
            if {frozenset(group) for group in along(list(range(math.prod(mesh.values()))), mesh, axes)} == wanted:
                return axes
    return ("part of axes",)


def hlo_bytes(shape):
    return sum(math.prod(map(int, filter(None, dims.split(",")))) * BYTES[element]
               for element, dims in re.findall(r"\b([a-z]+\d*)\[([\d,]*)\]", shape))


def hlo_computations(text):
    """{name: lines}, and the name of the one that is run."""
    found, entry, lines = {}, None, None
    for line in text.splitlines():
        if head := re.match(r"(ENTRY )?%?([\w.\-]+) \(.*\{$", line):
            lines = found[head[2]] = []
            entry = head[2] if head[1] else entry
        elif lines is not None and line.startswith("  "):
            lines.append(line)
    return found, entry


def xla_traffic(text, mesh):
    """`mesh` is that of the shardings, whose devices go by their numbers."""
    computations, entry = hlo_computations(text)
    devices, found = math.prod(mesh.values()), []

    def read(name, times):
        for line in computations[name]:
            operation = re.match(r"\s*(?:ROOT )?%?[\w.\-]+ = (.*?) ([a-z\-]+)\(", line)
            if not operation:
                continue
            shape, kind, more = operation[1], operation[2], line[operation.end():]
            if kind == "while":
                rounds = re.search(r'"known_trip_count":\{"n":"(\d+)"', more)
                body = re.search(r"body=%?([\w.\-]+)", more)[1]
                if not rounds and any(c for c in count(body)):
                    raise ValueError(f"a collective runs as often as data says: {line.strip()[:200]}")
                read(body, times * int(rounds[1]) if rounds else times)
            elif kind in ("call", "conditional", "async-start"):
                called = re.findall(r"(?:to_apply|calls|true_computation|false_computation)=%?([\w.\-]+)", more)
                for branches in re.findall(r"branch_computations=\{([^}]*)\}", more):
                    called += re.findall(r"[\w.\-]+", branches)
                for name_ in called:
                    read(name_, times)
            elif kind in ("all-reduce", "all-gather", "reduce-scatter", "all-to-all"):
                groups, whole = groups_of(more), hlo_bytes(shape)
                message = whole * (len(groups[0]) if kind == "reduce-scatter" else 1)
                kind = kind.replace("-", "_")
                found.append(Collective(kind, axes_of(groups, mesh), message, sent(kind, message, len(groups[0])),
                                        times))
            elif kind == "collective-permute":
                pairs = re.search(r"source_target_pairs=\{((?:\{\d+,\d+\},?)+)\}", more)[1]
                moved = sum(a != b for a, b in re.findall(r"(\d+),(\d+)", pairs))
                found.append(Collective("collective_permute", tuple(a for a, n in mesh.items() if n > 1),
                                        hlo_bytes(shape), hlo_bytes(shape) * moved / devices, times))
            elif re.match(r"(all-|reduce-scatter|collective-|ragged-)", kind):
                raise ValueError(f"a collective of XLA that is not counted here: {line.strip()[:200]}")

    def count(name):
        return [line for line in computations[name]
                if re.search(r" (all-\w+|reduce-scatter|collective-permute)\(", line)]

    read(entry, 1)
    return [c for c in found if c.sent]
