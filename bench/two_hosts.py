#!/usr/bin/env python3
"""What an exchange over a slow network costs: ds beside DistributedDataParallel, ranks on two hosts of one machine.

    bench/two_hosts.py --torch build/venv-torch/bin/python [--rate 2500mbit] [--rounds 5] [--steps 60] [--layers 8] [--width 512] [--per-host 1]

The hosts are network namespaces with a link of RATE between them (needs root; no packet leaves the machine). Both systems train one model, a
perceptron of equal layers; ds over Open MPI and over TCP, DDP over gloo. They take turns, a process each per round. Printed are the median step
of the best round, and what the exchange exposes of it: of ds what its ranks wait in collectives, of DDP its step less the best one under no_sync.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/Run/Inputs"))
import two_hosts  # noqa: E402

DDP = {"DDP": 25, "DDP, 2 MiB": 2}
DS = {"ds, one bucket, blocking": "comm_fusion=all,overlap=off", "ds, 2 MiB, blocking": "comm_fusion=size:2,overlap=off",
      "ds, 2 MiB, overlapped": "comm_fusion=size:2,overlap=on", "ds, each, overlapped": "comm_fusion=none,overlap=on"}

# Both worlds of PyTorch: the export for ds, and a rank of DDP, which prints the median step with and without an exchange.
WORKER = r'''
import json, statistics, sys, time
import torch
torch.set_num_threads(1)
layers, width, batch = map(int, sys.argv[2:5])
torch.manual_seed(0)
model = torch.nn.Sequential(*[m for _ in range(layers) for m in (torch.nn.Linear(width, width), torch.nn.ReLU())])
optimizer = torch.optim.SGD(model.parameters(), 0.01)
loss_fn = torch.nn.functional.mse_loss
if sys.argv[1] == "export":
    import dstep as ds
    import numpy
    data = [torch.randn(int(sys.argv[6]) * batch, width) for _ in "xy"]
    for name, value in zip("xy", data):
        numpy.save(f"{sys.argv[5]}/{name}.npy", value.numpy())
    ds.torch.export(model, optimizer, loss_fn, tuple(data), name="step").write(sys.argv[5])
    sys.exit()
steps, cap = int(sys.argv[5]), float(sys.argv[6])
torch.distributed.init_process_group("gloo")
rank = torch.distributed.get_rank()
wrapped = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=cap)
torch.manual_seed(rank)
data = torch.randn(batch, width), torch.randn(batch, width)
def step():
    optimizer.zero_grad()
    loss_fn(wrapped(data[0]), data[1]).backward()
    optimizer.step()
def median(exchanges):
    times = []
    for _ in range(steps):
        torch.distributed.barrier()
        begin = time.perf_counter()
        if exchanges:
            step()
        else:
            with wrapped.no_sync():
                step()
        times.append(time.perf_counter() - begin)
    return 1e3 * statistics.median(times[len(times) // 5:])
found = {"step_ms": median(True), "alone_ms": median(False)}
if rank == 0:
    print(json.dumps(found))
'''


def ddp(hosts, options, worker, cap):
    """Milliseconds of a step with and without the exchange."""
    ranks, names = [], [name for name in hosts.names for _ in range(hosts.per_host)]
    for rank, name in enumerate(names):
        environment = os.environ | {"RANK": str(rank), "WORLD_SIZE": str(len(names)), "MASTER_ADDR": two_hosts.ADDRESS[0], "MASTER_PORT": "29555",
                                    "GLOO_SOCKET_IFNAME": two_hosts.INTERFACE, "OMP_NUM_THREADS": "1"}
        command = ["ip", "netns", "exec", name, options.torch, worker, "ddp", options.layers, options.width, options.batch, options.steps, cap]
        ranks.append(subprocess.Popen(list(map(str, command)), env=environment, stdout=subprocess.PIPE, text=True))
    said = [rank.communicate(timeout=600)[0] for rank in ranks]
    if any(rank.returncode for rank in ranks):
        sys.exit("error: a rank of DDP failed")
    found = json.loads(said[0].splitlines()[-1])
    return found["step_ms"], found["alone_ms"]


def ds(hosts, options, folder, settings, over):
    """Milliseconds of a step that its ranks wait in collectives, and of the step."""
    command = [ROOT / "build/bin/ds-run", folder / "step.mlir", "--config", f"batch=global,{settings}", "--init", folder / "step.safetensors",
               "--data", f"x={folder}/x.npy,y={folder}/y.npy", "--epochs", options.steps, "--json"]
    command = list(map(str, command))
    if over == "tcp":
        ranks = hosts.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said, codes = [rank.communicate(timeout=600) for rank in ranks], [rank.returncode for rank in ranks]
    else:
        launched, environment = hosts.launch(folder, command)
        done = subprocess.run(launched, env=environment, capture_output=True, text=True, timeout=600)
        said, codes = [(done.stdout, done.stderr)], [done.returncode]
    if any(codes):
        sys.exit(f"error: ds-run ended with {codes}: {said[0][1][-500:]}")
    event = next(json.loads(line) for line in said[0][0].splitlines() if '"event":"exchange"' in line)
    return event["step_ns"] * 1e-6, (event["step_ns"] - event["exposed_ns"]) * 1e-6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", required=True, help="a Python with PyTorch and ds")
    parser.add_argument("--rate", default="2500mbit", help="of the link, as tc writes it")
    for name, value in (("rounds", 5), ("steps", 60), ("layers", 8), ("width", 512), ("batch", 256), ("per-host", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="gets all rounds")
    options = parser.parse_args()
    systems = {name: lambda hosts, folder, cap=cap: ddp(hosts, options, folder / "worker.py", cap) for name, cap in DDP.items()}
    systems |= {f"{name}, {over}": lambda hosts, folder, given=given, over=over: ds(hosts, options, folder, given, over)
                for over in ("mpi", "tcp") for name, given in DS.items() if over == "mpi" or "2 MiB" in name}
    found = {name: [] for name in systems}
    with tempfile.TemporaryDirectory() as name, two_hosts.Hosts(options.rate, options.per_host) as hosts:
        folder = pathlib.Path(name)
        (folder / "worker.py").write_text(WORKER)
        export = [options.torch, folder / "worker.py", "export", options.layers, options.width, options.batch, folder, 2 * options.per_host]
        subprocess.run(list(map(str, export)), check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
        for _ in range(options.rounds):
            for system, measure in systems.items():
                found[system].append(measure(hosts, folder))
    steps = {name: min(step for step, _ in rounds) for name, rounds in found.items()}
    alone = min(alone for name in DDP for _, alone in found[name])  # the work of DDP is the same with any bucket
    exposed = {name: steps[name] - alone if name in DDP else min(step - alone for step, alone in rounds) for name, rounds in found.items()}
    of_ddp = min(exposed[name] for name in DDP)
    print("| system | step ms | exposed ms | of the best DDP |\n|---|---|---|---|")
    for name in found:
        print(f"| {name} | {steps[name]:.1f} | {exposed[name]:.1f} | {exposed[name] / of_ddp:.2f} |")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
