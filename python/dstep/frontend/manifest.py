"""The manifest of a step: its arguments and results, as a dictionary that is also the NAME.json beside NAME.mlir.

    {"entry": "main",
     "args":    [{"role": "param", "name": "w", "init": "zeros"}, {"role": "state", "name": "momentum.w"},
                 {"role": "batch", "name": "x", "dim": 0}, {"role": "seed", "name": "key"}, {"role": "hyper", "name":
                 "lr"}],
     "results": [{"role": "updates:w"}, {"role": "updates:momentum.w"}, {"role": "metric:loss", "reduce": "mean"},
                 {"role": "batch", "name": "logits", "dim": 0}]}

Shapes and dtypes are optional, for readers. `init` and `reduce` are optional. A state that holds a value per sample has
"dim", and so has the result that updates it; samples of several rows that lie apart have "apart": true. A step of one
of n ranks, which reduces values over an axis of that size, has "axis": {"name": "batch", "size": 4}. A step for a mesh
of ranks has "mesh": {"dp": 2, "tp": 4}, and sharded arguments "sharding": [["dp"], []], the axes of each dimension.
"""
from jaxlib.mlir import ir

from ..base.errors import FrontendError
from . import shardings
from .ir import builder, marks

REDUCTIONS = ("mean", "sum", "max", "none")


def argument_attributes(argument):
    """Returns the attributes of ds for one argument of a manifest."""
    role, name = argument["role"], argument["name"]
    divided = {"ds.sharding": argument["sharding"]} if "sharding" in argument else {}
    if role in ("param", "state"):
        samples = {"ds.batch": argument["dim"]} if role == "state" and "dim" in argument else {}
        return {f"ds.{role}": name} | ({"ds.init": argument["init"]} if "init" in argument else {}) | samples | divided
    if role == "batch":
        unsigned = {"ds.unsigned": None} if argument.get("dtype", "").startswith("uint") else {}
        apart = {"ds.apart": None} if argument.get("apart") else {}
        return {"ds.batch": argument.get("dim", 0), "ds.name": name} | unsigned | apart | divided
    if role == "seed":
        return {"ds.seed": None, "ds.name": name}
    if role == "hyper":
        return {"ds.name": name}
    raise FrontendError(f"argument '{name}' has the role '{role}', expected param, state, batch, seed or hyper")


def result_attributes(result):
    """Returns the attributes of ds for one result of a manifest."""
    role, _, name = result["role"].partition(":")
    if role == "updates" and name:
        return {"ds.updates": name} | ({"ds.batch": result["dim"]} if "dim" in result else {})
    if role == "metric" and name:
        if result.get("reduce", "mean") not in REDUCTIONS:
            raise FrontendError(f"metric '{name}' is combined by '{result['reduce']}', expected one of "
                                f"{', '.join(REDUCTIONS)}")
        return {"ds.metric": name} | ({"ds.reduce": result["reduce"]} if "reduce" in result else {})
    if role == "batch":
        return {"ds.batch": result.get("dim", 0), "ds.name": result["name"]}
    raise FrontendError(f"a result has the role '{result['role']}', expected updates:NAME, metric:NAME or batch")


def _attribute(value):
    if value is None:
        return ir.UnitAttr.get()
    if isinstance(value, list):
        return marks.sharding(shardings.written(value))
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value) if isinstance(value,
                                                                                    int) else ir.StringAttr.get(value)


def divide(manifest, mesh, divided):
    """Writes the shardings given beside a step into its manifest: {name: an axis, a tuple of axes or None for each
    dimension}."""
    described = {a["name"]: a for a in manifest["args"]}
    if mesh is not None:
        manifest["mesh"] = mesh
    if not isinstance(divided, dict):
        raise FrontendError(f"shardings= is a {type(divided).__name__}, expected {{name of an argument: the axis of "
                            f"each dimension}}")
    for name, dims in divided.items():
        if name not in described:
            raise FrontendError(f"shardings= names '{name}', but the arguments are {', '.join(described)}")
        if isinstance(dims, str):
            raise FrontendError(f"shardings= gives '{name}' the text '{dims}', expected an axis or None for each "
                                f"dimension, such as ('{dims}',)")
        rank, dims = len(described[name]["shape"]), tuple(dims)
        if len(dims) > rank:
            raise FrontendError(f"shardings= gives '{name}' {len(dims)} dimensions, expected {rank} at most")
        axes = [[] if dim is None else [dim] if isinstance(dim, str) else list(dim)
                for dim in dims + (None,) * (rank - len(dims))]
        for axis in sum(axes, []):
            if mesh is not None and axis not in mesh:
                raise FrontendError(f"shardings= divides '{name}' over the axis '{axis}', but the mesh has "
                                    f"{', '.join(mesh)}")
        described[name]["sharding"] = axes


def annotate(module, manifest):
    """Sets the roles of arguments and results, and the configuration of the module."""
    _set_roles(builder.function(module, manifest.get("entry", "main")), manifest)
    _set_config(module, manifest)


def _set_config(module, manifest):
    """Sets the configuration of the module. A step that divides by the number of ranks runs on that number; ds-run
    compares it with --ranks. Shardings are those of one function of the global batch."""
    config = {"batch": "local", "device_num": manifest["axis"]["size"]} if "axis" in manifest else {}
    if "mesh" in manifest:
        config = {"batch": "global", "mesh": shardings.mesh_text(manifest["mesh"])}
    if config:
        module.operation.attributes["ds.config"] = ir.DictAttr.get({k: _attribute(v) for k, v in config.items()})


def _set_roles(entry, manifest):
    """Replaces the argument and result attributes of a function by those of the manifest."""
    signature = ir.FunctionType(ir.TypeAttr(entry.attributes["function_type"]).value)
    for key, what, types, described, attributes in (
            ("arg_attrs", "arguments", signature.inputs, manifest["args"], argument_attributes),
            ("res_attrs", "results", signature.results, manifest["results"], result_attributes)):
        if len(types) != len(described):
            raise FrontendError(f"'{entry.attributes['sym_name'].value}' has {len(types)} {what}, but its manifest "
                                f"describes {len(described)}")
        entry.attributes[key] = ir.ArrayAttr.get(
            [ir.DictAttr.get({k: _attribute(v) for k, v in attributes(d).items()}) for d in described])
