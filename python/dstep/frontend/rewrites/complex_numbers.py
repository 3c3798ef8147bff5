"""Complex numbers -> pairs of real ones; arithmetic in complex_arithmetic.py, fft -> products with matrices in
fourier.py.

    %c : tensor<4xcomplex<f32>>      becomes      %re : tensor<4xf32>, %im : tensor<4xf32>

Operations that move elements apply to both parts; arithmetic is expanded. Arguments and results of functions, loops and
branches keep their positions for the real part, and get one after all others for the imaginary part. A number whose
imaginary part is known to be 0 has None for it, so that the transform of real numbers has no extra cost.
"""
import re

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from ...base.errors import FrontendError
from ..ir import builder, marks
from ..ir.expressions import Array
from ..ir.leftovers import where as line_of
from . import fourier
from .complex_arithmetic import FUNCTIONS, magnitude, minus, plus

# Operations that pass values on unchanged.
CARRIERS = {"func.call", "func.return", "stablehlo.return", "stablehlo.while", "stablehlo.if", "stablehlo.case",
            "stablehlo.optimization_barrier"}
# Operations that move elements, or are linear with real coefficients.
PARTWISE = {"broadcast_in_dim", "reshape", "transpose", "slice", "reverse", "concatenate", "pad", "dynamic_slice",
            "dynamic_update_slice", "gather", "select",
            "add", "subtract", "negate", "reduce", "reduce_window", "scatter"}


def _float(text, kind):
    """Returns a number printed by MLIR; numbers without decimal digits (NaN, infinity) are printed as their bits."""
    if not text.startswith("0x"):
        return float(text)
    return np.array([int(text, 16)], np.uint64 if kind == "f64" else np.uint32).view(np.float64 if kind == "f64"
                                                                                     else np.float32)[0]


def numbers(op, kind):
    """Returns the values of a constant, parsed from its text: the bindings give no other access."""
    of, text = np.complex128 if kind == "f64" else np.complex64, str(op)
    count = int(np.prod(op.results[0].type.shape))
    found = re.search(r'dense<"0x([0-9A-F]*)">', text)
    if found:
        values = np.frombuffer(bytes.fromhex(found[1]), of)
    else:
        pairs = re.findall(r"\(([^,()]+),\s*([^,()]+)\)", text)
        values = np.array([complex(_float(a, kind), _float(b, kind)) for a, b in pairs], of)
    return np.broadcast_to(values, (count,)) if len(values) == 1 else values


def is_complex(type_):
    return isinstance(type_, ir.RankedTensorType) and isinstance(type_.element_type, ir.ComplexType)


def real_type(type_):
    return ir.RankedTensorType.get(type_.shape, type_.element_type.element_type) if is_complex(type_) else type_


class Pairs:
    """The rewriting of one module; `parts` is {complex value: (real, imaginary or None)} of all values so far."""

    def __init__(self, module):
        self.module, self.parts, self.old = module, {}, []

    def of(self, value):
        return self.parts[value]

    def both(self, value):
        """Returns the two parts, with zeros for None."""
        re, im = self.parts[value]
        return re, re.like(0) if im is None else im

    def run(self):
        for op in list(self.module.body.operations):
            self.function(op.operation)
            for region in op.operation.regions:
                self.region(region)
        for op in reversed(self.old):
            op.erase()

    def function(self, op):
        if op.name == "func.func":
            kind = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
            entry = op.attributes["sym_name"].value
            if any(is_complex(t) for t in [*kind.inputs, *kind.results]):
                if "sym_visibility" not in op.attributes or op.attributes["sym_visibility"].value != "private":
                    raise FrontendError(f"'{entry}' has arguments or results that are complex numbers, expected real "
                                        "ones: give and take their real and imaginary parts")
                grown = lambda types: [real_type(t) for t in types] + [real_type(t) for t in types if is_complex(t)]
                op.attributes["function_type"] = ir.TypeAttr.get(
                    ir.FunctionType.get(grown(kind.inputs), grown(kind.results)))
                for name in ("arg_attrs", "res_attrs"):
                    if name in op.attributes:
                        del op.attributes[name]

    def region(self, region):
        for block in region:
            held = [op.operation for op in block.operations]
            for argument in list(block.arguments):
                if is_complex(argument.type):
                    argument.set_type(real_type(argument.type))
                    # The argument still represents both parts in operations that are not rewritten yet, so its real
                    # part is another value.
                    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
                        real = hlo.optimization_barrier([argument])
                    self.parts[argument] = Array(real), Array(block.add_argument(argument.type, ir.Location.unknown()))
            for op in held:
                if any(v in self.parts for v in op.operands) or any(is_complex(v.type) for v in op.results):
                    with ir.InsertionPoint(op), op.location:
                        self.operation(op)
                else:
                    for inner in op.regions:
                        self.region(inner)

    def operation(self, op):
        if op.name in CARRIERS:
            return self.carrier(op)
        kind = op.name.removeprefix("stablehlo.")
        rule = getattr(self, f"rule_{kind}", None)
        if kind in PARTWISE:
            found = self.partwise(op)
        elif kind in FUNCTIONS:
            found = FUNCTIONS[kind](*(self.of(v) for v in op.operands))
        elif rule:
            found = rule(op)
        else:
            raise FrontendError(f"'{op.name}' of complex numbers has no form on real ones "
                                f"({line_of(op, self.module)}); compute with their real and imaginary parts")
        if isinstance(found, tuple):
            self.parts[op.results[0]] = found
        else:
            op.results[0].replace_all_uses_with(found.value)
        self.old.append(op)

    def carrier(self, op):
        """Rewrites the operation with imaginary parts after all other operands and results."""
        pairs = [v for v in op.operands if v in self.parts]
        operands = [self.parts[v][0].value if v in self.parts else v for v in op.operands] + [self.both(v)[1].value
                                                                                              for v in pairs]
        wide = [i for i, v in enumerate(op.results) if is_complex(v.type)]
        types = [real_type(v.type) for v in op.results] + [real_type(op.results[i].type) for i in wide]
        attributes = {name: op.attributes[name] for name in op.attributes}
        made = ir.Operation.create(op.name, results=types, operands=operands, attributes=attributes,
                                   regions=len(op.regions), loc=op.location)
        for old, new in zip(op.regions, made.regions):
            for block in list(old.blocks):
                block.append_to(new)
            self.region(new)
        for i, result in enumerate(op.results):
            if i in wide:
                self.parts[result] = Array(made.results[i]), Array(made.results[len(op.results) + wide.index(i)])
            else:
                result.replace_all_uses_with(made.results[i])
        self.old.append(op)

    def partwise(self, op):
        pairs = [v for v in op.operands if v in self.parts]
        without = all(self.parts[v][1] is None for v in pairs)
        if len(op.results) != 1 or not self.is_linear(op):
            raise FrontendError(f"'{op.name}' of complex numbers combines them in a way that is no sum "
                                f"({line_of(op, self.module)})")
        return self.copy(op, 0), None if without else self.copy(op, 1)

    @staticmethod
    def is_linear(op):
        return all(inner.operation.name in ("stablehlo.add", "stablehlo.return") for region in op.regions
                   for block in region for inner in block.operations)

    def copy(self, op, number):
        operands = [self.both(v)[number].value if v in self.parts else v for v in op.operands]
        made = op.clone()
        for i, value in enumerate(operands):
            made.operands[i] = value
        for result in made.results:
            result.set_type(real_type(result.type))
        for region in made.regions:
            for block in region:
                for argument in block.arguments:
                    argument.set_type(real_type(argument.type))
                for inner in block.operations:
                    for result in inner.operation.results:
                        result.set_type(real_type(result.type))
        return Array(made.results[0])

    # Operations with rules of their own.
    def rule_constant(self, op):
        element = op.results[0].type.element_type.element_type
        values = numbers(op, str(element)).reshape(op.results[0].type.shape)

        def part(x):
            if x.size and (x == x.reshape(-1)[0]).all():
                kind = ir.RankedTensorType.get(x.shape, element)
                return Array(hlo.constant(ir.DenseElementsAttr.get_splat(kind,
                                                                         ir.FloatAttr.get(element,
                                                                                          float(x.reshape(-1)[0])))))
            return Array(hlo.constant(ir.DenseElementsAttr.get(np.ascontiguousarray(x), type=element,
                                                               shape=list(x.shape))))
        return part(values.real), part(values.imag) if values.imag.any() else None

    def rule_complex(self, op):
        return tuple(Array(v) for v in op.operands)

    def rule_real(self, op):
        return self.of(op.operands[0])[0]

    def rule_imag(self, op):
        return self.both(op.operands[0])[1]

    def rule_custom_call(self, op):
        """Annotates both parts: a shard of both is a shard of the number, and a sum is linear."""
        target = op.attributes["call_target_name"].value
        if target != marks.SHARD and (target != marks.COMBINE
                                      or op.attributes["backend_config"].value not in ("sum", "mean")):
            raise FrontendError(f"'{target}' of complex numbers has no form on real ones ({line_of(op, self.module)}); "
                                "compute with their real and imaginary parts")
        return self.partwise(op)

    def rule_abs(self, op):
        return magnitude(self.of(op.operands[0]))

    def rule_is_finite(self, op):
        re, im = self.both(op.operands[0])
        return Array(hlo.is_finite(re.value)) & Array(hlo.is_finite(im.value))

    def rule_compare(self, op):
        (a, b), (c, d) = (self.both(v) for v in op.operands)
        return (a == c) & (b == d) if "EQ" in str(op.attributes["comparison_direction"]) else (a != c) | (b != d)

    def rule_convert(self, op):
        of = op.operands[0]
        target = real_type(op.results[0].type)
        change = lambda a: None if a is None else Array(hlo.convert(target, a.value))
        if of not in self.parts:
            return change(Array(of)), None
        re, im = (change(part) for part in self.of(of))
        return (re, im) if is_complex(op.results[0].type) else re

    def bilinear(self, op):
        """Returns four products of the parts; two if one operand is real, one if both are."""
        a, b = (self.of(v) for v in op.operands)

        def each(x, y):
            if x is None or y is None:
                return None
            made = op.clone()
            made.operands[0], made.operands[1] = x.value, y.value
            made.results[0].set_type(real_type(made.results[0].type))
            return Array(made.results[0])
        return minus(each(a[0], b[0]), each(a[1], b[1])), plus(each(a[0], b[1]), each(a[1], b[0]))

    rule_dot_general = rule_dot = rule_convolution = bilinear

    def rule_fft(self, op):
        of = op.operands[0]
        z = self.of(of) if of in self.parts else (Array(of), None)
        lengths = list(ir.DenseI64ArrayAttr(op.attributes["fft_length"]))
        try:
            return fourier.transform(str(op.attributes["fft_type"]), z, lengths)
        except ValueError as error:
            raise FrontendError(f"'stablehlo.fft' {error} ({line_of(op, self.module)})") from None


def rewrite(module):
    if any(is_complex(v.type) for op in builder.operations(module.operation)
           for v in op.results) or "complex<" in str(module):
        Pairs(module).run()
