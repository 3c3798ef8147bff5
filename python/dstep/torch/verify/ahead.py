"""Values that the loop keeps from step to step outside of the step's state, set far ahead: a branch on one may come
after the steps of a check.

Every number, tensor and list that changes in one step and again in later ones (a cache changes once) is set to a
possible value after many steps, and the loop's step is compared again. Values that the loop only writes, as for a log,
do not change the results.
"""
import collections

import torch

from ...base.errors import FrontendError
from . import causes
from .objects import PLAIN

# Numbers are advanced by this many steps, and lists get this many elements, but at most LONG.
STEPS = (1_000, 100_000)
LONG = 2_000


def _key(change):
    return id(change.holder), change.key


def _kept(value):
    return (value.detach().clone() if isinstance(value, torch.Tensor) else list(value)
            if isinstance(value, (list, collections.deque)) else value)


def _equal(a, b):
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape == b.shape and torch.equal(a, b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(x is y for x, y in zip(a, b))
    return a is b or type(a) is type(b) and isinstance(a, PLAIN) and a == b


def _later(value, steps):
    if isinstance(value, torch.Tensor):
        return ~value if value.dtype == torch.bool else value + steps
    return value + steps if type(value) in (int, float) else value


def _set(change, steps):
    """Sets a value to a possible one after `steps` steps."""
    holder, key, before, after = change
    if key is None:  # the change is of the holder itself
        if isinstance(holder, torch.Tensor):
            holder.data.copy_(_later(after, steps))
        elif isinstance(holder, (list, collections.deque)) and len(after) == len(before):
            for i, value in enumerate(after):
                holder[i] = value if value is before[i] else _later(value, steps)
        elif isinstance(holder, (list, collections.deque)) and after:
            holder.extend([after[-1]] * min(steps, LONG))
        return
    value = _later(after, steps)
    holder.__setitem__(key, value) if isinstance(holder, dict) else setattr(holder, key, value)


def _is_carried(capture, tensor):
    """True if a tensor shares memory with a parameter, or with a buffer that the step carries."""
    return isinstance(tensor, torch.Tensor) and any(tensor.untyped_storage()._cdata == value.untyped_storage()._cdata
                                                    for _, value in capture.leaves())


def _alike(first, second):
    return second is not None and len(first) == len(second) and all(
        a.shape == b.shape and torch.allclose(a, b, rtol=1e-4, atol=1e-6, equal_nan=True)
        for a, b in zip(first, second))


class Ahead:
    """The check, for a capture and the user's loop on `objects`."""

    def __init__(self, capture, objects, loop, batch):
        self.capture, self.objects, self.loop, self.batch, self.first = capture, objects, loop, batch, {}

    def note(self):
        """Notes the values kept outside of the state that the first step has changed."""
        self.first = {_key(c): _kept(c.after) for c in self.objects.hidden(self.capture)}

    def check(self):
        """Raises FrontendError if the loop's results depend on such a value. The loop has taken its last step."""
        kept = [c for c in self.objects.hidden(self.capture)
                if isinstance(c.after, (bool, int, float, torch.Tensor, list))
                and not _equal(self.first.get(_key(c)), _kept(c.after)) and not isinstance(c.holder, set)
                and not _is_carried(self.capture, c.holder)]
        values = [(c.holder, c.key, c.before, _kept(c.after)) for c in kept]
        base = self._results([], 0) if kept else None
        for steps in STEPS if kept else ():
            if _alike(base, self._results(values, steps)):
                continue
            change = next((c for c, value in zip(kept, values) if not _alike(base, self._results([value], steps))),
                          kept[0])
            raise FrontendError(f"the loop writes {causes.said(change)}{causes.written(change, self.objects)}, from "
                                "which something follows, though not in its first steps: the captured step has it as "
                                f"it was at the export; register it as a buffer; {causes.UNCHECKED}")

    def _results(self, changed, steps):
        """Returns the results of the loop's step with these values after `steps` steps; None if it fails with them."""
        self.objects.restore()
        with torch.no_grad():
            for value in changed:
                _set(value, steps)
        try:
            metrics, gradients, after = self.loop.turn(self.batch, 0)
        except FrontendError:
            raise
        except Exception:  # the loop fails with these values
            return None
        return [v.clone() for found in (metrics, gradients, after) for v in found.values()]
