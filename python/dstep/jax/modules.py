"""Steps of modules as steps of arrays.

Equinox   parts of a module that are not arrays (functions, flags, numbers) stay outside of the step, as in
          eqx.partition.
Flax NNX  objects that the step changes in place are split into their states, which the step returns before its own
          results; after a step the caller's objects hold them (nnx.split, nnx.merge, nnx.update). A step that returns
          new objects works on pytrees directly.
"""
import functools
import sys

import jax

from ..base.errors import FrontendError


def library(name):
    """Returns a library if the program has imported it, else None."""
    return sys.modules.get(name)


def is_array(value):
    return hasattr(value, "shape") and hasattr(value, "dtype")


def is_module(value):
    """True for a module of Equinox."""
    equinox = library("equinox")
    return equinox is not None and isinstance(value, equinox.Module)


def is_object(value):
    """True for an object of NNX, which a step can change."""
    nnx = library("flax.nnx")
    return nnx is not None and isinstance(value, nnx.Pytree) and not isinstance(value, (nnx.State, nnx.Variable))


def holds(value, kind):
    return any(map(kind, jax.tree_util.tree_leaves(value, is_leaf=kind)))


def divided(tree):
    """Returns (arrays, the rest) of a tree; modules have None in place of the rest, and of the arrays."""
    part = lambda keep: jax.tree_util.tree_map(
        lambda m: jax.tree_util.tree_map(lambda x: x if is_array(x) == keep else None, m) if is_module(m) else m if keep
        else None,
                                               tree, is_leaf=is_module)
    return part(True), part(False)


def joined(arrays, rest):
    if not holds(arrays, is_module):
        return arrays
    combine = lambda a, b: library("equinox").combine(a, b) if is_module(a) else a
    return jax.tree_util.tree_map(combine, arrays, rest, is_leaf=lambda x: x is None or is_module(x))


def not_trained(tree):
    """Returns the paths of NNX variables that are not parameters: running statistics, moments, keys, counters."""
    nnx = library("flax.nnx")
    if nnx is None:
        return set()
    found = jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: isinstance(x, nnx.Variable))[0]
    return {path for path, value in found if isinstance(value, nnx.Variable) and not isinstance(value, nnx.Param)}


def as_tuple(value):
    return tuple(value) if type(value) in (tuple, list) else (value,)


class NewObject(Exception):
    """The step returns an object that is not one of its arguments."""


class Modules:
    """A step and the arguments of a call, with arrays in place of modules. `inside` are the positions of the arguments
    that the step changes in place; `called` is the step on arrays, whose results begin with the new states of
    `inside`."""

    def __init__(self, step, args):
        self.step, self.objects = step, [i for i, arg in enumerate(args) if holds(arg, is_object)]
        self.inside, self.returned = [], None
        self.graph, self.rest = self._split(args)[0], divided(tuple(args))[1] if holds(args, is_module) else None

    def _split(self, args):
        if not self.objects:
            return None, []
        graph, state = library("flax.nnx").split(tuple(args[i] for i in self.objects))
        return graph, [state[k] if k in state else {} for k in range(len(self.objects))]

    def as_pytrees(self, args, names):
        """Treats objects as pytrees, for a step that returns new ones. A variable in two places would become two."""
        nnx = library("flax.nnx")
        is_variable = lambda x: isinstance(x, nnx.Variable)
        variables = [v for i in self.objects for v in jax.tree_util.tree_leaves(args[i], is_leaf=is_variable)]
        if len({id(v) for v in variables}) < len(variables):
            raise FrontendError(f"{' and '.join(repr(names[i]) for i in self.objects)} have a variable of nnx in two "
                                "places, of which the step returns two values; change the objects in place, or split "
                                "them together (nnx.split)")
        self.objects, self.inside, self.graph = [], [], None

    def key(self):
        """Returns the parts of the arguments, other than arrays, that an export depends on."""
        hashed = lambda value: value if getattr(value, "__hash__", None) else id(value)
        return self.graph, tuple(map(hashed, jax.tree_util.tree_leaves(self.rest)))

    def arrays(self, args):
        args = list(args)
        for i, state in zip(self.objects, self._split(args)[1]):
            args[i] = state
        return divided(tuple(args))[0] if self.rest is not None else tuple(args)

    def whole(self, arrays):
        """Returns the arguments made of these arrays."""
        args = list(joined(arrays, self.rest) if self.rest is not None else arrays)
        if self.objects:
            nnx = library("flax.nnx")
            made = nnx.merge(self.graph, nnx.State({k: args[i] for k, i in enumerate(self.objects)}))
            for i, value in zip(self.objects, made):
                args[i] = value
        return tuple(args)

    @property
    def called(self):
        if not self.objects and self.rest is None:
            return self.step

        @functools.wraps(self.step)
        def called(*arrays):
            args = self.whole(arrays)
            given = self.step(*args)
            outputs = as_tuple(given)
            same = [next((i for i in self.objects if args[i] is output), None) for output in outputs]
            outputs = tuple(None if i is not None else output for output, i in zip(outputs, same))
            if self.objects and holds(outputs, is_object):
                raise NewObject
            outputs, rest = divided(outputs)
            self.returned = type(given) in (tuple, list), same, rest
            return (*self._states(arrays, args), *outputs)
        return called

    def _states(self, arrays, args):
        if not self.inside:
            return []
        graph, states = self._split(args)
        structure = jax.tree_util.tree_structure
        if graph != self.graph or any(structure(state) != structure(arrays[i])
                                      for i, state in zip(self.objects, states)):
            raise FrontendError("the step changes more of an object of nnx than the values of its variables (its mode, "
                                "another attribute, new ones as sow makes), expected that before the step, or nnx.pop "
                                "in it")
        return [states[self.objects.index(i)] for i in self.inside]

    def update_objects(self, args, outputs):
        """Returns the step's own results for these arguments, and updates the objects among them."""
        if self.returned is None:
            return outputs
        several, same, rest = self.returned
        if self.inside:
            nnx = library("flax.nnx")
            nnx.update(tuple(args[i] for i in self.inside), nnx.State(dict(enumerate(outputs[:len(self.inside)]))))
        outputs = joined(tuple(outputs[len(self.inside):]), rest)
        outputs = tuple(output if i is None else args[i] for output, i in zip(outputs, same))
        return outputs if several else outputs[0]
