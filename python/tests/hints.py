"""Whether what a module offers says its types, and what it is: test_data_parallel.py and test_torch_fit.py ask."""
import inspect
import typing


def missing(module, names):
    """'function(argument)' for everything public without a type."""
    found = []
    for name in names:
        value = getattr(module, name)
        functions = [value] if inspect.isfunction(value) else []
        if inspect.isclass(value) and name == "DataParallel":
            functions = [getattr(value, method) for method in ("__call__", "run", "fit", "plan")]
        for function in functions:
            hints, parameters = typing.get_type_hints(function), inspect.signature(function).parameters
            found += [f"{function.__qualname__}({parameter})" for parameter in parameters if parameter != "self"
                      and parameter not in hints]
            found += [] if "return" in hints else [f"{function.__qualname__} returns"]
    return found
