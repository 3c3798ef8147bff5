"""cholesky and triangular_solve -> loops over columns, written in StableHLO.

    cholesky            L[:, j] = (A[:, j] - L L[j, :]) / sqrt(of the pivot)       column by column
    triangular_solve    X[i, :] = (B[i, :] - A[i, :] X) / A[i, i]                  row by row; other forms are transposed and turned to this one

Rows and columns are picked by comparing positions, so nothing is addressed by data, and matrices may be batched. Made for the matrices of
optimizers (Shampoo, whitening), which all ranks have alike: n rounds over n^2 elements, one after another.
"""
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from . import builder


def _text(dims, element):
    return builder.tensor_text(dims, element)


def _sum(name, value, type_, dim, result, element):
    """The lines of a sum over one dimension."""
    return (f"{name} = stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = [{dim}] : "
            f"({type_}, tensor<{element}>) -> {result}")


def cholesky(op):
    lower = "lower" in op.attributes and ir.BoolAttr(op.attributes["lower"]).value
    a = op.operands[0]
    dims, e = builder.shape(a), builder.element_type(a)
    rank, n = len(dims), dims[-1]
    row, column = rank - 2, rank - 1
    t, v, s = _text(dims, e), _text(dims[:-1], e), _text(dims[:-2], e)
    batch = list(range(rank - 2))
    turned = [*batch, column, row]
    flip = lambda name, value: f"{name} = stablehlo.transpose {value}, dims = {turned} : ({t}) -> {t}"
    p, i, vi = _text(dims, "i1"), _text(dims, "i32"), _text(dims[:-1], "i32")
    builder.splice(op, f"""func.func @cholesky(%given: {t}) -> {t} {{
        {flip("%a", "%given") if not lower else f"%a = stablehlo.optimization_barrier %given : {t}"}
        %zero = stablehlo.constant dense<0.0> : tensor<{e}>
        %zeros = stablehlo.constant dense<0.0> : {t}
        %rows = stablehlo.iota dim = {row} : {i}
        %columns = stablehlo.iota dim = {column} : {i}
        %first = stablehlo.constant dense<0> : tensor<i32>
        %end = stablehlo.constant dense<{n}> : tensor<i32>
        %step = stablehlo.constant dense<1> : tensor<i32>
        %result:2 = stablehlo.while(%j = %first, %l = %zeros) : tensor<i32>, {t}
        cond {{
          %more = stablehlo.compare LT, %j, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %more : tensor<i1>
        }} do {{
          %at = stablehlo.broadcast_in_dim %j, dims = [] : (tensor<i32>) -> {i}
          %in_row = stablehlo.compare EQ, %rows, %at, SIGNED : ({i}, {i}) -> {p}
          %in_column = stablehlo.compare EQ, %columns, %at, SIGNED : ({i}, {i}) -> {p}
          %row_only = stablehlo.select %in_row, %l, %zeros : {p}, {t}
          {_sum("%pivots", "%row_only", t, row, v, e)}
          %across = stablehlo.broadcast_in_dim %pivots, dims = {[*batch, column]} : ({v}) -> {t}
          %products = stablehlo.multiply %l, %across : {t}
          {_sum("%known", "%products", t, column, v, e)}
          %column_only = stablehlo.select %in_column, %a, %zeros : {p}, {t}
          {_sum("%wanted", "%column_only", t, column, v, e)}
          %rest = stablehlo.subtract %wanted, %known : {v}
          %down = stablehlo.broadcast_in_dim %rest, dims = {[*batch, row]} : ({v}) -> {t}
          %corner_both = stablehlo.and %in_row, %in_column : {p}
          %corner_only = stablehlo.select %corner_both, %down, %zeros : {p}, {t}
          {_sum("%corner_row", "%corner_only", t, column, v, e)}
          {_sum("%corner", "%corner_row", v, rank - 2, s, e)}
          %root = stablehlo.sqrt %corner : {s}
          %roots = stablehlo.broadcast_in_dim %root, dims = {batch} : ({s}) -> {t}
          %scaled = stablehlo.divide %down, %roots : {t}
          %below = stablehlo.compare GE, %rows, %at, SIGNED : ({i}, {i}) -> {p}
          %here = stablehlo.and %below, %in_column : {p}
          %new = stablehlo.select %here, %scaled, %l : {p}, {t}
          %next = stablehlo.add %j, %step : tensor<i32>
          stablehlo.return %next, %new : tensor<i32>, {t}
        }}
        {flip("%out", "%result#1") if not lower else f"%out = stablehlo.optimization_barrier %result#1 : {t}"}
        return %out : {t}
    }}""", [a])


def _substitute(a, b, unit):
    """The text of forward substitution with a lower triangle."""
    ad, bd, e = builder.shape(a), builder.shape(b), builder.element_type(b)
    rank, n, m = len(bd), bd[-2], bd[-1]
    row, column = rank - 2, rank - 1
    batch = list(range(rank - 2))
    at, bt, av, bv, s = _text(ad, e), _text(bd, e), _text(ad[:-1], e), _text([*bd[:-2], m], e), _text(ad[:-2], e)
    ai, bi, ap, bp = _text(ad, "i32"), _text(bd, "i32"), _text(ad, "i1"), _text(bd, "i1")
    corner = f"""%diagonal_both = stablehlo.and %in_row, %in_column : {ap}
          %diagonal_only = stablehlo.select %diagonal_both, %a, %a_zeros : {ap}, {at}
          {_sum("%diagonal_row", "%diagonal_only", at, column, av, e)}
          {_sum("%diagonal", "%diagonal_row", av, rank - 2, s, e)}
          %divisor = stablehlo.broadcast_in_dim %diagonal, dims = {batch} : ({s}) -> {bv}
          %solved = stablehlo.divide %rest, %divisor : {bv}"""
    return f"""func.func @solve(%a: {at}, %b: {bt}) -> {bt} {{
        %zero = stablehlo.constant dense<0.0> : tensor<{e}>
        %a_zeros = stablehlo.constant dense<0.0> : {at}
        %b_zeros = stablehlo.constant dense<0.0> : {bt}
        %a_rows = stablehlo.iota dim = {row} : {ai}
        %a_columns = stablehlo.iota dim = {column} : {ai}
        %b_rows = stablehlo.iota dim = {row} : {bi}
        %first = stablehlo.constant dense<0> : tensor<i32>
        %end = stablehlo.constant dense<{n}> : tensor<i32>
        %step = stablehlo.constant dense<1> : tensor<i32>
        %result:2 = stablehlo.while(%i = %first, %x = %b_zeros) : tensor<i32>, {bt}
        cond {{
          %more = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %more : tensor<i1>
        }} do {{
          %a_at = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> {ai}
          %b_at = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> {bi}
          %in_row = stablehlo.compare EQ, %a_rows, %a_at, SIGNED : ({ai}, {ai}) -> {ap}
          %in_column = stablehlo.compare EQ, %a_columns, %a_at, SIGNED : ({ai}, {ai}) -> {ap}
          %left = stablehlo.compare LT, %a_columns, %a_at, SIGNED : ({ai}, {ai}) -> {ap}
          %used = stablehlo.and %in_row, %left : {ap}
          %used_only = stablehlo.select %used, %a, %a_zeros : {ap}, {at}
          {_sum("%factors", "%used_only", at, row, av, e)}
          %down = stablehlo.broadcast_in_dim %factors, dims = {[*batch, row]} : ({av}) -> {bt}
          %products = stablehlo.multiply %x, %down : {bt}
          {_sum("%known", "%products", bt, row, bv, e)}
          %wanted_row = stablehlo.compare EQ, %b_rows, %b_at, SIGNED : ({bi}, {bi}) -> {bp}
          %wanted_only = stablehlo.select %wanted_row, %b, %b_zeros : {bp}, {bt}
          {_sum("%wanted", "%wanted_only", bt, row, bv, e)}
          %rest = stablehlo.subtract %wanted, %known : {bv}
          {corner if not unit else f"%solved = stablehlo.optimization_barrier %rest : {bv}"}
          %across = stablehlo.broadcast_in_dim %solved, dims = {[*batch, column]} : ({bv}) -> {bt}
          %new = stablehlo.select %wanted_row, %across, %x : {bp}, {bt}
          %next = stablehlo.add %i, %step : tensor<i32>
          stablehlo.return %next, %new : tensor<i32>, {bt}
        }}
        return %result#1 : {bt}
    }}"""


def triangular_solve(op):
    flag = lambda name: ir.BoolAttr(op.attributes[name]).value
    left, lower, unit = flag("left_side"), flag("lower"), flag("unit_diagonal")
    turned = "NO_TRANSPOSE" not in str(op.attributes["transpose_a"])
    rank = len(builder.shape(op.operands[0]))
    swap = [*range(rank - 2), rank - 1, rank - 2]
    a, b = op.operands
    with ir.InsertionPoint(op), op.location:
        # x a = b is the transpose of a^T x^T = b^T.
        if not left:
            turned, b = not turned, hlo.transpose(b, swap)
        if turned:
            a, lower = hlo.transpose(a, swap), not lower
        if not lower:  # from the last row to the first
            a, b = hlo.reverse(a, [rank - 2, rank - 1]), hlo.reverse(b, [rank - 2])
        x = builder.insert(_substitute(a, b, unit), [a, b], op)[0]
        x = x if lower else hlo.reverse(x, [rank - 2])
        x = x if left else hlo.transpose(x, swap)
    builder.replace(op, [x])


def rewrite(module):
    for op in builder.innermost_first(module.operation, "stablehlo.cholesky"):
        cholesky(op)
    for op in builder.innermost_first(module.operation, "stablehlo.triangular_solve"):
        triangular_solve(op)
