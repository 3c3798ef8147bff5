"""The conversion keeps unsigned types on function boundaries and bridges them with casts that no pass can lower."""
from jaxlib.mlir import ir

from ...base.errors import FrontendError
from ..ir.builder import operations, signless


def rewrite(module):
    """Retypes every value to signless integers and drops the casts. Nothing is lost: signedness is part of the
    operation already (arith.divui, not arith.divsi)."""
    casts = []
    for op in operations(module.operation):
        for region in op.regions:
            for block in region:
                for argument in block.arguments:
                    argument.set_type(signless(argument.type))
        for result in op.results:
            result.set_type(signless(result.type))
        if op.name == "func.func":
            old = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
            new = ir.FunctionType.get([signless(t) for t in old.inputs], [signless(t) for t in old.results])
            op.attributes["function_type"] = ir.TypeAttr.get(new)
        if op.name == "builtin.unrealized_conversion_cast":
            casts.append(op)
    for cast in casts:
        if cast.operands[0].type != cast.results[0].type:
            raise FrontendError(f"a cast from {cast.operands[0].type} to {cast.results[0].type} is left over "
                                f"({cast.location})")
        cast.results[0].replace_all_uses_with(cast.operands[0])
        cast.erase()
