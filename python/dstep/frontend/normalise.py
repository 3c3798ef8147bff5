"""The order of the rewrites. Control flow, sorts, scatters and pooling gradients are rewritten while the dimension
numbers of StableHLO still exist; jaxlib's own pass converts the rest; then signs, roles and attributes are set.

An operation that is left over and that ds could not read is an error that names it; none is passed on silently.
"""
from jaxlib.mlir import ir, passmanager

from ..base import limits, places
from ..base.errors import FrontendError
from . import manifest as manifests, shardings
from .ir import builder, marks
from .ir.leftovers import place, refuse_leftovers
from .rewrites import (accumulate, booleans, complex_numbers, control_flow, cumulative, inlining, linear_algebra,
                       pooling, scatter, shapes, signedness, sorting)


def pipeline(*passes):
    """Returns a change of a module: passes of jaxlib."""
    return lambda module: passmanager.PassManager.parse(f"builtin.module({','.join(passes)})").run(module.operation)


def drop_barriers(module):
    """Removes optimization barriers: they control recomputation by an optimiser, which ds decides itself."""
    for op in builder.innermost_first(module.operation, "stablehlo.optimization_barrier"):
        builder.replace(op, list(op.operands))


def convert(module):
    """Runs jaxlib's own conversion. If it fails, its message describes the converted operation, not that of the
    step."""
    try:
        pipeline("stablehlo-legalize-to-linalg")(module)
    except ir.MLIRError as error:
        first = next((line for line in str(error).splitlines() if "error:" in line), str(error))
        raise FrontendError(f"the conversion of StableHLO to linalg fails at {place(first) or 'an operation'}: "
                            f"{first.rsplit(': ', 1)[-1]}") from None


def parse(text):
    try:
        return ir.Module.parse(text)
    except ir.MLIRError as error:
        raise FrontendError(f"this is no module of StableHLO: {str(error).splitlines()[-1].strip()}") from None


def drop_foreign_attributes(module):
    """Removes attributes of other dialects from the module: they are unknown to stock MLIR tools."""
    for name in [n for n in module.operation.attributes if n.startswith(("mhlo.", "jax."))]:
        del module.operation.attributes[name]


# Before roles are set, and after it; in this order.
TO_UPSTREAM = (pipeline("symbol-dce", "canonicalize", "func.func(chlo-legalize-to-stablehlo)", "canonicalize"),
               inlining.rewrite, complex_numbers.rewrite,
               linear_algebra.rewrite, drop_barriers, sorting.rewrite, cumulative.rewrite, shapes.rewrite,
               accumulate.rewrite, pooling.rewrite, scatter.rewrite,
               control_flow.rewrite, convert, signedness.rewrite)
TO_FINISH = (refuse_leftovers, drop_foreign_attributes, pipeline("canonicalize", "cse", "symbol-dce"), booleans.rewrite)


def normalise(text, manifest=None, lines=None):
    """Returns the module of StableHLO `text` on upstream dialects, as text, with the roles of `manifest`. Shardings in
    the text are added to the manifest. `lines`, a dictionary, receives the user's line of each line of the result.
    Raises FrontendError for an operation without a form on upstream dialects."""
    with builder.context(), ir.Location.unknown():
        limits.phase("bringing StableHLO to upstream MLIR")
        module = parse(text)
        if manifest is not None:
            shardings.read(module, manifest)
        for change in TO_UPSTREAM:
            change(module)
        marks.annotate(module, manifest)
        if manifest is not None:
            manifests.annotate(module, manifest)
        for change in TO_FINISH:
            change(module)
        if lines is not None:
            lines.clear()
            lines.update(places.read(module.operation.get_asm(enable_debug_info=True)))
        return marks.pretty(str(module))
