"""The update modes of linear.mlir, written out in Python for n ranks, each of which has four samples of its own.

update_modes.py make DIR RANKS [exact]                  x-R.npy, y-R.npy of each rank, init.safetensors; `exact`:
                                                        numbers of few bits
update_modes.py check DIR RANKS STEPS FILE KEYS         whether FILE, a checkpoint behind so many steps, holds what the
                                                        mode makes

update_modes.py order DIR RANKS STEPS FILE S ORDER [LR]  the same for asynchronous=S, which followed ORDER; of numbers
of few bits, bit for bit

KEYS is the configuration: update, and maybe gradients_mean. The learning rate is 0.05. Exit code 1 where a value
differs by more than 1e-5 of the largest one of its tensor.
"""
import json
import pathlib
import random
import re
import struct
import sys

LR, FEATURES, ROWS = 0.05, 3, 4


def npy(shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f",
                                                                                                 *values)


def read(path):
    data = pathlib.Path(path).read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8:8 + size]), data[8 + size:]
    return {name: (entry["shape"], list(struct.unpack(
        f"<{(entry['data_offsets'][1] - entry['data_offsets'][0]) // (8 if entry['dtype'] == 'I64' else 4)}"
                                                      + ("q" if entry["dtype"] == "I64" else "f"),
                                                      body[slice(*entry["data_offsets"])])))
            for name, entry in header.items() if name != "__metadata__"}


def make(folder, ranks, is_exact=False):
    draw = random.Random(5)
    for rank in range(ranks):
        if is_exact:
            (folder / f"x-{rank}.npy").write_bytes(npy((ROWS, FEATURES),
                                                       [draw.choice((-1, 0, 1)) for _ in range(ROWS * FEATURES)]))
            (folder / f"y-{rank}.npy").write_bytes(npy((ROWS,), [draw.randrange(-2, 3) for _ in range(ROWS)]))
            continue
        x = [draw.gauss(0, 1) for _ in range(ROWS * FEATURES)]
        # each rank pulls its own way
        y = [sum(c * v for c, v in zip((1 + rank, -2, 3), x[i * FEATURES:])) for i in range(ROWS)]
        (folder / f"x-{rank}.npy").write_bytes(npy((ROWS, FEATURES), x))
        (folder / f"y-{rank}.npy").write_bytes(npy((ROWS,), y))
    header = json.dumps({"w": {"dtype": "F32", "shape": [FEATURES], "data_offsets": [0, 12]}}).encode()
    (folder / "init.safetensors").write_bytes(struct.pack("<Q", len(header)) + header
                                              + struct.pack("<3f", 0.5, 0.25, -0.5))


class Rank:
    def __init__(self, folder, rank):
        values = [struct.unpack(f"<{n}f", (folder / f"{name}-{rank}.npy").read_bytes()[-4 * n:])
                  for name, n in (("x", ROWS * FEATURES), ("y", ROWS))]
        self.x, self.y = [values[0][i * FEATURES:(i + 1) * FEATURES] for i in range(ROWS)], values[1]
        self.w, self.m = [0.5, 0.25, -0.5], [0.0] * FEATURES

    def gradient(self):
        errors = [sum(a * b for a, b in zip(row, self.w)) - y for row, y in zip(self.x, self.y)]
        return [sum(row[j] * e * 0.5 for row, e in zip(self.x, errors)) for j in range(FEATURES)]

    def update(self, gradient):
        self.m = [0.5 * m + g for m, g in zip(self.m, gradient)]
        self.w = [w - LR * m for w, m in zip(self.w, self.m)]


def mean(vectors):
    return [sum(values) / len(vectors) for values in zip(*vectors)]


def average(ranks, steps, every, warmup=0, states="keep", outer=None, elastic=0):
    kind, lr, momentum = re.fullmatch(r"(\w+)\((.+),(.+)\)", outer).groups() if outer else (None, 1, 0)
    warmup, lr, momentum, elastic = int(warmup), float(lr), float(momentum), float(elastic)
    is_average = lambda step: step <= warmup or (step - warmup) % every == 0
    anchor, velocity = list(ranks[0].w), [0.0] * FEATURES
    for step in range(1, steps + 1):
        for rank in ranks:
            rank.update(rank.gradient())
        if not is_average(step):
            continue
        middle = mean([rank.w for rank in ranks])
        if kind:
            delta = [a - b for a, b in zip(anchor, middle)]
            velocity = [momentum * v + d for v, d in zip(velocity, delta)]
            way = [d + momentum * v for d, v in zip(delta, velocity)] if kind == "nesterov" else velocity
            middle = [a - lr * d for a, d in zip(anchor, way)]
        own = [list(middle) for _ in ranks]
        if elastic:  # each rank and what all share pull each other
            pulls = [[elastic * (w - a) for w, a in zip(rank.w, anchor)] for rank in ranks]
            own = [[w - pull for w, pull in zip(rank.w, pulled)] for rank, pulled in zip(ranks, pulls)]
            middle = [a + sum(pulled) for a, pulled in zip(anchor, zip(*pulls))]
        anchor = middle
        state = mean([rank.m for rank in ranks])
        for rank, w in zip(ranks, own):
            rank.w = w
            rank.m = {"keep": rank.m, "mean": list(state), "reset": [0.0] * FEATURES}[states]
    expected = {"w": anchor, "w.momentum": [m for rank in ranks for m in rank.m], "update.step": [steps]}
    if kind:
        expected["w.outer_momentum"] = velocity
    if elastic or not is_average(steps):  # else nobody reads it again
        expected["w.local"] = [w for rank in ranks for w in rank.w]
    return expected


def delayed(ranks, steps, by, is_mean):
    pending = [[[0.0] * FEATURES for _ in range(by)] for _ in ranks]
    for _ in range(steps):
        now = [rank.gradient() for rank in ranks]
        old = [queue.pop(0) for queue in pending]
        for queue, gradient in zip(pending, now):
            queue.append(gradient)
        total = [sum(values) / (len(ranks) if is_mean else 1) for values in zip(*old)]
        for rank in ranks:
            rank.update(total)
    first = steps % by  # of the ring, the place of the oldest
    ring = [[queue[(slot - first) % by] for slot in range(by)] for queue in pending]
    return {"w": ranks[0].w, "w.momentum": ranks[0].m,
            "w.delayed": [g for queue in ring for entry in queue for g in entry]} | (
        {"update.step": [steps]} if by > 1 else {})


def ordered(ranks, steps, staleness, order, lr):
    """What an order makes on one device; w and m behind the last update."""
    head, *lines = [line for line in pathlib.Path(order).read_text().splitlines() if not line.startswith("ds-seal ")]
    assert re.fullmatch(f"ds-order version=[12] ranks={len(ranks)} shards=1", head), head
    turns = {}  # by (step, rank)
    for line in lines:
        step, rank, turn = line.split()
        turns[int(step), int(rank)] = tuple(map(int, turn.split(":")))
    assert sorted(turns) == [(step, rank) for step in range(steps) for rank in range(len(ranks))]
    for (step, rank), (pulled, _) in turns.items():
        late = [other for other in range(len(ranks)) if step > staleness
                and turns[step - staleness - 1, other][1] >= pulled]
        assert not late, f"rank {rank} began step {step} before ranks {late} had done step {step - staleness - 1}"
    w, m, known = list(ranks[0].w), list(ranks[0].m), [list(ranks[0].w)]
    for (_, rank), (pulled, pushed) in sorted(turns.items(), key=lambda item: item[1][1]):
        assert pushed == len(known) - 1
        ranks[rank].w = known[pulled]
        m = [0.5 * a + b for a, b in zip(m, ranks[rank].gradient())]
        w = [a - lr * b for a, b in zip(w, m)]
        known.append(w)
    return w, m


def main():
    folder = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "make":
        return make(folder, int(sys.argv[3]), "exact" in sys.argv)
    if sys.argv[1] == "order":
        ranks = [Rank(folder, rank) for rank in range(int(sys.argv[3]))]
        found, is_exact = read(sys.argv[5]), len(sys.argv) > 8
        expected = dict(zip(("w", "w.momentum"),
                            ordered(ranks, int(sys.argv[4]), int(sys.argv[6]), sys.argv[7],
                                    float(sys.argv[8]) if is_exact else LR)))
        for name, values in expected.items():
            off = max(abs(a - b) for a, b in zip(values, found[name][1], strict=True)) / max(map(abs, values))
            if off > (0 if is_exact else 1e-5):
                sys.exit(f"'{name}' is {found[name][1]}, expected {values}")
        return print("as written out")
    count, steps, found = int(sys.argv[3]), int(sys.argv[4]), read(sys.argv[5])
    ranks = [Rank(folder, rank) for rank in range(count)]
    keys = sys.argv[6]
    listed, plain = re.match(r"update=(?:\[(.*)\]|([^,]*))", keys).groups()
    (kind, number), *more = [item.split("=") for item in re.split(r",(?![^(]*\))", listed or plain)]
    expected = (average(ranks, steps, int(number), **dict(more)) if kind == "average_parameters"
                else delayed(ranks, steps, int(number), "gradients_mean=true" in keys))
    for name, values in expected.items():
        shape, got = found[name]
        off = max(abs(a - b) for a, b in zip(values, got, strict=True)) / max(1e-6, *map(abs, values))
        if off > 1e-5:
            sys.exit(f"'{name}' is {got}, expected {values}")
    print("as written out:", " ".join(f"{name}{found[name][0]}" for name in sorted(expected)))


if __name__ == "__main__":
    main()
