"""What a call from Python costs beyond the step: python_call.py [CALLS]. Needs DS_RUN, or ds-run on PATH, and the
package dstep; torch if it is there.

For 1 and 2 ranks a small step is called from Python, as it is (`dstep.session.native`), as a whole step of PyTorch or
JAX (`data_parallel`, and `jit` with donated arguments), and as a loss of torch.compile, whichever is there; `outside`
is what of a call is not in the step, the median of 100 parts. Memory is that of the process before and after CALLS
calls."""
import pathlib
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from dstep.session import native as library

CALLS = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
resident = lambda: int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4


def measure(name, ranks, instance, call, calls=CALLS):
    for _ in range(calls // 100):
        call()
    memory, parts = resident(), []
    for _ in range(100):
        begin, inside = time.perf_counter_ns(), instance.statistics()["step_ns"]
        for _ in range(calls // 100):
            call()
        parts.append((time.perf_counter_ns() - begin, instance.statistics()["step_ns"] - inside))
    whole, within = (np.median([part[k] for part in parts]) * 100 / calls / 1000 for k in range(2))
    outside = np.median([a - b for a, b in parts]) * 100 / calls / 1000
    print(f"{name}, {ranks} rank{'s' * (ranks > 1)}: a call {whole:.1f} us, the step {within:.1f} us, outside "
          f"{outside:.1f} us; memory {resident() - memory:+d} KiB in {calls} calls")


def native(ranks):
    instance = library.Instance(library.Program((ROOT / "examples/c_api/step.mlir").read_text(), "batch=global"), ranks)
    instance.write(3, np.array(0.1, np.float32))
    x, y = np.ones((8, 3), np.float32), np.ones(8, np.float32)
    batch = {1: x.ctypes.data, 2: y.ctypes.data}
    measure("a step", ranks, instance, lambda: (instance.run(batch), instance.result(1)))


def of_torch(ranks):
    import torch
    from dstep.torch import data_parallel
    model = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.ReLU(), torch.nn.Linear(32, 5))
    train = data_parallel(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
                          torch.nn.functional.cross_entropy, ranks=ranks)
    batch = torch.randn(16, 20), torch.randint(0, 5, (16,))
    train(batch)
    measure("torch, 4 parameters", ranks, train.resident.instance, lambda: train(batch))


def of_torch_compile(ranks):
    """A loss by torch.compile and its backward: `outside` holds Dynamo's guards and PyTorch's engine of gradients."""
    import torch
    from dstep.torch import backend
    model = torch.nn.Sequential(torch.nn.Linear(20, 32), torch.nn.ReLU(), torch.nn.Linear(32, 5))
    x, y = torch.randn(16, 20), torch.randint(0, 5, (16,))

    def loss_of(model, x, y):
        return torch.nn.functional.cross_entropy(model(x), y)

    parameters = list(model.parameters())

    def call(compute):
        compute(model, x, y).backward()
        for parameter in parameters:
            parameter.grad = None

    torch._dynamo.reset()
    compiled = torch.compile(loss_of, backend="dstep", options={"ranks": ranks})
    call(compiled)
    measure("torch.compile and backward, 4 parameters", ranks, backend.compiled[-1].forward.instance,
            lambda: call(compiled), max(CALLS // 5, 100))


def of_jax(ranks, sizes, batch):
    """A step of JAX also makes new arrays of its results: `outside` grows with them. Where they are donated it writes
    to the memory of the old ones."""
    import jax
    from dstep.jax import data_parallel, jit

    def step(params, velocity, x, y):
        def loss(params):
            hidden = jax.nn.relu(x @ params["w"])
            return jax.numpy.mean((hidden @ params["v"] - y) ** 2)
        value, gradient = jax.value_and_grad(loss)(params)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradient)
        return jax.tree.map(lambda p, v: p - 0.01 * v, params, velocity), velocity, value

    rng = np.random.default_rng(0)
    made = lambda *shape: rng.normal(size=shape).astype(np.float32) / 10
    values = {"w": made(*sizes[:2]), "v": made(*sizes[1:])}
    data = made(batch, sizes[0]), made(batch, sizes[2])
    for name, train in (("", data_parallel(step, ranks=ranks, params=0, state=1, batch=(2, 3))),
                        (", donated", jit(step, donate_argnums=(0, 1), ranks=ranks, batch=(2, 3)))):
        held = [values, jax.tree.map(np.zeros_like, values)]

        def call():
            held[:] = train(*held, *data)[:2]

        call()
        measure(f"jax, {sum(value.size for value in values.values())} parameters{name}", ranks,
                next(iter(train.runner.instances.values())), call, max(CALLS // 20, 100))


for count in (1, 2):
    native(count)
try:
    import jax  # noqa: F401
except ImportError:
    print("JAX is not installed: its calls are left out")
else:
    for count in (1, 2):
        of_jax(count, (20, 32, 5), 16)
        of_jax(count, (784, 512, 10), 128)
try:
    import torch  # noqa: F401
except ImportError:
    print("torch is not installed: its calls are left out")
else:
    for count in (1, 2):
        of_torch(count)
        of_torch_compile(count)
