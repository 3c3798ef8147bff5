"""Replicas of a model in the processes of a launched world: they start with the values of process 0, and stay
identical.

    begin       values that a compiled function reads for the first time are broadcast from process 0, as under
                DistributedDataParallel
    passed      before gradients are reduced: the numbers of optimizers and losses are compared in the first passes, and
                with the parameters' hashes in every Nth one (options={"compare": N})

Both are collective, like the reduction of gradients.
"""
import json
import zlib

import torch

from ...base.errors import RunError, warn
from ...session.exchange import exchange
from ...session.launch import named, started_by
from ..base import places
from . import outside

# Passes in which numbers are compared after new parameters: each function and optimizer has run by then.
FIRST = 4
passes, until = 0, 0


def config_of_process(given):
    """Returns the configuration of a process that is one rank: its own samples, masks of its own, and means of
    gradients, unless `given` has others."""
    own = {"decorrelate_seeds": True} if given.get("batch", "local") == "local" else {}
    return {"batch": "local", "gradients_mean": True} | own | given


def _bytes(tensor):
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy()


def _hash(data):
    return zlib.crc32(memoryview(data))


def _ranks(processes):
    return named([int(p) for p in processes], exchange().ranks)


def _others(column):
    """Returns the processes whose number differs from process 0's."""
    return (column != column[0]).nonzero()[0]


def _name(tensor):
    return outside.names({id(tensor)}).get(id(tensor), f"a tensor of shape {tuple(tensor.shape)}")


def begin(tensors, config=None):
    """Joins the world with the timeout of `config`, and broadcasts the values of process 0, which warns if another process
    had different ones."""
    global until
    until = passes + FIRST
    kinds = json.dumps([[list(t.shape), str(t.dtype)] for t in tensors])
    hashes = [_hash(_bytes(t)) for t in tensors]
    rows = exchange(config).rows([_hash(kinds.encode()), _hash(json.dumps(hashes).encode())])
    if (rows[:, 0] != rows[0, 0]).any():
        raise RunError(f"{_ranks(_others(rows[:, 0]))} computes with parameters and buffers of other shapes or types than "
                       "rank 0, expected one model in all processes")
    if (rows[:, 1] == rows[0, 1]).all():
        return
    rows = exchange().rows(hashes)
    unlike = [t for t, is_unlike in zip(tensors, (rows != rows[0]).any(0)) if is_unlike]
    data = torch.cat([torch.from_numpy(_bytes(t)) for t in unlike])
    exchange().first(data.numpy())
    with torch.no_grad():
        for tensor, part in zip(unlike, data.split([t.nbytes for t in unlike])):
            tensor.copy_(part.clone().view(tensor.dtype).reshape(tensor.shape))
    if started_by()[0] == 0:
        more = f" and of {len(unlike) - 1} more" if len(unlike) > 1 else ""
        ranks = _ranks((rows != rows[0]).any(1).nonzero()[0])
        warn(f"the first values of '{_name(unlike[0])}'{more} differ on {ranks}: those of process 0 begin for all")


# Numbers that affect training.
def _written(value):
    """Returns a number as text, or None for other kinds of options."""
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        value = value.item()
    if isinstance(value, (tuple, list)):
        parts = [_written(each) for each in value]
        return None if None in parts else f"({', '.join(parts)})"
    return repr(value) if isinstance(value, (bool, int, float, str)) else None


def _options(optimizers):
    """Returns [(description, text)] of the optimizers' options."""
    found = []
    for optimizer in optimizers:
        groups = optimizer.param_groups
        for number, group in enumerate(groups):
            of = f" of group {number}" * (len(groups) > 1) + f" of {type(optimizer).__name__}"
            found += [(f"'{name}'{of}", _written(value)) for name, value in group.items() if name != "params"]
    return [(name, text) for name, text in found if text is not None]


def constants(module):
    """Returns [(description, text)] of the floats in a graph of Dynamo, for example weights of losses."""
    found = []
    for node in module.graph.nodes:
        for value in torch.utils._pytree.tree_leaves((node.args, node.kwargs)):
            if isinstance(value, float):
                found.append((f"a number of the compiled function{places.of(node)}", repr(value)))
    return found


def _refuse(items, what):
    """Raises RunError for the first item that differs from rank 0's; the texts of the processes differ."""
    texts = [json.loads(text) for text in exchange().texts(json.dumps(items))]
    for k, (name, mine) in enumerate(texts[0]):
        values = [text[k][1] if k < len(text) and text[k][0] == name else "not there" for text in texts]
        other = next((value for value in values if value != mine), None)
        if other is not None:
            ranks = _ranks([rank for rank, value in enumerate(values) if value == other])
            raise RunError(f"the processes train with other numbers: {name} is {other} on {ranks}, but {mine} on rank 0; {what}")
    counts = [len(text) for text in texts]
    raise RunError(f"the processes train with other numbers: rank 0 has {counts[0]} of them, others up to {max(counts)}; {what}")


def _common(things):
    """Returns the things of {number: thing} that all processes still have: they collect garbage at different times."""
    numbers = json.dumps(list(things))
    rows = exchange().rows([_hash(numbers.encode())])
    if (rows != rows[0]).any():
        common = set.intersection(*(set(json.loads(text)) for text in exchange().texts(numbers)))
        things = {number: thing for number, thing in things.items() if number in common}
    return list(things.values())


def passed(number, trained, describe=lambda: ([], [])):
    """Compares processes before gradients are reduced, in the first passes and in every `number`th one. trained()
    returns {number: parameter}, and {number: optimizer} that steps with some of them; describe() returns the shapes of
    a call, and the numbers that belong to its loss, which may differ if samples have other shapes."""
    global passes
    passes += 1
    is_whole = bool(number) and passes % number == 0
    if not is_whole and (passes > until or not number):
        return
    (held, optimizers), (shapes, items) = map(_common, trained()), describe()
    options, hashes = _options(optimizers), [_hash(_bytes(p)) for p in held] if is_whole else []
    rows = exchange().rows([_hash(json.dumps(value).encode()) for value in (options, shapes, items, hashes)])
    if (rows[:, 0] != rows[0, 0]).any():
        _refuse(options, "give all optimizers the same, a scheduler that looks at a metric that of all processes")
    if (rows[:, 1] == rows[0, 1]).all() and (rows[:, 2] != rows[0, 2]).any():
        _refuse(items, "what depends on the samples of a process is given as a tensor")
    if (rows[:, 3] != rows[0, 3]).any():
        rows = exchange().rows(hashes)
        first = int((rows != rows[0]).any(0).argmax())
        raise RunError(f"the processes have parted: '{_name(held[first])}' is not the same on {_ranks(_others(rows[:, first]))} "
                       f"as on rank 0 after {passes} passes; something has written it, or added to its gradient, in one "
                       "process otherwise than in the others (compare=0 does not look)")
