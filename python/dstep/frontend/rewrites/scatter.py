"""stablehlo.scatter -> one linalg.generic.

An indicator reduction: out[o] combines upd[u] for every u whose index equals o. The parallel loops are the dimensions
of the operand, the reduction loops are the dimensions of the updates that hold indices, so an analysis sees that
sharded updates give a partial result. A value is selected, not multiplied: infinities elsewhere are harmless. Updates
whose window leaves the operand match nothing, which is StableHLO's rule. `set` keeps the value of the last matching
update.

Cost: operand times number of updates, without temporaries; a compiler may recognise `select(index == loop, update,
neutral)` and generate better code.
"""
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ...base.errors import FrontendError
from ..ir import builder
from ..ir.leftovers import place

# The combiner as operations on floats and on integers, and its neutral element.
COMBINERS = {"stablehlo.add": ("arith.addf", "arith.addi"), "stablehlo.multiply": ("arith.mulf", "arith.muli"),
             "stablehlo.maximum": ("arith.maximumf", "arith.maxsi"),
             "stablehlo.minimum": ("arith.minimumf", "arith.minsi"),
             "stablehlo.and": (None, "arith.andi"), "stablehlo.or": (None, "arith.ori")}
UNSIGNED = {"arith.maxsi": "arith.maxui", "arith.minsi": "arith.minui"}


def combiner(op):
    """Returns the combiner of a scatter's region: an arith operation, or 'set'."""
    block = op.regions[0].blocks[0]
    body = list(block.operations)
    element = builder.element_type(op.operands[0])
    if len(body) == 1 and body[0].operands[0] == block.arguments[1]:
        return "set"
    name = body[0].operation.name
    known = name in COMBINERS and len(body) == 2 and set(body[0].operands) == set(block.arguments)
    found = COMBINERS[name][0 if isinstance(element, ir.FloatType) else 1] if known else None
    if found is None:
        raise FrontendError(f"'stablehlo.scatter' combines by a function that is none of set, {', '.join(COMBINERS)} "
                            f"({place(op.location) or op.location})")
    if isinstance(element, ir.IntegerType) and element.is_unsigned:
        found = UNSIGNED.get(found, found)
    return "arith.ori" if str(element) == "i1" and found == "arith.addi" else found


def neutral(name, element):
    """Returns the literal of the neutral element of a combiner."""
    if isinstance(element, ir.FloatType):
        if name in ("arith.addf", "arith.mulf"):
            return {"arith.addf": "0.0", "arith.mulf": "1.0"}[name]
        width, mantissa = element.width, {"bf16": 7, "f16": 10, "f32": 23, "f64": 52}[str(element)]
        infinity = (1 << (width - 1)) - (1 << mantissa)
        return hex(infinity | (1 << (width - 1)) if name == "arith.maximumf" else infinity)
    width = ir.IntegerType(element).width
    return str({"arith.addi": 0, "arith.ori": 0, "arith.muli": 1, "arith.andi": -1, "arith.maxui": 0, "arith.minui": -1,
                "arith.maxsi": -(1 << (width - 1)), "arith.minsi": (1 << (width - 1)) - 1}[name]) if width > 1 else \
        {"arith.andi": "true", "arith.muli": "true"}.get(name, "false")


class Loops:
    """The iteration space: one parallel loop per dimension of the operand, then one reduction loop per scatter
    dimension of the updates and per window dimension that may start anywhere."""

    def __init__(self, op):
        numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
        operand, indices, updates = (builder.shape(v) for v in op.operands)
        self.operand, self.indices = operand, indices
        self.rank = len(operand)
        self.scattered = list(numbers.scattered_dims_to_operand_dims)
        self.vector_dim = numbers.index_vector_dim
        window_dims = list(numbers.update_window_dims)
        inserted = [*numbers.inserted_window_dims, *numbers.input_batching_dims]
        windowed = [d for d in range(self.rank) if d not in inserted]
        # The size of the window in each dimension of the operand.
        self.window = [1] * self.rank
        self.loops = [f"o{d}" for d in range(self.rank)]
        self.offset = {}  # dimension of the operand -> loop over the window
        update_map = [None] * len(updates)
        for dim, operand_dim in zip(window_dims, windowed):
            self.window[operand_dim] = updates[dim]
            if operand_dim not in self.scattered and updates[dim] == operand[operand_dim]:
                update_map[dim] = f"o{operand_dim}"  # the whole dimension: element u of the window is element o
            else:
                self.offset[operand_dim] = f"w{operand_dim}"
                self.loops.append(f"w{operand_dim}")
                update_map[dim] = f"w{operand_dim}"
        # Dimensions of the indices without the one that holds the coordinates, paired with those of the updates.
        index_dims = [d for d in range(len(indices)) if d != self.vector_dim]
        batching = dict(zip(numbers.scatter_indices_batching_dims, numbers.input_batching_dims))
        scatter_dims = [d for d in range(len(updates)) if d not in window_dims]
        self.index_map = []
        for dim, index_dim in zip(scatter_dims, index_dims, strict=True):
            name = f"o{batching[index_dim]}" if index_dim in batching else f"u{dim}"
            if index_dim not in batching:
                self.loops.append(name)
            update_map[dim] = name
            self.index_map.append(name)
        self.update_map = update_map

    def map(self, names):
        return f"affine_map<({', '.join(self.loops)}) -> ({', '.join(names)})>"

    def iterators(self):
        return ", ".join(['"parallel"'] * self.rank + ['"reduction"'] * (len(self.loops) - self.rank))


def coordinate_slices(loops, element):
    """Returns one tensor of indices per scattered dimension, sliced from the operand `%indices`."""
    dims = loops.indices
    if loops.vector_dim == len(dims):
        return "", ["%indices"], dims
    rest = [d for i, d in enumerate(dims) if i != loops.vector_dim]
    lines, names = [], []
    for k in range(len(loops.scattered)):
        offsets = ", ".join(str(k if i == loops.vector_dim else 0) for i in range(len(dims)))
        sizes = ", ".join(str(1 if i == loops.vector_dim else d) for i, d in enumerate(dims))
        lines.append(f"%coordinate{k} = tensor.extract_slice %indices[{offsets}] [{sizes}] "
                     f"[{', '.join('1' for _ in dims)}] : {builder.tensor_text(dims, element)} to "
                     f"{builder.tensor_text(rest, element)}")
        names.append(f"%coordinate{k}")
    return "\n".join(lines), names, rest


def match(loops, element):
    """Returns lines that compute %hit: this update belongs to this element of the operand."""
    lines, hits = [], []
    for dim in range(loops.rank):
        coordinate = f"%i{loops.scattered.index(dim)}" if dim in loops.scattered else None
        if coordinate is None and dim not in loops.offset:
            continue  # an inserted dimension that is not scattered has size 1; a whole window matches everywhere
        lines.append(f"%p{dim} = linalg.index {dim} : index")
        lines.append(f"%position{dim} = arith.index_cast %p{dim} : index to {element}")
        start = coordinate
        if dim in loops.offset:
            lines.append(f"%q{dim} = linalg.index {loops.loops.index(loops.offset[dim])} : index")
            lines.append(f"%offset{dim} = arith.index_cast %q{dim} : index to {element}")
            start = f"%offset{dim}"
            if coordinate:
                lines.append(f"%start{dim} = arith.addi {coordinate}, %offset{dim} : {element}")
                start = f"%start{dim}"
        lines.append(f"%hit{dim} = arith.cmpi eq, {start}, %position{dim} : {element}")
        hits.append(f"%hit{dim}")
        if coordinate and loops.window[dim] > 1:
            # The whole window must fit; a single element cannot leave an operand that it matches.
            lines.append(f"%first{dim} = arith.constant 0 : {element}")
            lines.append(f"%last{dim} = arith.constant {loops.operand[dim] - loops.window[dim]} : {element}")
            lines.append(f"%after{dim} = arith.cmpi sge, {coordinate}, %first{dim} : {element}")
            lines.append(f"%before{dim} = arith.cmpi sle, {coordinate}, %last{dim} : {element}")
            hits += [f"%after{dim}", f"%before{dim}"]
    if not hits:
        return ["%hit = arith.constant true"]
    for k, hit in enumerate(hits[1:]):
        lines.append(f"%all{k} = arith.andi {hits[0] if k == 0 else f'%all{k - 1}'}, {hit} : i1")
    return lines, (f"%all{len(hits) - 2}" if len(hits) > 1 else hits[0])


def rewrite_scatter(op):
    if len(op.operands) != 3:
        raise FrontendError(f"'stablehlo.scatter' of {len(op.operands) // 2} operands at once is not supported, "
                            f"expected one ({place(op.location) or op.location})")
    loops, how = Loops(op), combiner(op)
    t, it, ut = (builder.signless(v.type) for v in op.operands)
    element, index = builder.signless(builder.element_type(op.operands[0])), builder.signless(
        builder.element_type(op.operands[1]))
    slices, coordinates, index_dims = coordinate_slices(loops, index)
    found = match(loops, index)
    lines, hit = (found, "%hit") if isinstance(found, list) else found
    # A generic without reduction loops must not read its own result: upstream fusion would repeat the addition.
    reduces = len(loops.loops) > loops.rank
    inputs = coordinates + ["%updates"] + ([] if reduces else ["%operand"])
    types = [builder.tensor_text(index_dims, index)] * len(coordinates) + [str(ut)] + ([] if reduces else [str(t)])
    whole = [f"o{d}" for d in range(loops.rank)]
    maps = [loops.map(loops.index_map)] * len(coordinates) + [loops.map(loops.update_map)] + ([] if reduces
                                                                                              else [loops.map(whole)])
    arguments = [f"%i{k}: {index}" for k in range(len(coordinates))] + [f"%update: {element}"]
    arguments += [f"%old: {element}"] + ([] if reduces else [f"%ignored: {element}"])
    if how == "set":
        tail = [f"%new = arith.select {hit}, %update, %old : {element}"]
    else:
        tail = [f"%neutral = arith.constant {neutral(how, builder.element_type(op.operands[0]))}"
                + ("" if str(element) == "i1" else f" : {element}"),
                f"%chosen = arith.select {hit}, %update, %neutral : {element}",
                f"%new = {how} %old, %chosen : {element}"]
    start = "%operand" if reduces else "%empty"
    newline = "\n        "
    builder.splice(op, f"""func.func @scatter(%operand: {t}, %indices: {it}, %updates: {ut}) -> {t} {{
        {slices}
        {'' if reduces else f'%empty = tensor.empty() : {t}'}
        %result = linalg.generic {{indexing_maps = [{', '.join(maps)}, {loops.map(whole)}],
            iterator_types = [{loops.iterators()}]}}
            ins({', '.join(inputs)} : {', '.join(types)}) outs({start} : {t}) {{
        ^bb0({', '.join(arguments)}):
        {newline.join(lines + tail)}
        linalg.yield %new : {element}
        }} -> {t}
        return %result : {t}
    }}""", list(op.operands))


def rewrite(module):
    for op in builder.innermost_first(module.operation, "stablehlo.scatter"):
        rewrite_scatter(op)
