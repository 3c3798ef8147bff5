"""The steps of operations.txt: a row's code becomes a step that trains w on samples x : 8x4xf32 and i : 8x4xi32.

Values that a row names by a letter and a shape are made for it: %x_8x2x2 of the samples x, %i_8x2x2 of i and %b_8x2x2
of i in 8 bits, %k_3x3 and %m_3x3 constants of f32 and of 8 bits, %z_8x3 and %y_8x3 zeros of f32 and of i32, %e_8x3
nothing, %n_2 the number 2. `ON %a %b TO %c` are the operands and the result of an operation of linalg, `%a, %b {..} =>
TYPES` those of another."""
import collections
import math
import re

Row = collections.namedtuple("Row", "line verdict form code operation sentence")
VERDICTS, FORMS = ("rule", "decomposed", "refused"), ("scalar", "tensor", "samples", "module")
ELEMENTS = {"x": "f32", "k": "f32", "z": "f32", "e": "f32", "i": "i32", "y": "i32", "b": "i8", "m": "i8"}
NAME = r"%[xkzeiybmn]_\d+(?:x\d+)*"

AFTER = {"p": "", "q": "%p = arith.sitofp %q : i32 to f32", "v": "%w1 = arith.index_cast %v : index to i32; %p = "
         "arith.sitofp %w1 : i32 to f32",
         "u": "%p = arith.uitofp %u : i1 to f32", "z": "%w1 = complex.re %z : complex<f32>; %w2 = complex.im %z : "
         "complex<f32>; %p = arith.addf %w1, %w2 : f32"}
SCALAR = """%e8 = tensor.empty() : tensor<8x4xf32>
%r = linalg.map ins(%x, %i : tensor<8x4xf32>, tensor<8x4xi32>) outs(%e8 : tensor<8x4xf32>) (%a: f32, %k: i32, %out: f32) {{
%b = arith.constant 0.75 : f32
%i1 = arith.constant 1 : i32
%i3 = arith.constant 3 : i32
%j = arith.ori %k, %i1 : i32
%l = arith.andi %k, %i3 : i32
%n = arith.index_cast %k : i32 to index
%m = arith.index_cast %j : i32 to index
%t = arith.cmpi sge, %j, %i1 : i32
%c = complex.create %a, %b : complex<f32>
%d = complex.create %b, %a : complex<f32>
{code}
linalg.yield %p : f32
}}"""  # noqa: E501
STEP = """ml_program.global private @twos(dense<2.0> : tensor<8x4xf32>) : tensor<8x4xf32>
ml_program.global private mutable @state(dense<2.0> : tensor<8x4xf32>) : tensor<8x4xf32>
func.func private @twice(%y: tensor<8x4xf32>) -> tensor<8x4xf32> {{
%s = arith.addf %y, %y : tensor<8x4xf32>
func.return %s : tensor<8x4xf32>
}}
func.func private @square(%y: tensor<8x4xf32>) -> tensor<8x4xf32> {{
%s = arith.mulf %y, %y : tensor<8x4xf32>
func.return %s : tensor<8x4xf32>
}}
func.func @step(%w: tensor<4xf32> {{ds.param = "w", ds.init = "normal(0.5)"}}, %rows: tensor<8x4xf32> {{ds.batch = 0, ds.name = "x"}},
    %i: tensor<8x4xi32> {{ds.batch = 0, ds.name = "i"}}) -> (tensor<4xf32> {{ds.updates = "w"}}) {{
%e84 = tensor.empty() : tensor<8x4xf32>
%wb = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e84 : tensor<8x4xf32>) dimensions = [0]
%wy = arith.mulf %rows, %wb : tensor<8x4xf32>
%x = arith.mulf %wy, %wb : tensor<8x4xf32>
{code}
%z4 = arith.constant dense<0.0> : tensor<4xf32>
%g0 = linalg.reduce {{ arith.addf }} ins({result} : tensor<8x4xf32>) outs(%z4 : tensor<4xf32>) dimensions = [0]
%rate = arith.constant dense<0.001> : tensor<4xf32>
%d0 = arith.mulf %g0, %rate : tensor<4xf32>
%new = arith.subf %w, %d0 : tensor<4xf32>
func.return %new : tensor<4xf32>
}}
"""  # noqa: E501


def read(path, fail):
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        verdict, _, form = parts[0].partition(" ")
        if verdict not in VERDICTS or form not in FORMS or len(parts) != (4 if verdict == "refused" else 3):
            fail(f"{path}:{number}: error: a row is 'VERDICT FORM | code | operations', and of 'refused' also '| "
                 "sentence'")
        for operation in parts[2].split():
            rows.append(Row(number, verdict, form, re.sub(r"\bOP\b", operation, parts[1]), operation,
                            parts[3] if parts[3:] else ""))
    return rows


def type_of(name):
    return "i32" if name[1] == "n" else f"tensor<{name[3:]}x{ELEMENTS[name[1]]}>"


def nested(values, sizes):
    if len(sizes) == 1:
        return f"[{', '.join(values)}]"
    step = len(values) // sizes[0]
    return f"[{', '.join(nested(values[i * step:(i + 1) * step], sizes[1:]) for i in range(sizes[0]))}]"


def samples_in_shape(name, sizes):
    """Each element of a sample several times, times or plus another number, in the shape of the name."""
    element, source, of_floats = ("f32", "%x", True) if name[1] == "x" else ("i32", "%i", False)
    width, point = math.prod(sizes[1:]), ".0" if of_floats else ""
    many, flat = width // 4, f"tensor<8x{width}x{element}>"
    shape, others = f"tensor<{name[3:]}x{element}>", ", ".join(map(str, range(1, len(sizes))))
    factors = nested([f"{i * 5 % 7 - 3}{point}" for i in range(width)], [width])
    lines = [f"{name}_0 = tensor.empty() : tensor<8x4x{many}x{element}>",
             f"{name}_1 = linalg.broadcast ins({source} : tensor<8x4x{element}>) outs({name}_0 : "
             f"tensor<8x4x{many}x{element}>) dimensions = [2]",
             f"{name}_2 = tensor.collapse_shape {name}_1 [[0], [1, 2]] : tensor<8x4x{many}x{element}> into {flat}",
             f"{name}_3 = arith.constant dense<{factors}> : tensor<{width}x{element}>",
             f"{name}_4 = tensor.empty() : {flat}",
             f"{name}_5 = linalg.broadcast ins({name}_3 : tensor<{width}x{element}>) outs({name}_4 : {flat}) "
             "dimensions = [0]",
             f"{name}_6 = {'arith.mulf' if of_floats else 'arith.addi'} {name}_2, {name}_5 : {flat}"]
    if len(sizes) > 2:
        lines.append(f"{name}_7 = tensor.expand_shape {name}_6 [[0], [{others}]] output_shape {sizes} : {flat} into "
                     f"{shape}")
    if name[1] == "b":
        lines.append(f"{name}_8 = arith.trunci {lines[-1].split(' ')[0]} : {shape} to {type_of(name)}")
    last = lines[-1].split(" ")[0]
    return lines[:-1] + [lines[-1].replace(f"{last} =", f"{name} =", 1)]


def definition(name):
    sizes, type = [int(size) for size in name[3:].split("x")], type_of(name)
    constant = lambda values: [f"{name} = arith.constant dense<{nested(values, sizes)}> : {type}"]
    match name[1]:
        case "n": return [f"{name} = arith.constant {name[3:]} : i32"]
        case "e": return [f"{name} = tensor.empty() : {type}"]
        case "z": return [f"{name} = arith.constant dense<0.0> : {type}"]
        case "y": return [f"{name} = arith.constant dense<0> : {type}"]
        case "k": return constant([str((i * 7 % 11 - 5) / 8) for i in range(math.prod(sizes))])
        case "m": return constant([str(i * 7 % 11 - 5) for i in range(math.prod(sizes))])
        case _: return samples_in_shape(name, sizes)


def expanded(code):
    """The code with its two shorthands written out, and the values that it names before it."""
    def of_linalg(found):
        operands, result = found[1].split(), found[2]
        return (f"ins({', '.join(operands)} : {', '.join(map(type_of, operands))}) outs({result} : {type_of(result)}) "
                f"-> {type_of(result)}")

    def of_others(found):
        types, results = ", ".join(type_of(name.strip())
                                   for name in found[1].split(",")), [f"tensor<{each}>" for each in found[3].split()]
        return (f"{found[1]} {found[2] or ''} : ({types}) -> "
                f"{results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}")

    code = re.sub(rf"ON ((?:{NAME} )+)TO ({NAME})", of_linalg, code)
    code = re.sub(rf"((?:{NAME}, )*{NAME}) ?({{[^}}]*}})? => (.+?)(?=;|$)", of_others, code)
    return [line for name in dict.fromkeys(re.findall(NAME, code)) for line in definition(name)], code


def lines_of(code):
    return re.sub(r"; *|(?<=\{) (?=[%^])|(?<=\)) (?=\^)", "\n", code)


def sum_of_samples(code):
    """Lines that scale %x by the sum of each sample of %p."""
    made = [line for line in code.split(";") if re.match(r"\s*%p\b", line)][-1]
    shape, element = re.search(r"tensor<((?:\d+x)+)(\w+)>", made.rsplit("->", 1)[-1].rsplit(" to ", 1)[-1]).groups()
    last, lines, rank = "%p", [], shape.count("x")
    if element != "f32":
        lines.append(f"%p_f = arith.{'extf' if element.startswith('f') else 'sitofp'} %p : tensor<{shape}{element}> to "
                     f"tensor<{shape}f32>")
        last = "%p_f"
    if rank > 1:
        lines += ["%p_0 = arith.constant dense<0.0> : tensor<8xf32>",
                  f"%p_1 = linalg.reduce {{ arith.addf }} ins({last} : tensor<{shape}f32>) outs(%p_0 : tensor<8xf32>) "
                  f"dimensions = {list(range(1, rank))}"]
        last = "%p_1"
    return lines + ["%p_2 = tensor.empty() : tensor<8x4xf32>",
                    f"%p_3 = linalg.broadcast ins({last} : tensor<8xf32>) outs(%p_2 : tensor<8x4xf32>) "
                    "dimensions = [1]",
                    "%r = arith.mulf %p_3, %x : tensor<8x4xf32>"]


def step_of(row):
    if row.form == "module":
        return lines_of(row.code)
    values, code = expanded(row.code)
    body = lines_of(code)
    if row.form == "scalar":
        last = [name for name in re.findall(r"%([pqvuz])\b[^=\n]*=", code)][-1]
        body = SCALAR.format(code=body + "\n" + lines_of(AFTER[last]))
    elif row.form == "samples":
        body = "\n".join([body] + sum_of_samples(code))
    return STEP.format(code="\n".join(values + [body]), result="%r#1" if "%r:2" in code else "%r")
