"""stablehlo.concatenate -> tensor.concat. The pass of jaxlib would make a kernel of reads at computed positions out of it, which
hides what is copied where."""
from . import builder


def rewrite(module):
    for op in builder.innermost_first(module.operation, "stablehlo.concatenate"):
        operands = [v for v in op.operands if 0 not in builder.shape(v)]
        types = [str(builder.signless(v.type)) for v in operands]
        result = builder.signless(op.results[0].type)
        names = [f"%part{i}" for i in range(len(operands))]
        if not operands:
            continue
        dim = op.attributes["dimension"].value
        builder.splice(op, f"""func.func @join({', '.join(f'{n}: {t}' for n, t in zip(names, types))}) -> {result} {{
            %whole = tensor.concat dim({dim}) {', '.join(names)} : ({', '.join(types)}) -> {result}
            return %whole : {result}
        }}""", operands)
