"""stablehlo.while, case and if -> scf.

A counting while becomes scf.for: its condition is `carry < bound`, its body adds a constant to that carry, and the
bound does not change. Carries that the body returns unchanged become values from outside of the loop. Any other while
becomes scf.while. A case of two branches becomes scf.if, any other scf.index_switch; in StableHLO an index out of range
selects the last branch.
"""
from jaxlib.mlir import ir

from ..ir import builder


def _scalar(value, before):
    """Returns the element of a tensor of rank 0."""
    value = builder.cast(value, builder.signless(value.type), before)
    return builder.create(before, "tensor.extract", [builder.element_type(value)], [value]).results[0]


def _index(value, before):
    """Returns the element of an integer tensor of rank 0 as an index."""
    return builder.create(before, "arith.index_cast", [ir.IndexType.get()], [_scalar(value, before)]).results[0]


def _constant(value):
    """Returns the integer of a splat or scalar constant, else None."""
    number = builder.splat_constant(value)
    return None if number is None else ir.IntegerAttr(number).value


def _defined_in(value, block):
    owner = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation.block
    return owner == block


class Counted:
    """A while that counts: `carry` runs from `lower` below `upper` by `step`. `upper` is a value from outside of the
    loop, or the operand of a carry that the body does not change."""

    def __init__(self, op):
        self.carry = None
        condition, body = (region.blocks[0] for region in op.regions)
        returned = list(body.operations)[-1].operands
        self.invariant = {i for i, value in enumerate(returned) if value == body.arguments[i]}
        compare = list(condition.operations)[-1].operands[0].owner
        if isinstance(compare, ir.Block) or compare.name != "stablehlo.compare":
            return
        direction = str(compare.attributes["comparison_direction"])
        left, right = compare.operands
        if "LT" not in direction and "GT" not in direction or len(compare.operands) != 2:
            return
        if "GT" in direction:  # bound > carry
            left, right = right, left
        # A float counter is an ordinary carry, since scf.for counts integers.
        if left.owner != condition or builder.shape(left) or not isinstance(builder.element_type(left), ir.IntegerType):
            return
        carry = left.arg_number
        bound = self._bound(op, condition, right)
        step = self._step(body, returned[carry], carry)
        if bound is None or step is None:
            return
        self.carry, self.upper, self.step, self.lower = carry, bound, step, op.operands[carry]
        unsigned = ir.IntegerType(builder.element_type(self.lower)).is_unsigned
        if unsigned:  # scf.for counts signed integers
            self.carry = None

    def _bound(self, op, condition, value):
        if isinstance(value.owner, ir.Block) and value.owner == condition:
            return op.operands[value.arg_number] if value.arg_number in self.invariant else None
        if not _defined_in(value, condition):
            return value
        if value.owner.name == "stablehlo.constant":  # constants can move out of the loop
            value.owner.operation.move_before(op)
            return value
        return None

    @staticmethod
    def _step(body, value, carry):
        if isinstance(value.owner, ir.Block) or value.owner.name != "stablehlo.add":
            return None
        left, right = value.owner.operands
        if right == body.arguments[carry]:
            left, right = right, left
        step = _constant(right) if left == body.arguments[carry] else None
        return step if step and step > 0 else None


def _counted_loop(op, loop):
    """Rewrites a counting loop as scf.for, and computes the value of the counter after it."""
    body = op.regions[1].blocks[0]
    lower, upper = _index(loop.lower, op), _index(loop.upper, op)
    step = builder.create(op, "arith.constant", [ir.IndexType.get()], [],
                          attributes={"value": ir.IntegerAttr.get(ir.IndexType.get(), loop.step)})
    carried = [i for i in range(len(op.operands)) if i != loop.carry and i not in loop.invariant]
    types = [op.operands[i].type for i in carried]
    made = builder.create(op, "scf.for", types, [lower, upper, step.results[0], *(op.operands[i] for i in carried)],
                          regions=1, loc=op.location)
    block = ir.Block.create_at_start(made.regions[0], [ir.IndexType.get(), *types])
    counter_type = op.operands[loop.carry].type
    scalar = builder.signless(builder.element_type(op.operands[loop.carry]))
    with ir.InsertionPoint(block):
        number = ir.Operation.create("arith.index_cast", results=[scalar], operands=[block.arguments[0]])
        counter = ir.Operation.create("tensor.from_elements", results=[counter_type], operands=[number.results[0]])
    inner = dict(zip(carried, list(block.arguments)[1:])) | {i: op.operands[i]
                                                             for i in loop.invariant} | {loop.carry: counter.results[0]}
    terminator = list(body.operations)[-1]
    yielded = list(terminator.operands)
    terminator.operation.erase()
    with ir.InsertionPoint(body):
        ir.Operation.create("scf.yield", operands=[yielded[i] for i in carried])
    for i, argument in enumerate(body.arguments):
        argument.replace_all_uses_with(inner[i])
    for inner_op in list(body.operations):
        block.append(inner_op)
    results = dict(zip(carried, made.results)) | {i: op.operands[i] for i in loop.invariant}
    if list(op.results[loop.carry].uses):
        results[loop.carry] = _counter_after(op, loop)
    else:
        results[loop.carry] = loop.lower
    builder.replace(op, [results[i] for i in range(len(op.results))])


def _counter_after(op, loop):
    """Returns lower + step * ceil(max(upper - lower, 0) / step)."""
    t = loop.lower.type
    s = loop.step
    return builder.insert(f"""func.func @after(%lower: {t}, %upper: {t}) -> {t} {{
        %zero = stablehlo.constant dense<0> : {t}
        %step = stablehlo.constant dense<{s}> : {t}
        %more = stablehlo.constant dense<{s - 1}> : {t}
        %span = stablehlo.subtract %upper, %lower : {t}
        %least = stablehlo.maximum %span, %zero : {t}
        %up = stablehlo.add %least, %more : {t}
        %trips = stablehlo.divide %up, %step : {t}
        %all = stablehlo.multiply %trips, %step : {t}
        %last = stablehlo.add %lower, %all : {t}
        return %last : {t}
    }}""", [loop.lower, loop.upper], op)[0]


def _general_loop(op):
    """Rewrites a loop as scf.while; the condition passes all carries on."""
    condition, body = (region.blocks[0] for region in op.regions)
    types = [value.type for value in op.operands]
    made = builder.create(op, "scf.while", types, list(op.operands), regions=2, loc=op.location)
    before = ir.Block.create_at_start(made.regions[0], types)
    after = ir.Block.create_at_start(made.regions[1], types)
    terminator = list(condition.operations)[-1].operation
    flag = _scalar(terminator.operands[0], terminator)
    terminator.erase()
    with ir.InsertionPoint(condition):
        ir.Operation.create("scf.condition", operands=[flag, *before.arguments])
    for source, target in ((condition, before), (body, after)):
        for old, new in zip(source.arguments, target.arguments):
            old.replace_all_uses_with(new)
        for inner in list(source.operations):
            target.append(inner)
    _yield_at_end(after)
    builder.replace(op, list(made.results))


def _yield_at_end(block):
    """Turns the block's stablehlo.return into scf.yield."""
    terminator = list(block.operations)[-1].operation
    values = list(terminator.operands)
    terminator.erase()
    with ir.InsertionPoint(block):
        ir.Operation.create("scf.yield", operands=values)


def rewrite_while(op):
    loop = Counted(op)
    _general_loop(op) if loop.carry is None else _counted_loop(op, loop)


def _branches(op, name, operand, order, **attributes):
    """Replaces `op` by the operation `name` with the regions of `op` in the given order."""
    made = builder.create(op, name, [r.type for r in op.results], [operand], regions=len(order), attributes=attributes,
                          loc=op.location)
    for position, source in enumerate(order):
        block = ir.Block.create_at_start(made.regions[position], [])
        for inner in list(op.regions[source].blocks[0].operations):
            block.append(inner)
        _yield_at_end(block)
    builder.replace(op, list(made.results))


def rewrite_case(op):
    count = len(op.regions)
    index = _scalar(op.operands[0], op)
    if count == 2:
        zero = builder.create(op, "arith.constant", [index.type], [],
                              attributes={"value": ir.IntegerAttr.get(index.type, 0)})
        equal = builder.create(op, "arith.cmpi", [ir.IntegerType.get_signless(1)], [index, zero.results[0]],
                               attributes={"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)})
        return _branches(op, "scf.if", equal.results[0], [0, 1])
    number = _index(op.operands[0], op)
    return _branches(op, "scf.index_switch", number, [count - 1, *range(count - 1)],
                     cases=ir.DenseI64ArrayAttr.get(list(range(count - 1))))


def rewrite_if(op):
    _branches(op, "scf.if", _scalar(op.operands[0], op), [0, 1])


def rewrite(module):
    """Rewrites all control flow of a module of StableHLO, inner operations first."""
    for name, how in (("stablehlo.while", rewrite_while), ("stablehlo.case", rewrite_case),
                      ("stablehlo.if", rewrite_if)):
        for op in builder.innermost_first(module.operation, name):
            how(op)
