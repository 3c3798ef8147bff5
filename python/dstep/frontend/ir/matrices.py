"""Rows and columns of matrices in the last two dimensions, selected by comparing positions, and their order by a
key."""
from .expressions import counted, where


def positions(a):
    """Returns the row and the column of each element, as a column and as a row."""
    n, m = a.shape[-2:]
    return counted([n, 1], 0), counted([1, m], 1)


def picked(a, chosen, dim):
    """Returns the one row (dim = -2) or column (dim = -1) of a that is chosen."""
    return where(chosen, a, a.like(0)).sum(dim)


def identity(a):
    """Returns the identity in the shape of a."""
    rows, columns = positions(a)
    return where(rows == columns, a.like(1), a.like(0))


def ordered(keys, *others):
    """Returns a row of keys in ascending order, and the columns of matrices in the order of their keys; the sort is
    stable."""
    n = keys.shape[-1]
    rows, columns = counted([n, 1], 0), counted([1, n], 1)
    # The new position of a column is the number of keys before its own.
    before = (keys.T < keys) | ((keys.T == keys) & (rows < columns))
    place = where(before, rows.like(1, before.shape), rows.like(0, before.shape)).sum(-2)
    chosen = place.T == columns  # [from, to]

    def moved(a):
        *batch, m, _ = a.shape
        wide = a.reshape([*batch, m, n, 1])
        return where(chosen.reshape([*chosen.shape[:-2], 1, n, n]), wide, wide.like(0)).sum(-2).reshape([*batch, m, n])
    return [where(chosen, keys.T, keys.T.like(0)).sum(-2), *(moved(a) for a in others)]
