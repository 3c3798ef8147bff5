"""What becomes of a script: equal, refused in one sentence, or a finding."""

import re

import numpy as np

ORDER = ("equal", "refused", "traceback", "wrong", "hang")  # of several ways the worst one counts
OURS = ("dstep.base.errors.RunError", "dstep.base.errors.FrontendError")
INTERNAL = re.compile(
    r"step\.mlir|\bl_[a-z]\w*_|\bL\[|Traceback|SymInt|symint|\bFakeTensor|<unknown>|loc\(|\barg\d+_\d+|%\w+ = "
    r"|tensor<|\bNone has no|object at 0x|\baten\.|prims\.|l_args|l_kwargs"
)
CURE = re.compile(r"expected|; |, but |leave|use |give|take|register|put|write|call|compile|pad|instead|name")


# How far a value may be off, of the largest of its name or of the floor: optimizers make steps of rounding.
TOLERANCES = {"float64": (1e-6, 1.0), "float32": (2e-3, 1e-2)}


def difference(got, expected, dtype):
    """None, or the first value that differs, of two {name: list}."""
    tolerance, floor = TOLERANCES[dtype]
    if set(got) != set(expected):
        return f"{sorted(set(got) ^ set(expected))} are on one side only"
    for name, value in expected.items():
        found, wanted = np.asarray(got[name], float), np.asarray(value, float)
        if found.shape != wanted.shape:
            return f"'{name}' has shape {found.shape}, expected {wanted.shape}"
        if not wanted.size:
            continue
        if not np.array_equal(np.isfinite(found), np.isfinite(wanted)):
            return f"'{name}' is {found.ravel()[:3]}, expected {wanted.ravel()[:3]}"
        off = np.abs(np.nan_to_num(found - wanted)) / max(floor, np.abs(np.nan_to_num(wanted)).max())
        if off.max() > tolerance:
            at = int(off.argmax())
            return f"'{name}' is {found.ravel()[at]:.9g}, expected {wanted.ravel()[at]:.9g}"
    return None


def fault_of(sentence):
    """What is wrong with a refusal, or None: it has to be one sentence with a cure, in the words of the script."""
    inside = INTERNAL.search(sentence)
    if inside:
        return f"names '{inside[0]}', which is not the script's"
    if "\n" in sentence.strip():
        return "has several lines"
    if not CURE.search(sentence):
        return "does not say what to do"
    if len(sentence) > 700:
        return f"has {len(sentence)} characters"
    return None


def of_error(error):
    """(verdict, text) of [(class, text)] of an error and its causes."""
    for kind, text in error:
        inner = re.search(r"raised:\n?(?:\w+\.)*(FrontendError|RunError|ValueError): (.*?)(?:\n\n|\Z)", text, re.S)
        if kind in OURS or inner:
            sentence = inner[2].strip() if inner else text
            fault = fault_of(sentence)
            return ("traceback", f"a refusal {fault}: {sentence}") if fault else ("refused", sentence)
    kind, text = error[0]
    return "traceback", f"{kind}: {text[:600]}"


def of_way(results, expected, dtype):
    """(verdict, text) of what the processes of a way have found, beside what those of PyTorch have."""
    for result in results:
        if "hang" in result:
            return "hang", result["hang"]
        if "died" in result:
            return "traceback", result["died"]
    failed = [result for result in results if "error" in result]
    if failed:
        judged = [of_error(result["error"]) for result in failed]
        if len(failed) < len(results):
            return "wrong", f"one process goes on, another has {judged[0][1]}"
        return max(judged, key=lambda each: ORDER.index(each[0]))
    if any("error" in result for result in expected):
        kind, text = next(result["error"][0] for result in expected if "error" in result)
        return "wrong", f"trains, where the framework has {kind}: {text[:300]}"
    mean = lambda given: np.mean([result["found"]["history"] for result in given], axis=0)
    for number, result in enumerate(results):
        if not result["ranks"]:
            return "wrong", "ds has compiled nothing"
        wanted = expected[number % len(expected)]["found"]
        wrong = difference(result["found"] | {"history": mean(results)}, wanted | {"history": mean(expected)}, dtype)
        if wrong:
            return "wrong", wrong + (f" in process {number}" if len(results) > 1 else "")
    return "equal", ""
