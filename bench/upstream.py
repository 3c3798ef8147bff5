"""StableHLO text -> a module on upstream dialects (func, linalg, tensor, arith, math), by jaxlib's own MLIR passes.

Only jaxlib is needed, so the same function serves any front end that can print StableHLO. What the passes leave behind and
ds could not read is an error that names the operation; nothing is passed on silently.
"""
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo

UPSTREAM = {"affine", "arith", "builtin", "func", "linalg", "math", "scf", "tensor"}
BEFORE = "builtin.module(symbol-dce,canonicalize,func.func(chlo-legalize-to-stablehlo),canonicalize)"
CONVERT = "builtin.module(stablehlo-legalize-to-linalg)"
AFTER = "builtin.module(canonicalize,cse,symbol-dce)"


def context():
    """A context that knows the dialects of jaxlib; `import jax` is not needed for it."""
    stablehlo.register_stablehlo_passes()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    ctx = ir.Context()
    ctx.append_dialect_registry(registry)
    ctx.load_all_available_dialects()
    stablehlo.register_dialect(ctx)
    chlo.register_dialect(ctx)
    return ctx


def operations(root):
    """Every operation below `root`, in order."""
    for region in root.regions:
        for block in region:
            for op in block:
                yield op.operation
                yield from operations(op.operation)


def signless(type_):
    """The type with unsigned integers replaced by signless ones of the same width."""
    if isinstance(type_, ir.RankedTensorType):
        element = signless(type_.element_type)
        return type_ if element == type_.element_type else ir.RankedTensorType.get(type_.shape, element)
    if isinstance(type_, ir.IntegerType) and type_.is_unsigned:
        return ir.IntegerType.get_signless(type_.width)
    return type_


def fix_signedness(module):
    """The conversion keeps unsigned types on function boundaries and bridges them with casts that nothing can lower: retype
    every value and drop the casts."""
    casts = []
    for op in operations(module.operation):
        for region in op.regions:
            for block in region:
                for argument in block.arguments:
                    argument.set_type(signless(argument.type))
        for result in op.results:
            result.set_type(signless(result.type))
        if op.name == "func.func":
            old = ir.TypeAttr(op.attributes["function_type"]).value
            new = ir.FunctionType.get([signless(t) for t in old.inputs], [signless(t) for t in old.results])
            op.attributes["function_type"] = ir.TypeAttr.get(new)
        if op.name == "builtin.unrealized_conversion_cast":
            casts.append(op)
    for cast in casts:
        if cast.operands[0].type != cast.results[0].type:
            raise ValueError(f"a cast from {cast.operands[0].type} to {cast.results[0].type} is left over")
        cast.results[0].replace_all_uses_with(cast.operands[0])
        cast.erase()


def refuse_leftovers(module):
    for op in operations(module.operation):
        if op.name.split(".")[0] not in UPSTREAM:
            raise ValueError(f"'{op.name}' has no form on upstream dialects here ({op.location}); supported are operations "
                             "that jaxlib's stablehlo-legalize-to-linalg converts")


def attribute(value):
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value) if isinstance(value, int) else ir.StringAttr.get(value)


def set_roles(entry, arguments, results):
    """Replaces JAX's argument and result attributes by ours; `arguments` and `results` are lists of dictionaries."""
    for key, roles in (("arg_attrs", arguments), ("res_attrs", results)):
        entry.attributes[key] = ir.ArrayAttr.get(
            [ir.DictAttr.get({k: attribute(v) for k, v in role.items()}) for role in roles])


def normalise(text, arguments=None, results=None):
    """The module of StableHLO `text` on upstream dialects, as text. Without roles JAX's own argument and result attributes
    (donation, result names) stay as they are."""
    with context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for pipeline in (BEFORE, CONVERT):
            passmanager.PassManager.parse(pipeline).run(module.operation)
        fix_signedness(module)
        refuse_leftovers(module)
        # Module attributes of JAX name a dialect that stock MLIR tools do not know.
        for name in [n for n in module.operation.attributes if n.split(".")[0] in ("mhlo", "jax")]:
            del module.operation.attributes[name]
        entry = next(op for op in module.body.operations if op.attributes["sym_name"].value == "main")
        if arguments is not None:
            set_roles(entry, arguments, results)
        passmanager.PassManager.parse(AFTER).run(module.operation)
        return str(module)
