"""stablehlo.select_and_scatter (the gradient of max pooling, overlapping windows too) -> two linalg.generic.

    chosen[o]  = the number of the window's element that `select` keeps             a reduction over the window
    result[i]  = sum over w with chosen[(i - w) / stride] == w of source[...]       shaped as a convolution

The second operation reads `source` and `chosen` spread out by the stride, with -1 (no element) in between, so its
indices are i + w. Padding is never chosen. Cost: result times window, as for the original operation.

Windows that tile the operand become dimensions of their own, of the operand and of the result, and nothing is summed:

    result[o, w] = source[o] if chosen[o] == w, else 0

After a ReLU, the next step of the backward pass zeroes elements of the result. There, a window whose element is zeroed
chooses none:

    select(mask, result, 0) = result, if chosen[o] = -2 where mask is false for the element that is kept

so the backward pass needs no value of the operand's size except those that the forward pass reads anyway.
"""
import math

from jaxlib.mlir import ir

from ...base.errors import FrontendError
from ..ir import builder
from ..ir.leftovers import place

NEWLINE = "\n        "
PREDICATES = {"EQ": ("oeq", "eq"), "NE": ("une", "ne"), "GE": ("oge", "sge"), "GT": ("ogt", "sgt"),
              "LE": ("ole", "sle"), "LT": ("olt", "slt")}
LOGIC = {"stablehlo.and": "arith.andi", "stablehlo.or": "arith.ori"}


def selection(op, e, is_float):
    """Returns lines that define %loses, `select(%kept, %candidate)` negated: comparisons of floats, or of signed
    integers, and logical operations on them."""
    block = op.regions[0].blocks[0]
    signed = is_float or not ir.IntegerType(builder.element_type(op.operands[0])).is_unsigned
    names, lines = dict(zip(block.arguments, ("%kept", "%candidate"))), ["%true = arith.constant true"]
    *body, last = (inner.operation for inner in block.operations)
    for k, inner in enumerate(body):
        operands = [names.get(operand) for operand in inner.operands]
        if inner.name == "stablehlo.compare" and signed and set(operands) <= {"%kept", "%candidate"}:
            direction = str(inner.attributes["comparison_direction"]).split()[-1].rstrip(">")
            text = (f"arith.cmp{'f' if is_float else 'i'} {PREDICATES[direction][not is_float]}, {', '.join(operands)} "
                    f": {e}")
        elif inner.name in LOGIC:
            text = f"{LOGIC[inner.name]} {', '.join(operands)} : i1"
        elif inner.name == "stablehlo.not":
            text = f"arith.xori {operands[0]}, %true : i1"
        else:
            raise FrontendError(f"'stablehlo.select_and_scatter' selects by '{inner.name}', expected comparisons of "
                                f"signed numbers ({place(op.location) or op.location})")
        names[inner.results[0]] = f"%select{k}"
        lines.append(f"%select{k} = {text}")
    return lines + [f"%loses = arith.xori {names[last.operands[0]]}, %true : i1"]


def adds(op):
    block = op.regions[1].blocks[0]
    body = list(block.operations)
    return (len(body) == 2 and body[0].operation.name == "stablehlo.add"
            and set(body[0].operands) == set(block.arguments))


class Window:
    """The sizes, strides, dilations and padding of a select_and_scatter or reduce_window, per dimension."""
    def __init__(self, op):
        self.operand, self.source = builder.shape(op.operands[0]), builder.shape(op.operands[1])
        rank = len(self.operand)

        def array(name, default):
            return list(ir.DenseI64ArrayAttr(op.attributes[name])) if name in op.attributes else default

        self.size = array("window_dimensions", [1] * rank)
        self.stride = array("window_strides", [1] * rank)
        flat = ([int(v) for v in ir.DenseIntElementsAttr(op.attributes["padding"])] if "padding" in op.attributes
                else [0] * 2 * rank)
        self.low, self.high = flat[0::2], flat[1::2]
        # Dimensions in which the window has more than one element.
        self.dims = [d for d in range(rank) if self.size[d] > 1]
        self.loops = [f"d{i}" for i in range(rank)] + [f"w{i}" for i in self.dims]
        self.plain = [f"d{d}" for d in range(rank)]
        # The number of an element within the window, row by row.
        self.weight = {}
        count = 1
        for d in reversed(self.dims):
            self.weight[d] = count
            count *= self.size[d]

        # True if every element lies in exactly one window.
        self.tiles = all(stride == size and low == high == 0 and size * count == extent
                         for size, stride, low, high, count, extent in
                         zip(self.size, self.stride, self.low, self.high, self.source, self.operand))

    def map(self, results):
        return f"affine_map<({', '.join(self.loops)}) -> ({', '.join(results)})>"

    def loop(self, dim):
        return self.loops.index(f"w{dim}")

    def kinds(self, within):
        """Returns the kinds of the loops; those within a window are of the kind `within`."""
        return ", ".join(['"parallel"'] * len(self.operand) + [f'"{within}"'] * len(self.dims))

    def split(self):
        """Returns, for a tensor with windows as dimensions of their own: sizes, reassociation, and the loops of each
        dimension."""
        sizes, groups, loops = [], [], []
        for d, count in enumerate(self.source):
            parts = [count, self.size[d]] if d in self.dims else [count]
            groups.append(f"[{', '.join(str(len(sizes) + i) for i in range(len(parts)))}]")
            loops += [f"d{d}", f"w{d}"][:len(parts)]
            sizes += parts
        return sizes, f"[{', '.join(groups)}]", loops

    def number(self, reverse):
        """Returns lines that define %number, the number of the window's element at the current iteration."""
        lines, total = ["%number0 = arith.constant 0 : index"], "%number0"
        for k, d in enumerate(self.dims):
            lines.append(f"%w{d} = linalg.index {self.loop(d)} : index")
            at = f"%w{d}"
            if reverse:
                lines.append(f"%size{d} = arith.constant {self.size[d] - 1} : index")
                lines.append(f"%r{d} = arith.subi %size{d}, %w{d} : index")
                at = f"%r{d}"
            lines.append(f"%weight{d} = arith.constant {self.weight[d]} : index")
            lines.append(f"%part{d} = arith.muli {at}, %weight{d} : index")
            lines.append(f"%number{k + 1} = arith.addi {total}, %part{d} : index")
            total = f"%number{k + 1}"
        return lines + [f"%number = arith.index_cast {total} : index to i32"]


def _pad(name, result, value, dims, low, high, element):
    """Returns lines that pad (or cut, if negative) a tensor, and the new dimensions."""
    cut = [(max(-l, 0), max(-h, 0)) for l, h in zip(low, high)]
    kept = [n - a - b for n, (a, b) in zip(dims, cut)]
    lines = []
    if kept != dims:
        offsets, sizes = ", ".join(str(a) for a, _ in cut), ", ".join(map(str, kept))
        lines.append(f"{result}_cut = tensor.extract_slice {name}[{offsets}] [{sizes}] "
                     f"[{', '.join('1' for _ in dims)}] : {builder.tensor_text(dims, element)} to "
                     f"{builder.tensor_text(kept, element)}")
        name = f"{result}_cut"
    low, high = [max(l, 0) for l in low], [max(h, 0) for h in high]
    whole = [n + l + h for n, l, h in zip(kept, low, high)]
    arguments = ", ".join(f"%at{i}: index" for i in range(len(dims)))
    lines.append(f"""{result} = tensor.pad {name} low[{', '.join(map(str, low))}] high[{', '.join(map(str, high))}] {{
        ^bb0({arguments}):
        tensor.yield {value} : {element}
        }} : {builder.tensor_text(kept, element)} to {builder.tensor_text(whole, element)}""")
    return lines, whole


def _spread(name, result, value, dims, strides, element):
    """Returns lines that insert stride - 1 elements `value` between the elements of a tensor, its new name, and the new
    dimensions."""
    if all(s == 1 for s in strides):
        return [], name, dims
    whole = [(n - 1) * s + 1 for n, s in zip(dims, strides)]
    t = builder.tensor_text(whole, element)
    ones = ", ".join("0" for _ in dims)
    return [f"{result}_empty = tensor.empty() : {t}",
            f"{result}_fill = linalg.fill ins({value} : {element}) outs({result}_empty : {t}) -> {t}",
            f"{result} = tensor.insert_slice {name} into {result}_fill[{ones}] [{', '.join(map(str, dims))}] "
            f"[{', '.join(map(str, strides))}] : {builder.tensor_text(dims, element)} into {t}"], result, whole


def _is_zero(value):
    """True if `value` is 0 everywhere, and not -0."""
    owner = value.owner
    if not isinstance(owner, ir.Block) and owner.name == "stablehlo.broadcast_in_dim":
        value = owner.operands[0]
    number = builder.splat_constant(value)
    return number is not None and number.value == 0 and math.copysign(1, number.value) > 0


def _mask_of(op, window):
    """Returns (the `select` that is the only use of `op` and zeroes elements, which of its values is `op`), if windows
    are dimensions; else (None, None)."""
    for use in list(op.results[0].uses):
        if use.owner.name == "stablehlo.slice" and use.owner.results[0].type == op.results[0].type:
            builder.replace(use.owner, [op.results[0]])  # JAX slices away empty padding
    uses = list(op.results[0].uses)
    if not window.tiles or len(uses) != 1 or uses[0].owner.name != "stablehlo.select":
        return None, None
    select = uses[0].owner
    condition, *values = select.operands
    passes = values.index(op.results[0])
    of_elements = builder.shape(condition) == window.operand
    return (select, passes) if of_elements and _is_zero(values[1 - passes]) else (None, None)


def _chosen(window, loses, passes, e):
    """Returns lines that define %best: the kept element of each window, and its number; -2 if %mask zeroes the gradient
    of the element. The mask passes it where true if `passes` is 0, and where false if it is 1; without a mask `passes`
    is None."""
    if window.tiles:
        sizes, groups, at = window.split()
        read = builder.tensor_text(sizes, e)
        lines = [f"%windows = tensor.expand_shape %operand {groups} output_shape {sizes} : "
                 f"{builder.tensor_text(window.operand, e)} into {read}"]
        values, types, maps, arguments = ["%windows"], [read], [window.map(at)], f"%candidate: {e}"
        if passes is not None:
            flags = builder.tensor_text(sizes, "i1")
            lines.append(f"%flags = tensor.expand_shape %mask {groups} output_shape {sizes} : "
                         f"{builder.tensor_text(window.operand, 'i1')} into {flags}")
            values, types, maps, arguments = values + ["%flags"], types + [flags], maps * 2, arguments + ", %flag: i1"
    else:
        padded, dims = _pad("%operand", "%padded", "%zero", window.operand, window.low, window.high, e)
        at = [f"d{d} * {window.stride[d]}" + (f" + w{d}" if d in window.dims else "") for d in range(len(dims))]
        shape = builder.tensor_text([window.size[d] for d in window.dims], e)
        lines = padded + [f"%shape = tensor.empty() : {shape}"]
        values, types = ["%padded", "%shape"], [builder.tensor_text(dims, e), shape]
        maps = [window.map(at), window.map([f"w{d}" for d in window.dims])]
        arguments = f"%candidate: {e}, %unused: {e}"
    arms = "%masked, %number" if passes else "%number, %masked"
    mark, marked = "%number", []
    if passes is not None:
        mark, marked = "%mark", ["%masked = arith.constant -2 : i32", f"%mark = arith.select %flag, {arms} : i32"]
    kept, which = builder.tensor_text(window.source, e), builder.tensor_text(window.source, "i32")
    return lines + [f"""%empty = tensor.empty() : {kept}
        %empty_choice = tensor.empty() : {which}
        %start = linalg.fill ins(%zero : {e}) outs(%empty : {kept}) -> {kept}
        %start_choice = linalg.fill ins(%none : i32) outs(%empty_choice : {which}) -> {which}
        %best:2 = linalg.generic {{indexing_maps = [{', '.join(maps + [window.map(window.plain)] * 2)}],
            iterator_types = [{window.kinds("reduction")}]}}
            ins({', '.join(values)} : {', '.join(types)}) outs(%start, %start_choice : {kept}, {which}) {{
        ^bb0({arguments}, %kept: {e}, %which: i32):
        {NEWLINE.join(window.number(reverse=False) + marked)}
        %begin = arith.cmpi eq, %which, %none : i32
        {NEWLINE.join(loses)}
        %better = arith.ori %begin, %loses : i1
        {NEWLINE.join(_inside(window))}
        %value = arith.select %take, %candidate, %kept : {e}
        %at = arith.select %take, {mark}, %which : i32
        linalg.yield %value, %at : {e}, i32
        }} -> ({kept}, {which})"""]


def _inside(window):
    """Returns lines that define %take: %better, but false on padding, whose elements must not be chosen."""
    lines, last = [], None
    for d in window.dims:
        if window.low[d] <= 0 and window.high[d] <= 0:
            continue
        lines += [f"%o{d} = linalg.index {d} : index", f"%stride{d} = arith.constant {window.stride[d]} : index",
                  f"%base{d} = arith.muli %o{d}, %stride{d} : index", f"%at{d} = arith.addi %base{d}, %w{d} : index",
                  f"%first{d} = arith.constant {window.low[d]} : index",
                  f"%end{d} = arith.constant {window.low[d] + window.operand[d]} : index",
                  f"%a{d} = arith.cmpi sge, %at{d}, %first{d} : index", f"%b{d} = arith.cmpi slt, %at{d}, %end{d} : "
                  "index",
                  f"%in{d} = arith.andi %a{d}, %b{d} : i1"]
        if last:
            lines.append(f"%both{d} = arith.andi {last}, %in{d} : i1")
        last = f"%both{d}" if last else f"%in{d}"
    return lines + [f"%take = arith.andi %better, {last or '%better'} : i1"]


def _placed(window, e):
    """Returns lines that define %result: each window's source at its chosen element, zeros elsewhere."""
    sizes, groups, at = window.split()
    parts, result = builder.tensor_text(sizes, e), builder.tensor_text(window.operand, e)
    source, chosen = builder.tensor_text(window.source, e), builder.tensor_text(window.source, "i32")
    maps = ", ".join([window.map(window.plain)] * 2 + [window.map(at)])
    return [f"""%empty_parts = tensor.empty() : {parts}
        %parts = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{window.kinds("parallel")}]}}
            ins(%source, %best#1 : {source}, {chosen}) outs(%empty_parts : {parts}) {{
        ^bb0(%value: {e}, %which: i32, %unused: {e}):
        {NEWLINE.join(window.number(reverse=False))}
        %hit = arith.cmpi eq, %which, %number : i32
        %part = arith.select %hit, %value, %zero : {e}
        linalg.yield %part : {e}
        }} -> {parts}
        %result = tensor.collapse_shape %parts {groups} : {parts} into {result}"""]


def _summed(window, e, add):
    """Returns lines that define %result: for each element, the sum of the sources of the windows that chose it, added
    to %init."""
    rank = len(window.operand)
    spread, source, dims = _spread("%source", "%spread", "%zero", window.source, window.stride, e)
    spread_choice, choice, _ = _spread("%best#1", "%spread_choice", "%none", window.source, window.stride, "i32")
    low = [window.size[d] - 1 - window.low[d] for d in range(rank)]
    high = [window.operand[d] + window.size[d] - 1 - dims[d] - low[d] for d in range(rank)]
    pad_source, around = _pad(source, "%around", "%zero", dims, low, high, e)
    pad_choice, _ = _pad(choice, "%around_choice", "%none", dims, low, high, "i32")
    back = [f"d{d}" + (f" + w{d}" if d in window.dims else "") for d in range(rank)]
    result, shape = builder.tensor_text(window.operand, e), builder.tensor_text([window.size[d] for d in window.dims],
                                                                                e)
    maps = ", ".join([window.map(back)] * 2 + [window.map([f"w{d}" for d in window.dims]), window.map(window.plain)])
    return spread + spread_choice + pad_source + pad_choice + [f"""%scalar = tensor.extract %init[] : tensor<{e}>
        %sizes = tensor.empty() : {shape}
        %empty_result = tensor.empty() : {result}
        %filled = linalg.fill ins(%scalar : {e}) outs(%empty_result : {result}) -> {result}
        %result = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{window.kinds("reduction")}]}}
            ins(%around, %around_choice, %sizes : {builder.tensor_text(around, e)},
                {builder.tensor_text(around, "i32")}, {shape})
            outs(%filled : {result}) {{
        ^bb0(%value: {e}, %which: i32, %unused: {e}, %sum: {e}):
        {NEWLINE.join(window.number(reverse=True))}
        %hit = arith.cmpi eq, %which, %number : i32
        %part = arith.select %hit, %value, %zero : {e}
        %new = {add} %sum, %part : {e}
        linalg.yield %new : {e}
        }} -> {result}"""]


def rewrite_select_and_scatter(op):
    if not adds(op):
        raise FrontendError("'stablehlo.select_and_scatter' combines by something other than an addition "
                            f"({place(op.location) or op.location})")
    window = Window(op)
    element = builder.element_type(op.operands[0])
    e, is_float = str(element), isinstance(element, ir.FloatType)
    loses = selection(op, e, is_float)
    masked, passes, arguments, operands = None, None, "", list(op.operands)
    if window.tiles and _is_zero(op.operands[2]):
        result = _placed(window, e)
        masked, passes = _mask_of(op, window)
        if masked:
            arguments, operands = (f", %mask: {builder.tensor_text(window.operand, 'i1')}",
                                   operands + [masked.operands[0]])
    else:
        result = _summed(window, e, "arith.addf" if is_float else "arith.addi")
    whole, source = builder.tensor_text(window.operand, element), builder.tensor_text(window.source, element)
    text = f"""func.func @pool(%operand: {whole}, %source: {source}, %init: tensor<{e}>{arguments}) -> {whole} {{
        %zero = arith.constant {"0.0" if is_float else "0"} : {e}
        %none = arith.constant -1 : i32
        {NEWLINE.join(_chosen(window, loses, passes, e) + result)}
        return %result : {whole}
    }}"""
    # The mask may be computed after `op`.
    builder.splice(masked or op, text, operands)
    if masked:
        op.erase()


def rewrite(module):
    for op in builder.innermost_first(module.operation, "stablehlo.select_and_scatter"):
        rewrite_select_and_scatter(op)
