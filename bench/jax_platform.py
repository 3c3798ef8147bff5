"""A jitted step of JAX on its platform `ds` beside its own for CPUs, taking turns: jax_platform.py [CALLS]. Needs
DS_RUN, or ds-run on PATH, and JAX.

A perceptron with momentum whose parameters are donated, on 1 and 2 devices with a sharded batch: microseconds of a call
until its loss is there, fastest and median."""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS = int(sys.argv[1]) if len(sys.argv) > 1 else 300


def measure(sizes, batch):
    import jax
    import numpy as np
    from jax.sharding import AxisType, NamedSharding, PartitionSpec

    from dstep import jax_plugin
    jax_plugin.initialize()  # which an installed package's entry point does

    def step(params, velocity, x, y):
        loss, gradient = jax.value_and_grad(lambda p: jax.numpy.mean((jax.nn.relu(x @ p["w"]) @ p["v"]
                                                                      - y) ** 2))(params)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradient)
        return jax.tree.map(lambda p, v: p - 0.01 * v, params, velocity), velocity, loss

    mesh = jax.make_mesh((len(jax.devices()),), ("data",), axis_types=(AxisType.Auto,))
    whole, samples = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))
    rng = np.random.default_rng(0)
    made = lambda *shape: rng.normal(size=shape).astype(np.float32) / 10
    values = {"w": made(*sizes[:2]), "v": made(*sizes[1:])}
    params, velocity = jax.device_put((values, jax.tree.map(np.zeros_like, values)), whole)
    data = jax.device_put((made(batch, sizes[0]), made(batch, sizes[2])), samples)
    train, times = jax.jit(step, donate_argnums=(0, 1), out_shardings=(whole, whole, whole)), []
    for _ in range(CALLS):
        begin = time.perf_counter_ns()
        params, velocity, loss = train(params, velocity, *data)
        loss.block_until_ready()
        times.append((time.perf_counter_ns() - begin) / 1000)
    count = sum(value.size for value in values.values())
    print(f"{jax.default_backend()}, {len(jax.devices())} devices, {count} parameters: fastest {min(times):.0f} us, "
          f"median {np.median(times):.0f} us", flush=True)


if os.environ.get("DS_BENCH_INSIDE"):
    for case in (((20, 32, 5), 16), ((784, 512, 10), 128)):
        measure(*case)
else:
    for devices in (1, 2):
        for platform in ("ds", "cpu", "ds", "cpu"):
            environment = {"DS_BENCH_INSIDE": "1", "JAX_PLATFORMS": platform, "DS_JAX_DEVICES": str(devices),
                           "PYTHONPATH": f"{ROOT / 'python'}",
                           "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}"}
            subprocess.run([sys.executable, __file__, str(CALLS)], check=True, env={**os.environ, **environment})
