"""Operations that a trace meets again with tensors of the same shapes: the nodes of the first are copied.

An operation becomes nodes of the graph through several layers of PyTorch (functions without writes, decompositions,
types of fake tensors), which takes milliseconds. Layers and updates of parameters repeat the same operations, so most
of a deep model's trace is copies. Left out are operations that return views of an argument, write one or draw random
numbers, and those of constants.
"""
import torch
from torch._subclasses.fake_tensor import FakeTensor, in_kernel_invocation_manager
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.fx.experimental import proxy_tensor

KEPT = ("val", "tensor_meta")


def _is_pure(function):
    """True if the results are new tensors that depend on the arguments alone."""
    schema = function._schema
    return (function.namespace in ("aten", "ds")
            and not any(value.alias_info for value in (*schema.arguments, *schema.returns))
            and not function._can_decompose()
            and not {torch.Tag.nondeterministic_seeded, torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}
            & set(function.tags))


def _without_write(function):
    """Returns the pure operation of one that writes its first argument, such as add of add_; None if there is none."""
    packet = getattr(torch.ops.aten, function._schema.name.rpartition("::")[2].removesuffix("_"), None)
    pure = (getattr(packet, function._overloadname, None) if packet is not None
            and packet is not function.overloadpacket else None)
    written = [a.name for a in function._schema.arguments if a.alias_info is not None]
    same = pure is not None and [a.name for a in pure._schema.arguments] == [a.name for a in function._schema.arguments]
    return (pure if same and written == [function._schema.arguments[0].name] and pure is not torch.ops.aten.copy.default
            and _is_pure(pure) else None)


class _Unlike(Exception):
    """An argument that a copy cannot take."""


class Repeats:
    """Of one trace; `functional` is the mode whose tensors it makes."""

    def __init__(self, functional):
        self.functional, self.known, self.pure = functional, {}, {}

    def run(self, function, arguments, options, record):
        """Returns the results of an operation, by `record` if they are not copies."""
        mode = proxy_tensor.get_proxy_mode()
        if mode is None or not isinstance(function, torch._ops.OpOverload):
            return record()
        if function not in self.pure:
            self.pure[function] = function if _is_pure(function) else _without_write(function)
        pure = self.pure[function]
        if pure is None:
            return record()
        if pure is not function:
            return self._written(pure, arguments, options, record)
        nodes = []
        try:
            key = function, self._key((arguments, options), nodes, mode.tracer)
            found = self.known.get(key)
        except (_Unlike, TypeError):  # TypeError: a value that has no hash
            return record()
        if found:
            return self._copied(found, nodes, mode.tracer)
        graph = mode.tracer.graph
        last = graph._root._prev
        result = record()
        if key not in self.known:
            self.known[key] = self._made(last, graph._root, nodes, result, mode.tracer)
        return result

    def _written(self, pure, arguments, options, record):
        """Runs an operation that writes its first argument as one that does not, as PyTorch's functionalization
        does."""
        target = arguments[0]
        # A view is written by PyTorch, which writes its base as well.
        if (not isinstance(target, FunctionalTensor) or not target.is_base_tensor()
            or not isinstance(torch._from_functional_tensor(target.elem), FakeTensor)):
            return record()
        with self.functional:
            value = pure(*arguments, **options)
        if value.shape != target.shape or value.dtype != target.dtype or value.stride() != target.stride():
            return record()
        torch._functionalize_replace(target.elem, torch._from_functional_tensor(value.elem))
        torch._functionalize_commit_update(target.elem)
        torch._sync(target)
        return target

    def _key(self, value, nodes, tracer):
        """Returns what the nodes depend on; appends the nodes of tensors to `nodes`."""
        if isinstance(value, torch.Tensor):
            if not isinstance(value, FunctionalTensor):
                raise _Unlike
            torch._sync(value)
            held = torch._from_functional_tensor(value.elem)
            slot = proxy_tensor.get_proxy_slot(held, tracer, None)
            if not isinstance(held, FakeTensor) or slot is None or slot.constant is not None:
                raise _Unlike
            node = slot.proxy.node
            if node not in nodes:
                nodes.append(node)
            return nodes.index(node), held.shape, held.stride(), held.storage_offset(), held.dtype
        if isinstance(value, (list, tuple)):
            return tuple(self._key(each, nodes, tracer) for each in value)
        if isinstance(value, dict):
            return tuple((name, self._key(each, nodes, tracer)) for name, each in value.items())
        return type(value), value

    def _made(self, last, root, given, result, tracer):
        """Returns (nodes, the numbers of the results among them, whether there are several), or None if a copy would
        need more."""
        nodes, node = [], last._next
        while node is not root:
            nodes.append(node)
            node = node._next
        inside = set(nodes)
        several = isinstance(result, (list, tuple))
        results = []
        for value in result if several else (result,):
            held = isinstance(value, FunctionalTensor) and torch._from_functional_tensor(value.elem)
            slot = proxy_tensor.get_proxy_slot(held, tracer, None) if isinstance(held, FakeTensor) else None
            if slot is None or slot.constant is not None or slot.proxy.node not in inside:
                return None
            results.append((nodes.index(slot.proxy.node), held.shape, held.stride(), held.dtype))
        if any(n not in inside and n not in given for node in nodes for n in node.all_input_nodes):
            return None
        return nodes, given, results, type(result) if several else None

    def _copied(self, found, given, tracer):
        nodes, taken, results, several = found
        made = dict(zip(taken, given))
        for node in nodes:
            args, options = (torch.fx.node.map_arg(each, made.__getitem__) for each in (node.args, node.kwargs))
            name = (node.target if node.op == "get_attr"
                    else tracer.graph._target_to_str(node.target.overloadpacket.__name__)
                    if isinstance(node.target, torch._ops.OpOverload) else None)
            made[node] = tracer.graph.create_node(node.op, node.target, args, options, name)
            made[node].meta = {name: node.meta[name] for name in KEPT if name in node.meta}
        values = [self._tensor(made[nodes[at]], *form, tracer) for at, *form in results]
        return values[0] if several is None else several(values)

    def _tensor(self, node, shape, stride, dtype, tracer):
        shapes = node.meta["val"].fake_mode
        with in_kernel_invocation_manager(shapes):
            empty = torch.empty_strided(shape, stride, dtype=dtype, device="meta")
        held = FakeTensor(shapes, empty, torch.device("cpu"))
        proxy_tensor.set_proxy_slot(held, tracer, proxy_tensor._ProxyTensor(torch.fx.Proxy(node, tracer), None))
        return FunctionalTensor(torch._to_functional_tensor(held), self.functional)
