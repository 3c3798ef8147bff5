"""The configuration of a process, as MindSpore's scripts set it: the starting point of every Runner.

The table of keys is the compiler's (config_keys.py is generated from it), so a value that ds-run would refuse is
refused where it is set.
"""
import difflib
import json
import re
from typing import Any

from .config_keys import KEYS

_context: dict[str, Any] = {}


def _mistake(key, value):
    row = KEYS[key]
    elsewhere = f"; {row['instead']}" if row["built"] is None and row["instead"] else ""
    raise ValueError(f"'{key}' must be {_expected(row)}, got {value!r}{elsewhere}")


def _expected(row):
    match row["kind"]:
        case "Flag": return "True or False"
        case "Word": return "one of " + ", ".join(row["words"])
        case "Indices": return "a list of integers from 0, ascending and not empty"
    return row["values"] if row["kind"] != "Number" else "an integer, " + row["values"]


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


_FUSION = r"all|none|auto|size:[1-9]\d*"


def _is_fusion(value):
    """True if the compiler can read it: text, or MindSpore's dictionary. ds-run checks sizes and indices."""
    if isinstance(value, str):
        first, *rest = value.split(";")
        parts = [first] * ("=" in first) + rest
        return ("=" in first or re.fullmatch(rf"{_FUSION}|index|ddp|size:\d+:\d+", first)) \
            and all(re.fullmatch(rf"(allgather|reducescatter)=({_FUSION})", part) for part in parts)
    if not isinstance(value, dict) or not value:
        return False
    if value.keys() <= {"mode", "config"}:
        return _is_entry(value, ("auto", "size", "index", "all", "none", "ddp"))
    return all(isinstance(entry, bool) if name == "openstate" else name in ("allreduce", "allgather", "reducescatter")
               and _is_entry(entry, ("auto", "size", "all", "none") + ("index", "ddp") * (name == "allreduce"))
               for name, entry in value.items())


def _is_entry(entry, modes):
    if not isinstance(entry, dict) or not entry.keys() <= {"mode", "config"} or entry.get("mode") not in modes:
        return False
    config = entry.get("config")
    if entry["mode"] == "size":
        return _is_integer(config) and config >= 1
    return entry["mode"] != "index" or isinstance(config, (list, tuple))


def _checked(key, value):
    """Returns the value in the form that ds-run reads, or raises a ValueError that names the expected values."""
    row = KEYS[key]
    match row["kind"]:
        case "Flag":
            good = isinstance(value, bool)
        case "Number":
            least, most = row["range"]
            good = _is_integer(value) and least <= value <= most and not (row["hole"] and value in (0, 1))
        case "Word":
            value = str(getattr(value, "value", value)).rsplit(".", 1)[-1].lower()
            good = value in row["words"]
        case "Text":
            good = isinstance(value, str) and bool(value)
        case "Indices":
            value = list(value) if isinstance(value, (list, tuple)) else value
            good = (isinstance(value, list) and value and all(_is_integer(i) and i >= 0 for i in value)
                    and all(a < b for a, b in zip(value, value[1:])))
        case "Fusion":
            good = _is_fusion(value)
        case "Mesh" | "Sizes":
            value = ",".join(f"{name}={size}" for name, size in value.items()) if isinstance(value, dict) else value
            value = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
            good = isinstance(value, str) and bool(re.fullmatch(r"[\w.]+=\d+(,[\w.]+=\d+)*", value))
            value = f"[{value}]"
        case "Update" | "Compression":  # ds-run reads the rest
            value = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
            good = isinstance(value, str) and bool(value.strip())
            value = f"[{value}]"
        case "Duration":
            good = isinstance(value, str) or _is_integer(value)
    if not good:
        _mistake(key, value)
    if row["built"] is not None and _text(value) not in row["built"]:
        raise ValueError(f"'{key} = {_text(value)}' is not built; {row['instead']}")
    return value


def _known(key):
    if key in KEYS:
        return
    near = difflib.get_close_matches(key, KEYS, 1)
    raise ValueError(f"unknown configuration key '{key}'" + (
        f", did you mean '{near[0]}'?" if near else f", expected one of {', '.join(KEYS)}"))


def _text(value):
    if isinstance(value, (dict, list, tuple, bool)):
        return json.dumps(value)
    return str(value)


def assignments(config):
    """Returns the text of --config: key=value,key=value."""
    return ",".join(f"{key}={_text(value)}" for key, value in config.items())


def context():
    """Returns a copy of the keys that are set."""
    return dict(_context)


def set_auto_parallel_context(**keys: Any) -> None:
    """Sets keys of the configuration for every run that this process starts afterwards.

    None of them is set where one is wrong. An argument `config=` of a run goes over them. The keys:

"""
    keys = dict(keys)
    # Its entries are keys of their own.
    for key, value in (keys.pop("parallel_optimizer_config", None) or {}).items():
        keys[key] = value
    for key in keys:
        _known(key)
    _context.update({key: _checked(key, value) for key, value in keys.items()})


def get_auto_parallel_context(key: str) -> Any:
    """The value of a key that is in force: the one set, else its default, or None where it has none.

    The keys:

"""
    _known(key)
    if key in _context:
        return _context[key]
    if key == "batch" and _context.get("parallel_mode") == "auto_parallel" and not _context.get("cross_batch"):
        return "global"
    row = KEYS[key]
    if not row["default"]:
        return None
    text = str(row["default"])
    return text == "true" if row["kind"] == "Flag" else int(text) if row["kind"] == "Number" else text


def reset_auto_parallel_context() -> None:
    """Resets every key that set_auto_parallel_context has set."""
    _context.clear()


def _describe(key):
    row = KEYS[key]
    built = "" if row["built"] is None else f" Built: {', '.join(row['built']) or 'nothing'}; {row['instead']}."
    return f"    {key} ({row['type']}, {row['default'] or 'not set'}): {row['effect']}.{built}"


for _function in (set_auto_parallel_context, get_auto_parallel_context):
    _function.__doc__ = (_function.__doc__ or "") + "\n".join(map(_describe, KEYS)) + "\n    "
