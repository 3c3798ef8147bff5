"""The order of the rewrites. Control flow, sorts, scatters and pooling gradients are rewritten while the dimension
numbers of StableHLO still exist; jaxlib's own pass converts the rest; then signs, roles and attributes are set.

An operation that is left over and that ds could not read is an error that names it; none is passed on silently.
"""
from jaxlib.mlir import ir, passmanager

from ..base import limits, places
from ..base.errors import FrontendError
from . import shardings
from .ir import builder, marks
from .ir.leftovers import place, refuse_leftovers
from .manifest import set_config, set_roles
from .rewrites import accumulate, booleans, complex_numbers, control_flow, cumulative, inlining, linear_algebra, pooling, scatter, shapes, sorting
from .rewrites.signedness import fix_signedness

BEFORE = "builtin.module(symbol-dce,canonicalize,func.func(chlo-legalize-to-stablehlo),canonicalize)"
CONVERT = "builtin.module(stablehlo-legalize-to-linalg)"
AFTER = "builtin.module(canonicalize,cse,symbol-dce)"


def entry_of(module, name):
    found = [op for op in module.body.operations if op.operation.name == "func.func" and op.attributes["sym_name"].value == name]
    if not found:
        raise FrontendError(f"the module has no function '{name}'")
    return found[0]


def drop_barriers(module):
    """Removes optimization barriers: they control recomputation by an optimiser, which ds decides itself."""
    for op in builder.innermost_first(module.operation, "stablehlo.optimization_barrier"):
        builder.replace(op, list(op.operands))


def run(module, pipeline):
    passmanager.PassManager.parse(pipeline).run(module.operation)


def convert(module):
    """Runs jaxlib's own conversion. If it fails, its message describes the converted operation, not that of the
    step."""
    try:
        run(module, CONVERT)
    except ir.MLIRError as error:
        first = next((line for line in str(error).splitlines() if "error:" in line), str(error))
        raise FrontendError(f"the conversion of StableHLO to linalg fails at {place(first) or 'an operation'}: "
                            f"{first.rsplit(': ', 1)[-1]}") from None


def parse(text):
    try:
        return ir.Module.parse(text)
    except ir.MLIRError as error:
        raise FrontendError(f"this is no module of StableHLO: {str(error).splitlines()[-1].strip()}") from None


def normalise(text, manifest=None, lines=None):
    """Returns the module of StableHLO `text` on upstream dialects, as text, with the roles of `manifest`. Shardings in
    the text are added to the manifest. `lines`, a dictionary, receives the user's line of each line of the result.
    Raises FrontendError for an operation without a form on upstream dialects."""
    with builder.context(), ir.Location.unknown():
        limits.phase("bringing StableHLO to upstream MLIR")
        module = parse(text)
        if manifest is not None:
            shardings.read(module, entry_of(module, manifest.get("entry", "main")).operation, manifest)
        run(module, BEFORE)
        inlining.rewrite(module)
        complex_numbers.rewrite(module)
        linear_algebra.rewrite(module)
        drop_barriers(module)
        for part in (sorting, cumulative, shapes, accumulate, pooling, scatter, control_flow):
            part.rewrite(module)
        convert(module)
        fix_signedness(module)
        described = (manifest or {}).get("args", ())
        marks.rewrite(module, [a["name"] for a in described if a["role"] == "param"] if manifest else None)
        refuse_leftovers(module)
        # Attributes of other dialects on the module or on functions are unknown to stock MLIR tools.
        for name in [n for n in module.operation.attributes if n.split(".")[0] in ("mhlo", "jax")]:
            del module.operation.attributes[name]
        if manifest is not None:
            set_roles(entry_of(module, manifest.get("entry", "main")), manifest)
            set_config(module, manifest)
        run(module, AFTER)
        booleans.rewrite(module)
        if lines is not None:
            lines.clear()
            lines.update(places.read(module.operation.get_asm(enable_debug_info=True)))
        return marks.pretty(str(module))
