"""A script as mpirun starts it (test_jax_sharded.py): joined_sharded.py FOLDER. Each process is one rank of a mesh, and
gives the whole batch."""
import pathlib
import sys

from test_jax_sharded import by_jax, bytes_of_device, close  # sets how many devices JAX has

import jax
import numpy as np

import dstep as ds
import sharded_programs
from dstep.session.run import started_by
from programs import held

for program in (sharded_programs.data_tensor, sharded_programs.zero3):
    given, expected = by_jax(program, 4)
    train = ds.jax.data_parallel(program(4)[0], mode="semi_auto", **sharded_programs.ROLES)
    for got, wanted in zip(train.run(given), expected, strict=True):
        close(got, wanted)
    assert held(train.runner.instance(train.exported(given[0]))) == (4, bytes_of_device(expected[0][:2]))

# All samples are one batch, in any order.
params, state, batch = given[0]
step, _, _, _ = sharded_programs.zero3(4)
new = params, state
for _ in range(3):
    *new, _ = jax.jit(step)(*new, batch)
names = [a["name"] for a in train.exported(given[0]).manifest["args"] if a["role"] == "batch"]
samples = {name: np.asarray(value) for name, value in zip(names, jax.tree.leaves(batch), strict=True)}
train = ds.jax.parallel(step, **sharded_programs.ROLES)
*got, history = train.fit(params, state, batch, data=samples, epochs=3, progress="none")
close(tuple(got), tuple(new))
assert len(history) == 3

rank, size, _ = started_by()
try:
    of_two = ds.jax.data_parallel(lambda w, x: (w - x.mean(), x.sum()), mesh={"dp": 2}, params=0, batch=1)
    of_two(np.float32(1), np.ones(4, np.float32))
except ValueError as error:
    assert str(error).startswith("the mesh {'dp': 2} has 2 ranks, but mpirun has started 4 processes"), error
else:
    raise AssertionError("a mesh of two is no world of four")
(pathlib.Path(sys.argv[1]) / f"{rank}of{size}").touch()
