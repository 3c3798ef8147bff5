"""torch._foreach_*: an operation of many tensors, as that operation of each."""
import torch

aten = torch.ops.aten
# Operations that differ from the function of torch with the same name.
OTHERS = {
    "norm": lambda x, order=2, dtype=None: torch.linalg.vector_norm(x, order, dtype=dtype),
    "powsum": lambda x, order=2, dtype=None: (x if dtype is None else x.to(dtype)).abs().pow(order).sum(),
    "copy": lambda x, source, non_blocking=False: source.to(x.dtype).expand(x.shape),
    "zero": torch.zeros_like,
    "addcdiv": lambda x, a, b, value=1: x + value * (a / b),
    "addcmul": lambda x, a, b, value=1: x + value * (a * b),
    "maximum": lambda x, other: torch.maximum(x, other) if isinstance(other, torch.Tensor)
    else torch.clamp_min(x, other),
    "minimum": lambda x, other: torch.minimum(x, other) if isinstance(other, torch.Tensor)
    else torch.clamp_max(x, other),
}


def _of_each(operation, function):
    """Returns `operation` by `function` of one tensor. Lists, and a tensor of numbers, hold one value for each tensor;
    other arguments apply to all."""
    def run(*arguments, **options):
        many = {a.name: str(a.type) in ("List[Tensor]", "List[number]") or a.name == "scalars"
                for a in operation._schema.arguments}
        count = len(next(v for v in arguments if isinstance(v, (list, tuple))))
        one = lambda name, value, i: value[i] if many[name] else value
        names = [a.name for a in operation._schema.arguments]
        return [function(*(one(n, v, i) for n, v in zip(names, arguments)),
                         **{n: one(n, v, i) for n, v in options.items()}) for i in range(count)]
    return run


def table():
    found = {}
    every = {n.split("::")[1].split(".")[0] for n in torch._C._dispatch_get_all_op_names()
             if n.startswith("aten::_foreach_")}
    for packet in sorted(n for n in every if not n.endswith("_")):
        name = packet.removeprefix("_foreach_")
        function = OTHERS.get(name) or getattr(torch, name, None)
        for overload in getattr(aten, packet).overloads() if function else ():
            operation = getattr(getattr(aten, packet), overload)
            if not operation._schema.is_mutable:
                found[operation] = _of_each(operation, function)
    return found
