"""The public interface as a user with a type checker has it: test_types.py checks this file strictly and runs none of
it. A line with an ignored error is a mistake that the checker must find; where it finds none, the comment itself is
one."""
from typing import Any

import numpy as np

import dstep as ds
import dstep.jax


def step(params: dict[str, Any], batch: Any) -> tuple[dict[str, Any], float]:
    return params, float(np.sum(batch))


def trains(params: dict[str, Any], x: Any) -> float:
    train = ds.jax.data_parallel(step, ranks=2, params=0, batch=1, config={"batch": "global"})
    train.plan(params, x, explain="w")
    params, loss = train(params, x)
    (params,) = train.fit(params, data={"x": "part-*.npy"}, epochs=3, seed=1)
    exported = ds.jax.export(step, (params, x), batch=1)
    exported.write("out")
    return float(loss)


def configures() -> None:
    ds.set_auto_parallel_context(batch="global", gradients_mean=True)
    ds.reset_auto_parallel_context()
    ds.data.parquet("rows.parquet", {"x": "image"})
    try:
        pass
    except ds.Interrupted:
        pass


def mistakes(params: dict[str, Any], x: Any) -> None:
    ds.jax.data_parallel(step, ranks="2")  # type: ignore[arg-type]
    ds.jax.data_parallel(3, ranks=2)  # type: ignore[arg-type]
    ds.jax.data_parallel(step, ranks=2).fit(params, data={"x": x}, epochs="3")  # type: ignore[arg-type]
    ds.jax.data_parallel(step, ranks=2).fit(params, epochs=3)  # type: ignore[call-arg]
    ds.jax.data_parallel(step, memory_limit="1 GB")  # type: ignore[arg-type]
    ds.data.parquet("rows.parquet", columns=3)  # type: ignore[arg-type]
    ds.reset_auto_parallel_context("batch")  # type: ignore[call-arg]
    ds.jax.data_paralel(step, ranks=2)  # type: ignore[attr-defined]
