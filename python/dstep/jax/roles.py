"""Roles and names of the leaves of a step's arguments, and the argument that each result updates. A *selector* names a
whole argument by position or name (`0`, "params") or a part of it by a dotted path ("state.params").
"""
import inspect

import jax
from jax.experimental import checkify

from ..base.errors import FrontendError
from .keys import is_key
from .mistakes import check_leaf, check_selectors
from .modules import not_trained


def dotted(path):
    """Returns 'Dense_0.kernel' for a key path; the name that checkpoints use."""
    return ".".join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", k)))) for k in path)


def argument_names(step, count):
    """Returns the names of the step's positional arguments."""
    try:
        parameters = list(inspect.signature(step).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    return names + [f"arg{i}" for i in range(len(names), count)]


def listed(selectors):
    return [selectors] if isinstance(selectors, (int, str)) else list(selectors or ())


class Leaf:
    """An array of the arguments: its position, its name and its role."""

    def __init__(self, argument, argument_name, path, value, trained=True):
        self.argument, self.value = argument, value
        self.trained = trained and not is_key(value)
        self.path = dotted(path)
        self.short = self.path or argument_name
        self.full = ".".join(filter(None, (argument_name, self.path)))
        self.role, self.dim, self.apart = "hyper", None, False

    @property
    def name(self):
        return self.full if self.role in ("param", "state") else self.short

    def below(self, selector):
        """Returns the path from the selected value to this leaf; None if the selector does not contain the leaf."""
        if isinstance(selector, int):
            return self.path if self.argument == selector else None
        if self.full == selector:
            return ""
        return self.full[len(selector) + 1:] if self.full.startswith(selector + ".") else None

    def matches(self, selector):
        return self.below(selector) is not None


def leaves_of(step, args):
    names = argument_names(step, len(args))
    leaves = []
    for i, (name, arg) in enumerate(zip(names, args)):
        kept = not_trained(arg)
        found = jax.tree_util.tree_flatten_with_path(arg)[0]
        for path, value in found:
            check_leaf(".".join(filter(None, (name, dotted(path)))), value)
        leaves += [Leaf(i, name, path, value, path[:-1] not in kept) for path, value in found]
    return names, leaves


def assign(names, leaves, what, selectors):
    """Gives a role to the leaves that the selectors name; every selector must name leaves without a role."""
    option = "params" if what == "param" else what
    for selector in listed(selectors):
        found = [leaf for leaf in leaves if leaf.matches(selector)]
        if isinstance(selector, int) and not 0 <= selector < len(names):
            raise FrontendError(f"{option}={selector} is no argument of the step, which has {len(names)}: "
                                f"{', '.join(names)}")
        if not found and (isinstance(selector, int) or selector in names):
            continue  # the argument has no arrays
        if not found:
            raise FrontendError(f"{option}='{selector}' names nothing in the step's arguments, which are "
                                f"{', '.join(names)}")
        for leaf in found:
            if leaf.role != "hyper":
                raise FrontendError(f"'{leaf.full}' is named as {what} and as {leaf.role}")
            # Keys, and NNX variables that are not parameters, become states beside the parameters around them.
            leaf.role = "state" if what == "param" and not leaf.trained and leaf.below(selector) else what


class NoSamples(tuple):
    """Takes the place of batch=: no argument holds samples, so the step runs on one device."""


NO_SAMPLES = NoSamples()


def assign_roles(names, leaves, batch, params, state, seed, samples=None, apart=()):
    check_selectors({"batch": batch, "params": params, "state": state, "seed": seed})
    dims = batch if isinstance(batch, dict) else {selector: 0 for selector in listed(batch)}
    if not dims and batch is not NO_SAMPLES:
        raise FrontendError("batch= names the arguments that hold samples, got none")
    if params is None:
        if "params" not in names:
            raise FrontendError(f"params= names the trainable arguments, got none and none of {', '.join(names)} is "
                                "'params'")
        params = "params"
    assign(names, leaves, "param", params)
    # Other values in an argument with parameters are carried from step to step with them.
    carried = {leaf.argument for leaf in leaves if leaf.role == "param"}
    assign(names, leaves, "seed", seed)
    for selector, dim in dims.items():
        before = {id(leaf) for leaf in leaves if leaf.role == "batch"}
        assign(names, leaves, "batch", selector)
        for leaf in leaves:
            if leaf.role == "batch" and id(leaf) not in before:
                leaf.dim = dim
    assign(names, leaves, "state", state)
    for leaf in leaves:
        if leaf.role == "hyper" and leaf.argument in carried:
            leaf.role = "state"
    for selector, dim in (samples or {}).items():
        for leaf in leaves:
            if leaf.role == "state" and leaf.matches(selector):
                leaf.dim = dim
    for selector in listed(apart):
        found = [leaf for leaf in leaves if leaf.role == "batch" and leaf.matches(selector)]
        if not found:
            raise FrontendError(f"apart='{selector}' names no batch argument of the step")
        for leaf in found:
            leaf.apart = True
    check_batch(leaves)
    check_names(leaves)


def check_batch(leaves):
    """Checks the batch arguments. An argument whose size is a multiple of the samples holds several entries for
    each."""
    sizes = {}
    for leaf in leaves:
        if leaf.dim is None:
            continue
        shape = jax.numpy.shape(leaf.value)
        what = "batch argument" if leaf.role == "batch" else "state"
        if leaf.dim not in range(len(shape)):
            lists = "; lists become arrays by np.asarray" if isinstance(leaf.value, (bool, int, float)) else ""
            raise FrontendError(f"{what} '{leaf.full}' has shape {shape}, expected a dimension {leaf.dim} that counts "
                                f"samples{lists}")
        sizes[leaf.full] = shape[leaf.dim]
        if not shape[leaf.dim]:
            raise FrontendError(f"{what} '{leaf.full}' holds no samples: its shape is {shape}")
    samples = min((leaf for leaf in leaves if leaf.role == "batch"), key=lambda leaf: sizes[leaf.full], default=None)
    for name, size in sizes.items() if samples else ():
        if size % sizes[samples.full]:
            raise FrontendError(f"batch arguments hold different numbers of samples: '{samples.full}' "
                                f"{sizes[samples.full]}, '{name}' {size}, which is no multiple; leave out of batch= "
                                "what holds no samples, and every rank has all of it")


def check_names(leaves):
    """Replaces short names of batches and hyper-parameters by full ones if two are equal."""
    count = {}
    for leaf in leaves:
        count[leaf.name] = count.get(leaf.name, 0) + 1
    for leaf in leaves:
        if leaf.role not in ("param", "state") and count[leaf.name] > 1:
            leaf.short = leaf.full


def carried_of(leaves):
    """Returns the positions of the arguments that hold parameters or states."""
    return sorted({leaf.argument for leaf in leaves if leaf.role in ("param", "state")})


def pair_results(names, leaves, args, outputs, results, forward, inside=()):
    """Returns the position of the updated argument for every output, or None for a metric. Arguments `inside` have
    their updates elsewhere.

    A forward function has no updates. `results`, if given, names the outputs. Otherwise the outputs begin with the
    carried arguments in order, or structures and types identify them; if no output has the types of an argument,
    structures alone, so that the error can name the difference.
    """
    for k, output in enumerate(outputs):
        if isinstance(output, checkify.Error):
            raise FrontendError(f"result {k} is an Error of checkify, expected the function that checkify.checkify was "
                                "given, whose checks are left out")
    if forward:
        return [None] * len(outputs)
    carried = [i for i in carried_of(leaves) if i not in inside]
    if results is not None:
        if len(results) != len(outputs):
            raise FrontendError(f"results= has {len(results)} names, but the step returns {len(outputs)} values")
        pairs = [names.index(r) if r in names and names.index(r) in carried else None for r in results]
    else:
        structure = jax.tree_util.tree_structure
        typed = lambda tree: (structure(tree),
                              tuple((jax.numpy.shape(v), str(jax.dtypes.result_type(v)))
                                    for v in jax.tree_util.tree_leaves(tree)))
        described = typed if {typed(args[i]) for i in carried} <= set(map(typed, outputs)) else structure
        wanted, given = [described(args[i]) for i in carried], list(map(described, outputs))
        if given[:len(wanted)] == wanted:
            pairs = carried + [None] * (len(outputs) - len(wanted))
        else:
            pairs = [None] * len(outputs)
            for tree in dict.fromkeys(wanted):
                at = [k for k, t in enumerate(given) if t == tree]
                of = [i for i, t in zip(carried, wanted) if t == tree]
                if len(at) > len(of):
                    raise FrontendError(f"results {', '.join(map(str, at))} could each be the new value of "
                                        f"'{names[of[0]]}'; results=('{names[of[0]]}', 'loss', ..) names them")
                for k, i in zip(at, of):
                    pairs[k] = i
    missing = [names[i] for i in carried if i not in pairs]
    if missing and results is not None:
        raise FrontendError(f"results= names {', '.join(map(repr, results))}, but not '{missing[0]}', whose new value "
                            "the step must return")
    if missing:
        raise FrontendError(f"no result has the structure of '{missing[0]}', so its new value is unknown; the step "
                            "must return it (results= names results)")
    return pairs


def pair_empty(pairs, args, outputs):
    """Pairs results without arrays, such as an empty state of an optimizer, with arguments of the same structure."""
    structure = jax.tree_util.tree_structure
    for k, output in enumerate(outputs):
        tree = structure(output)
        if pairs[k] is None and output is not None and not tree.num_leaves:
            pairs[k] = next((i for i, arg in enumerate(args) if i not in pairs and structure(arg) == tree), None)
