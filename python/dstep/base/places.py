"""Maps lines of a generated module to lines of the user's program: the user never sees the file that a front end makes
of a step."""
import contextlib
import contextvars
import re
import sysconfig

from .errors import PACKAGE

_LIBRARIES = (PACKAGE, sysconfig.get_path("stdlib"))
_PART = re.compile(r'"([^"\s]+)":(\d+):|(#loc\d*)')
_current: contextvars.ContextVar[dict[int, str] | None] = contextvars.ContextVar("places", default=None)


class _Locations:
    """Maps printed locations, some of which are aliases (#loc7), to the user's lines."""

    def __init__(self, lines):
        self.text = dict(line.split(" = ", 1) for line in lines if line.startswith("#loc"))
        self.known: dict[str, str] = {}

    def line_of(self, text):
        """Returns the innermost user's line that a location names; a chain of callers begins with the innermost."""
        if text not in self.known:
            self.known[text] = next(filter(None, map(self._line, _PART.finditer(text))), "")
        return self.known[text]

    def _line(self, part):
        file, line, alias = part.groups()
        if alias:
            return self.line_of(self.text.get(alias, ""))
        return "" if file == "-" or "-packages" in file or file.startswith(_LIBRARIES) else f"{file}:{line}"


def innermost(location):
    """Returns the user's line in the text of a location without aliases, or ""."""
    return _Locations(()).line_of(location)


def read(printed):
    """Returns {line of the module: the user's file and line} of a module printed with locations.

    Lines count as in the module printed without locations. An operation with a region has its location after the
    region. An operation without a location takes the line of its enclosing operation, and one in a function of a
    library the line of the first call of that function."""
    lines = printed.split("\n")
    locations, function, called, inside, around, found, opened, number = _Locations(lines), "", {}, {}, {}, {}, [], 0
    for text in lines:
        if text.startswith("#loc"):
            continue
        number += 1
        first = opened.pop() if text.lstrip().startswith("}") and opened else number
        around[number] = first if first != number else opened[-1] if opened else 0
        if text.endswith("{"):
            opened.append(first)
        if "func.func " in text and (name := re.match(r"\s*func\.func .*?@([^\s(]+)", text)):
            function = name[1]
            continue
        at = text.rfind(" loc(")
        if line := at >= 0 and locations.line_of(text[at:]):
            found[number] = found[first] = line
        else:
            inside[number] = function
        if "call @" in text and (callee := re.search(r"\bcall @([^\s(]+)\(", text)):
            called.setdefault(callee[1], (line, function))

    def caller(name):
        for _ in range(8):
            line, name = called.get(name, ("", ""))
            if line or not name:
                return line
        return ""

    of_functions = {name: caller(name) for name in set(inside.values())}
    for number, name in inside.items():  # the enclosing line comes first
        if line := found.get(number) or found.get(around[number]) or of_functions[name]:
            found[number] = line
    return found


@contextlib.contextmanager
def by_export(export):
    """Replaces places in messages about the export's module by the user's lines if the export knows them, else by
    none."""
    token = _current.set(getattr(export, "places", {}))
    try:
        yield
    finally:
        _current.reset(token)


def of(file, line, column):
    """Returns the place of a message of the library, or ""."""
    known = _current.get()
    place = f"{file}:{line}:{column}" if known is None else known.get(line)
    return f"{place}: " if place else ""
