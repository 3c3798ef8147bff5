"""The order of the rewrites. Control flow, scatters and pooling gradients are rewritten while the dimension numbers of
StableHLO are still there; jaxlib's own pass converts the rest; then signs, roles and attributes are put in order.

What is left over and ds could not read is an error that names the operation; nothing is passed on silently.
"""
from jaxlib.mlir import ir, passmanager

from . import accumulate, builder, control_flow, pooling, scatter, shapes
from .errors import FrontendError
from .manifest import set_roles
from .signedness import fix_signedness

UPSTREAM = ("arith", "builtin", "func", "linalg", "math", "scf", "tensor")
BEFORE = "builtin.module(symbol-dce,canonicalize,func.func(chlo-legalize-to-stablehlo),canonicalize)"
CONVERT = "builtin.module(stablehlo-legalize-to-linalg)"
AFTER = "builtin.module(canonicalize,cse,symbol-dce)"


def refuse_leftovers(module):
    for op in builder.operations(module.operation):
        if op.name.split(".")[0] not in UPSTREAM:
            raise FrontendError(f"'{op.name}' has no form on upstream dialects here ({op.location}); supported are operations "
                                "that jaxlib's stablehlo-legalize-to-linalg converts")


def entry_of(module, name):
    found = [op for op in module.body.operations if op.operation.name == "func.func" and op.attributes["sym_name"].value == name]
    if not found:
        raise FrontendError(f"the module has no function '{name}'")
    return found[0]


def drop_barriers(module):
    """A barrier only tells an optimiser what to recompute; ds decides that for itself."""
    for op in builder.innermost_first(module.operation, "stablehlo.optimization_barrier"):
        builder.replace(op, list(op.operands))


def run(module, pipeline):
    passmanager.PassManager.parse(pipeline).run(module.operation)


def normalise(text, manifest=None):
    """The module of StableHLO `text` on upstream dialects, as text, with the roles of `manifest`."""
    with builder.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        run(module, BEFORE)
        drop_barriers(module)
        for part in (accumulate, pooling, scatter, shapes, control_flow):
            part.rewrite(module)
        run(module, CONVERT)
        fix_signedness(module)
        refuse_leftovers(module)
        # Attributes of other dialects on the module or on functions are unknown to stock MLIR tools.
        for name in [n for n in module.operation.attributes if n.split(".")[0] in ("mhlo", "jax")]:
            del module.operation.attributes[name]
        if manifest is not None:
            set_roles(entry_of(module, manifest.get("entry", "main")), manifest)
        run(module, AFTER)
        return str(module)
