"""Lines of the user's code: of writes, found in the source text, and of random draws, found while they run."""
import ast
import functools
import inspect
import re
import sys
import textwrap

from .objects import is_own, random_states

MUTATING = {"append", "appendleft", "extend", "insert", "pop", "popleft", "popitem", "update", "setdefault", "clear", "remove", "add", "discard", "put"}


@functools.cache
def _tree(code):
    """Returns (syntax tree, lines before it) of a function's code."""
    try:
        lines, first = inspect.getsourcelines(code)
        return ast.parse(textwrap.dedent("".join(lines))), first - 1
    except (OSError, TypeError, SyntaxError):
        return ast.Module([], []), 0


def _written(node):
    """Yields the expressions that a node writes to."""
    targets = []
    if isinstance(node, ast.Assign):
        targets = list(node.targets)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
        targets = [node.target]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (node.func.attr in MUTATING or node.func.attr.endswith("_")):
        targets = [node.func.value]
    elif isinstance(node, ast.Call) and any(getattr(node.func, kind, None) == "next" for kind in ("id", "attr")):
        targets = list(node.args[:1])
    while targets:
        target = targets.pop()
        yield target
        if isinstance(target, (ast.Tuple, ast.List)):
            targets += target.elts
        elif isinstance(target, (ast.Subscript, ast.Starred)) or isinstance(target, ast.Attribute) and target.attr in ("data", "grad"):
            targets.append(target.value)
        elif isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute):  # x.mul_(m).add_(y)
            targets.append(target.func.value)


def _is(target, key, of_item):
    if of_item:
        return isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == key
    return getattr(target, "attr", getattr(target, "id", None)) == key


def _called(node):
    """Returns the object of a method call in a list, or []."""
    return [node.func.value] if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else []


def writing(functions, name):
    """Returns 'FILE:LINE' where one of the functions writes the named value, such as encoder.calls or memo['h'], or
    else calls a method of it; None if none of them does."""
    keys = [(a or b, bool(a)) for a, b in re.findall(r"\['([^']*)'\]|([A-Za-z_]\w*)", name)]
    for of in (_written, _called):
        for key in keys[:-3:-1]:
            for function in functions:
                if function.__name__ != "__init__":
                    tree, before = _tree(function.__code__)
                    lines = [node.lineno for node in ast.walk(tree) if any(_is(target, *key) for target in of(node))]
                    if lines:
                        return f"{function.__code__.co_filename}:{before + min(lines)}"
    return None


def drawing(run, library):
    """Returns 'FILE:LINE' of the user's line in `run()` that is the first to draw random numbers of a library; None if
    nothing is drawn."""
    before, last, found = random_states()[library], "", []

    def look(frame, event, argument):
        nonlocal last
        if not is_own(frame.f_code.co_filename):
            return None
        if not found and random_states()[library] != before:
            found.append(last)
        here = frame.f_back if event == "return" else frame  # the caller's line goes on
        last = f"{here.f_code.co_filename}:{here.f_lineno}"
        return look

    tracing = sys.gettrace()
    sys.settrace(look)
    try:
        run()
    except Exception:  # draws before the exception count
        pass
    finally:
        sys.settrace(tracing)
    return found[0] if found else None
