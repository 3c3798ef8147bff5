"""Steps of one kernel each, whose bytes are known: what share of the card's copy bandwidth a mapping of loops to
threads reaches.

A step reads and writes BYTES for each element of a matrix of [elements / 1024, 1024]; whatever a kernel reads twice
counts once.
"""
COLUMNS = 1024
# that a scheme reads and writes for each element
BYTES = {"flat": 16, "row": 8, "softmax": 8, "column": 4, "total": 4, "transposed": 12}


def elements_of(mebibytes, small):
    """Of a matrix of so much memory; of one that a test can execute."""
    return (mebibytes << 20) // (256 if small else 4)


def all_schemes():
    """{name: step(params, state, batch) -> (params, state, metric)}."""
    import jax
    small = lambda batch: batch["x"].mean()

    def flat(p, s, b):
        return {"w": p["w"] - 0.1 * s["v"] + small(b)}, {"v": 0.9 * s["v"] + p["w"]}, small(b)

    def row(p, s, b):
        w = p["w"]
        return {"w": (w - w.mean(1, keepdims=True)) * jax.lax.rsqrt(w.var(1, keepdims=True) + 1e-5)}, s, small(b)

    def softmax(p, s, b):
        return {"w": jax.nn.softmax(p["w"], axis=1)}, s, small(b)

    def column(p, s, b):
        return p, {"v": s["v"] + p["w"].sum(0)}, small(b)

    def total(p, s, b):
        return p, s, (p["w"] * p["w"]).sum() + small(b)

    def transposed(p, s, b):
        return p, {"v": p["w"].T + s["v"]}, small(b)
    return {"flat": flat, "row": row, "softmax": softmax, "column": column, "total": total, "transposed": transposed}


def arguments(name, elements):
    """(params, state, batch) of a scheme."""
    import numpy as np
    rows = elements // COLUMNS
    shapes = {"flat": (rows, COLUMNS), "column": (COLUMNS,), "transposed": (COLUMNS, rows)}
    draw = np.random.default_rng(0)
    return {"w": draw.standard_normal((rows, COLUMNS),
                                      np.float32)}, {"v": np.zeros(shapes.get(name, (1,)),
                                                                   np.float32)}, {"x": np.zeros(8, np.float32)}
