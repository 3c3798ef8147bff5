"""Complex numbers as pairs of real ones, the form in which a step takes and returns them."""
import torch


def real(values):
    """Returns the values with complex ones as pairs; the pairs are views, so gradients flow back."""
    return [torch.view_as_real(v.resolve_conj()) if isinstance(v, torch.Tensor) and v.is_complex() else v
            for v in values]


def _is_complex(node):
    value = node.meta.get("example_value") if isinstance(node, torch.fx.Node) else None
    return isinstance(value, torch.Tensor) and value.is_complex()


def of_graph(module):
    """Returns (Dynamo's graph with pairs in place of its complex inputs and results, the numbers of these results)."""
    graph, results = module.graph, next(iter(reversed(module.graph.nodes)))
    for node in [n for n in graph.nodes if n.op == "placeholder" and _is_complex(n)]:
        with graph.inserting_after(node):
            whole = graph.call_function(torch.view_as_complex, (node,))
        node.replace_all_uses_with(whole, delete_user_cb=lambda user: user is not whole)
    found = results.args[0] if isinstance(results.args[0], (tuple, list)) else [results.args[0]]
    numbers = [k for k, node in enumerate(found) if _is_complex(node)]
    if numbers:
        with graph.inserting_before(results):
            given = [graph.call_function(torch.view_as_real, (node,)) if k in numbers else node
                     for k, node in enumerate(found)]
        results.args = (tuple(given),) if isinstance(results.args[0], (tuple, list)) else (given[0],)
    module.recompile()
    return module, numbers


def whole(outputs, numbers):
    """Returns the results, with those of these numbers complex again."""
    return [torch.view_as_complex(output) if k in numbers else output for k, output in enumerate(outputs)]
