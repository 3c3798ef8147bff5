"""An optimizer outside of torch.optim as a pure function: any state, any initial value, any numbers of its own.

Copies of it take three steps with artificial gradients, which show its state and the changing parts of it. State whose
initial values do not depend on gradients starts with these; if the first step differs from later ones, the exported
step computes both, and a flag selects. Then the function takes the same steps beside a copy; a difference is refused by
name.
"""
import torch
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from ...base.errors import FrontendError
from ..base import checks, hooks, watch
from ..functions import exporting, uncompiled
from . import counts, structure
from .structure import is_number, kind, refusal, spelled

STARTED = ("optimizer", "started")
STEPS = 3
FILLED = {"zeros", "zeros_like", "ones", "ones_like", "full", "full_like", "new_zeros", "new_ones", "new_full", "eye", "lift_fresh", "arange"}


class More(Exception):
    """A leaf changes in a step, but did not in the sampled ones."""


class _Filled(TorchDispatchMode):
    """Records the values of tensors that are created from a shape alone."""

    def __init__(self):
        super().__init__()
        self.made = []

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        result = function(*arguments, **(options or {}))
        if function._schema.name.split("::")[-1] in FILLED and isinstance(result, torch.Tensor):
            self.made.append((result, result.clone()))
        return result


class Taken:
    """A copy of an optimizer with parameters of its own, by name."""

    def __init__(self, optimizer, names, like=None):
        memo = {}
        try:
            self.optimizer = structure.copied(optimizer, memo)
        except Exception as error:
            raise refusal(optimizer, f"cannot be copied ({type(error).__name__}: {error}), expected tensors, numbers and plain objects as its attributes") from error
        self.parameters = {n: memo[key] for key, n in names.items() if key in memo}
        self.names = {id(p): n for n, p in self.parameters.items()}
        # One kernel per tensor, which gives the same numbers as one for many tensors.
        structure.walk(self.optimizer, self.names, lambda path, leaf: False if path[-1] in structure.KERNELS else leaf)
        if like is not None:
            for n, p in self.parameters.items():
                p.data.copy_(like.parameters[n].data)

    def step(self, gradients):
        for n, p in self.parameters.items():
            p.grad = gradients[n].clone() if n in gradients else None
        with torch.no_grad(), uncompiled(), torch.random.fork_rng(devices=[]):
            try:
                hooks.stepped(self.optimizer, self.optimizer, step_of(self.optimizer))
            except FrontendError:
                raise
            except Exception as error:
                raise refusal(self.optimizer, f"cannot take a step from gradients alone ({type(error).__name__}: {error}); expected a step that calls "
                              "no closure and differentiates nothing. One that computes the loss again is a loss function with both passes "
                              "and the optimizer inside of it") from error

    def leaves(self):
        return structure.leaves(self.optimizer, self.names)


def step_of(optimizer):
    """Returns `step` without the wrapper that calls profilers and hooks."""
    step = type(optimizer).step
    return getattr(step, "__wrapped__", step) if getattr(step, "hooked", False) else step


def _tensor(value):
    return value if isinstance(value, torch.Tensor) else counts.number(value)


def _same(a, b):
    return a.shape == b.shape and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))


class Foreign:
    """`state` is {(owner, key): value before the first step}; `update` computes the next one."""

    def __init__(self, optimizer, names, trained):
        self.optimizer, self.names, self.trained = optimizer, names, trained
        self.start = Taken(optimizer, names)
        # {path: key} of results that belong to no parameter, once parameters are run one by one.
        self.alike = None
        self.carried = self._sample()
        self._begin()
        for _ in range(1000):
            try:
                self._check()
                break
            except More as more:
                self.carried.append(more.args[0])
                self._begin()

    def _gradients(self, number):
        generator = torch.Generator().manual_seed(number)
        return {n: (torch.randn(p.shape, generator=generator) * 0.1).to(p.dtype) for n, p in self.start.parameters.items() if n in self.trained}

    def _sample(self):
        """Takes steps; returns the paths of the leaves that change."""
        taken = Taken(self.optimizer, self.names)
        self.before = self.start.leaves()
        untrained = {n: p.detach().clone() for n, p in taken.parameters.items() if n not in self.trained}
        self.values, written = [], set()
        with _Filled() as self.filled:
            taken.step(self._gradients(1))
        filled = {t.untyped_storage()._cdata: value for t, value in reversed(self.filled.made)}  # the first value of each
        tensors = {path: leaf for path, leaf in taken.leaves().items() if isinstance(leaf, torch.Tensor)}
        found = {path: filled.get(leaf.untyped_storage()._cdata) for path, leaf in tensors.items()}
        self.filled = {path: value for path, value in found.items() if value is not None and value.shape == tensors[path].shape}
        self.template = Taken(taken.optimizer, taken.names)
        self.after = taken.leaves()
        for number in range(2, STEPS + 2):
            found = taken.leaves()
            self.values.append({path: leaf.item() if isinstance(leaf, torch.Tensor) and leaf.dim() == 0 else leaf for path, leaf in found.items() if
                                is_number(leaf) or isinstance(leaf, torch.Tensor) and leaf.dim() == 0})
            if number > STEPS:
                break
            tensors = {path: leaf for path, leaf in found.items() if isinstance(leaf, torch.Tensor)}
            with watch.Watch(tensors) as watched:
                taken.step(self._gradients(number))
            then = taken.leaves()
            for path in [*found, *(p for p in then if p not in found)]:
                if path not in then or path not in found or kind(found[path]) != kind(then[path]):
                    raise refusal(self.optimizer, f"keeps '{'.'.join(spelled(path))}' as another kind of value in every step, expected tensors and numbers "
                                  "of fixed shapes")
            written |= set(watched.changed({path: then[path] for path in tensors}))
        for n, p in untrained.items():
            if not torch.equal(taken.parameters[n], p):
                raise refusal(self.optimizer, f"changes '{n}', which has no gradient, expected updates of what the loss depends on")
        seen, paths = set(), []
        for path, leaf in self.after.items():
            if isinstance(leaf, torch.Tensor) and id(leaf) not in seen:
                seen.add(id(leaf))
                paths += [path] if path in written or path not in self.before or spelled(path)[0] != "optimizer" else []
            elif is_number(leaf) and len({values[path] for values in (*self.values, self.before) if path in values}) > 1:
                paths.append(path)
        return paths

    def _begin(self):
        """Finds the state before the first step, and whether the first step differs from later ones."""
        self.numbers = {path: type(self.after[path]) for path in self.carried if is_number(self.after[path])}
        self.keys = {path: spelled(path) for path in self.carried}
        if len(set(self.keys.values())) < len(self.keys):
            self.keys = {path: (spelled(path)[0], ".".join(map(str, path))) for path in self.carried}
        self.paths = {key: path for path, key in self.keys.items()}
        shaped = {path: kind(leaf) for path, leaf in self.after.items()}
        self.another = {path: kind(leaf) for path, leaf in self.before.items()} != shaped
        initial = {path: _tensor(self.before[path]) for path in self.carried if path in self.before and kind(self.before[path]) == shaped[path]}
        if self.another:
            guessed = {path: initial[path] if path in initial else self._guess(path) for path in self.carried}
            self.another = not self._begins(guessed)
            initial = {path: guessed[path] if not self.another else initial.get(path, torch.zeros_like(guessed[path])) for path in self.carried}
        self.state = {self.keys[path]: value.detach().clone() for path, value in initial.items()}
        if self.another:
            self.state[STARTED] = torch.zeros(())

    def _guess(self, path):
        """Returns a possible value before the first step."""
        if path in self.numbers:
            one, two, three = (values[path] for values in self.values[:3])
            return counts.number(2 * one - two if two - one == three - two else one)
        found = self.filled.get(path)
        return torch.zeros_like(self.after[path]) if found is None else found

    def _begins(self, initial):
        """True if a step from these values equals the first step exactly."""
        real, other = Taken(self.optimizer, self.names), Taken(self.template.optimizer, self.template.names, like=self.start)
        restore = {path: self._plain(path, value) for path, value in initial.items()}
        structure.walk(other.optimizer, other.names, lambda path, leaf: restore.get(path, leaf))
        gradients = self._gradients(7)
        real.step(gradients)
        other.step(gradients)
        ended, begun = real.leaves(), other.leaves()
        return ended.keys() == begun.keys() and all(_same(p, other.parameters[n]) for n, p in real.parameters.items()) and all(
            _same(_tensor(ended[path]), _tensor(begun[path])) for path in self.carried)

    def _plain(self, path, value):
        """Returns a value in the type that the optimizer holds."""
        if path not in self.numbers:
            return value.detach().clone()
        value = float(value)
        return int(round(value)) if self.numbers[path] is int and value == round(value) else value

    def _check(self):
        """Takes steps beside a copy of the optimizer, and refuses a difference."""
        real, state = Taken(self.optimizer, self.names), dict(self.state)
        values = {n: p.detach().clone() for n, p in real.parameters.items() if n in self.trained}
        for number in range(1, STEPS + 1):
            gradients = self._gradients(number)
            real.step(gradients)
            values, state = self.update(values, gradients, state, {})
            ended = real.leaves()
            pairs = {n: (values[n], real.parameters[n].detach()) for n in values}
            pairs |= {".".join(key): (state[key], _tensor(ended[path])) for path, key in self.keys.items()}
            for name, (got, expected) in pairs.items():
                got, expected = got.double(), expected.double()
                if not torch.allclose(got, expected, rtol=1e-4, atol=1e-5 * float(expected.abs().max()) if expected.numel() else 0, equal_nan=True):
                    worst = (got - expected).abs().nan_to_num(float("inf")).argmax()
                    raise refusal(self.optimizer, f"computes something else where its numbers are tensors: in step {number} '{name}' is "
                                  f"{float(got.flatten()[worst]):.6g}, expected {float(expected.flatten()[worst]):.6g}")

    # The step.
    def update(self, parameters, gradients, state, hyper):
        """Returns new (parameters, state), like Own.update."""
        carried = {self.paths[key]: value for key, value in state.items() if key != STARTED}
        with exporting(False):
            values, left = self._explore(self.template, carried, parameters, gradients, hyper)
            if STARTED in state:
                there = {path: value for path, value in carried.items() if path in self.before}
                early = self._explore(self.start, there, parameters, gradients, hyper)
                values, left = _select(state[STARTED] > 0, (values, left), early)
        found = {self.keys[path]: value for path, value in left.items()}
        return values, {key: torch.ones_like(state[key]) if key == STARTED else found[key] for key in state}

    def _explore(self, template, carried, parameters, gradients, hyper):
        """Runs all parameters at once, or one by one if the data of each parameter decides a condition."""
        def run(decided, alone=None):
            return self._run(template, carried, parameters, gradients, hyper, decided, alone)

        try:
            return counts.explore(self.optimizer, run, _select)
        except counts.Many:
            self.alike = {}
        values, left = {}, {}
        for name in gradients:
            found, kept = counts.explore(self.optimizer, lambda decided: run(decided, name), _select)
            values[name] = found[name]
            left |= {path: value for path, value in kept.items() if self.keys[path][0] in (name, "optimizer")}
        return values, left

    def _run(self, template, carried, parameters, gradients, hyper, decided, alone):
        values = {name: value.clone() for name, value in parameters.items()}
        memo = {id(p): values[n] for n, p in template.parameters.items() if n in values}
        keys, before, made_of, given = {}, {}, {}, set()
        for path, leaf in template.leaves().items():
            if path in carried and isinstance(leaf, torch.Tensor):
                value = memo[id(leaf)] = carried[path].clone() if alone is None or self.keys[path][0] in (alone, "optimizer") else carried[path]
                made_of[path] = value
        with _disable_current_modes():
            made = structure.copied(template.optimizer, memo)
        names = {id(memo[id(p)]): n for n, p in template.parameters.items()}

        def put(path, leaf):
            value = leaf
            if path in carried:
                value = made_of[path] if path in made_of else carried[path].clone()
                if value.dim() == 0:
                    keys[id(value)] = self._class(path)
            elif len(path) > 2 and path[-3] == "param_groups":
                value = checks.given(self.optimizer, hyper, path[-2], path[-1], leaf)
                given.update([path] if value is not leaf else [])
            before[path] = value
            return value

        structure.walk(made, names, put)
        for group in made.param_groups if alone is not None else ():
            group["params"] = [p for p in group["params"] if names[id(p)] == alone]
        for name, gradient in gradients.items():
            values[name].grad = gradient.clone()
        with torch.no_grad(), uncompiled(), counts.Numbers(self.optimizer, keys, decided) as numbers:
            hooks.stepped(self.optimizer, made, step_of(made))
        after = structure.leaves(made, names)
        shared = {id(value) for value in made_of.values()}
        for path, leaf in after.items():
            if path in self.keys or path not in self.after:
                continue
            held = before[path] if template is self.template or path in given else self.after[path]
            if isinstance(leaf, torch.Tensor) or is_number(leaf):
                if leaf is not held and (isinstance(leaf, torch.Tensor) or leaf != held) and id(leaf) not in shared:
                    raise More(path)
            elif kind(leaf) != kind(held):
                raise refusal(self.optimizer, f"changes '{'.'.join(spelled(path))}' in some steps, which is no number, expected tensors and numbers")
        left = {}
        for path in self.keys:
            if alone is not None and self.keys[path][0] not in (alone, "optimizer"):
                continue
            if path not in after or not isinstance(after[path], torch.Tensor) and not is_number(after[path]):
                raise refusal(self.optimizer, f"keeps '{'.'.join(spelled(path))}' in some steps alone, expected the same in all")
            if alone is not None and self.keys[path][0] == "optimizer":
                self._agree(path, numbers.keys.get(id(after[path]), repr(after[path]) if is_number(after[path]) else None))
            like = counts.number(0) if path in self.numbers else self.after[path]
            left[path] = _tensor(after[path]).to(like.dtype)
        return {n: values[n] for n in gradients}, left

    def _agree(self, path, key):
        """Checks that a result that belongs to no parameter is the same, whichever parameter runs alone."""
        if key is None or self.alike.setdefault(path, key) != key:
            raise refusal(self.optimizer, f"decides by data about every parameter and what becomes of '{'.'.join(spelled(path))}', expected one of them")

    def _class(self, path):
        """Returns the class of a number: numbers of one name with the same values in all samples, each different, are
        equal."""
        taken = [values.get(path) for values in self.values]
        return (str(path[-1]), *taken) if len(set(taken)) == len(taken) else path

    # The user's objects.
    def held(self, optimizer, parameters):
        """Returns {(owner, key): value} of an optimizer's current state; None where there is none yet."""
        found = structure.leaves(optimizer, {id(p): n for n, p in parameters.items()})
        have = {key: _tensor(found[path]) if path in found and found[path] is not None else None for path, key in self.keys.items()}
        started = torch.tensor(float(all(v is not None for v in have.values()) and found.keys() >= self.after.keys()))
        return {key: started if key == STARTED else have[key] for key in self.state}

    def keep(self, optimizer, parameters, state):
        """Writes a state to an optimizer."""
        if STARTED in state and not state[STARTED]:
            return
        names, missing = {id(p): n for n, p in parameters.items()}, dict(self.keys)
        structure.merge(optimizer, self.template.optimizer, self.template.names, parameters)

        def put(path, leaf):
            if path not in self.keys:
                return leaf
            missing.pop(path, None)
            value = state[self.keys[path]]
            if isinstance(leaf, torch.Tensor):
                leaf.copy_(value)
                return leaf
            return self._plain(path, value)

        structure.walk(optimizer, names, put)
        if missing:
            raise refusal(self.optimizer, f"has no place for '{'.'.join(next(iter(missing.values())))}', which its step makes, expected what it keeps in lists, dictionaries and attributes")


def _select(condition, one, other):
    return tuple({key: torch.where(condition, value, b[key]) if value is not b[key] else value for key, value in a.items()} for a, b in zip(one, other))
