"""Plants an error into a gradient of a step whose gradients are marked (ds-opt --ds-prepare-step
--ds-detect-gradients).

    plant_error.py MARKED.mlir PARAMETER add|scale VALUE > PLANTED.mlir
"""
import re
import sys

path, parameter, how, value = sys.argv[1:]
with open(path) as file:
    text = file.read()


def planted(match):
    indent, result, operand, type_ = match.groups()
    rank = type_.count("x")
    dims = ", ".join(f"d{i}" for i in range(rank))
    identity = f"affine_map<({dims}) -> ({dims})>"
    loops = ", ".join(['"parallel"'] * rank)
    operation = {"add": "arith.addf", "scale": "arith.mulf"}[how]
    return f"""{indent}%planted_like = tensor.empty() : {type_}
{indent}%planted_by = arith.constant {float(value):e} : f32
{indent}%planted = linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{loops}]}} ins({operand} : {type_}) outs(%planted_like : {type_}) {{
{indent}^bb0(%planted_in: f32, %planted_out: f32):
{indent}  %planted_value = {operation} %planted_in, %planted_by : f32
{indent}  linalg.yield %planted_value : f32
{indent}}} -> {type_}
{indent}{result} = ds.gradient %planted of "{parameter}" : {type_}"""  # noqa: E501


mark = rf'^( *)(%\S+) = ds\.gradient (%\S+) of "{re.escape(parameter)}" : (tensor<\S*>)$'
text, count = re.subn(mark, planted, text, flags=re.M)
if count != 1:
    sys.exit(f"{path}: {count} gradients of '{parameter}', expected one")
print(text, end="")
