#!/usr/bin/env python3
"""What an exchange over a slow network costs: ds beside DistributedDataParallel, ranks on two hosts of one machine.

    bench/two_hosts.py --torch build/venv-torch/bin/python [--rate 2500mbit] [--rounds 5] [--steps 60] [--layers 8]
    [--width 512] [--per-host 1]
        [--modes] [--one-host RANKS] [--shared]

The hosts are network namespaces with a link of RATE between them (needs root; no packet leaves the machine). Both
systems train one model, a perceptron of equal layers; ds over Open MPI and over TCP, DDP over gloo. They take turns, a
process each per round. Printed are the median step of the best round, and what the exchange exposes of it: of ds what
its ranks wait in collectives, of DDP its step less the best one under no_sync. With --one-host the ranks are on this
machine as it is, without a link. With --modes: each update mode and compression of ds beside the hook or averager of
PyTorch that means the same, by the mean time of a batch in the best round. With --shared, ds over TCP once more with
a process for each host, which holds its ranks; and the resident memory of all processes together.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/Run/Inputs"))
import two_hosts

MEMORY = {}  # mebibytes of all processes together, as that of rank 0 times their number
DDP = {"DDP": 25, "DDP, 2 MiB": 2}
DS = {"ds, one bucket, blocking": "comm_fusion=all,overlap=off",
      "ds, 2 MiB, blocking": "comm_fusion=size:2,overlap=off",
      "ds, 2 MiB, overlapped": "comm_fusion=size:2,overlap=on", "ds, each, overlapped": "comm_fusion=none,overlap=on",
      "ds, planned, overlapped": "comm_fusion=planned,overlap=on,comm_costs="}  # of a probe

# Of the same meaning: what ds is told, and what the worker does around DDP.
MODES = {"gradient": ("comm_fusion=size:2", "none"), "accumulate=4": (
    "comm_fusion=size:2,update=accumulate=4", "accumulate"),
         "f16": ("comm_fusion=size:2,gradient_compression=f16", "f16"),
         "power_sgd(4)": ("gradients_mean=true,gradient_compression=[power_sgd(4),error_feedback]", "power_sgd"),
         "average_parameters=16": ("update=average_parameters=16", "average")}

# Both worlds of PyTorch: the export for ds, and a rank of DDP, which prints the median step with and without an
# exchange.
WORKER = r'''
import json, resource, statistics, sys, time
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
    rows, samples = int(sys.argv[6]) * batch, int(sys.argv[7]) * batch
    data = [torch.randn(samples, width) for _ in "xy"]
    for name, value in zip("xy", data):
        numpy.save(f"{sys.argv[5]}/{name}.npy", value.numpy())
    ds.torch.export(model, optimizer, loss_fn, tuple(value[:rows] for value in data), name="step").write(sys.argv[5])
    sys.exit()
steps, cap, mode = int(sys.argv[5]), float(sys.argv[6]), sys.argv[7]
torch.distributed.init_process_group("gloo")
rank = torch.distributed.get_rank()
wrapped = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=cap)
averager = None
if mode == "f16":
    from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
    wrapped.register_comm_hook(None, fp16_compress_hook)
if mode == "power_sgd":
    from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook as hooks
    state = hooks.PowerSGDState(None, matrix_approximation_rank=4, start_powerSGD_iter=2, min_compression_rate=1)
    wrapped.register_comm_hook(state, hooks.powerSGD_hook)
if mode == "average":
    from torch.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import PostLocalSGDState, post_localSGD_hook
    from torch.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
    group = torch.distributed.new_subgroups(1)[0]
    wrapped.register_comm_hook(PostLocalSGDState(None, group, start_localSGD_iter=0, post_local_gradient_allreduce=False), post_localSGD_hook)
    averager = PeriodicModelAverager(period=16, warmup_steps=0)
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
def mean():
    """Of microbatches and steps alike, in windows of 16."""
    begin, count = None, max(steps // 16, 1) * 16
    for i in range(16 + count):
        if i == 16:
            torch.distributed.barrier()
            begin = time.perf_counter()
        if mode != "accumulate":
            step()
            if averager:
                averager.average_parameters(wrapped.parameters())
        elif i % 4 < 3:
            with wrapped.no_sync():
                loss_fn(wrapped(data[0]), data[1]).backward()
        else:
            loss_fn(wrapped(data[0]), data[1]).backward()
            optimizer.step()
            optimizer.zero_grad()
    return 1e3 * (time.perf_counter() - begin) / count
found = {"step_ms": mean()} if mode else {"step_ms": median(True), "alone_ms": median(False)}
found["mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
if rank == 0:
    print(json.dumps(found))
'''  # noqa: E501


def ddp(hosts, options, worker, cap, mode=""):
    """Milliseconds of a step with and without the exchange; of a mode with it."""
    ranks, names = [], [name for name in hosts.names for _ in range(hosts.per_host)]
    for rank, name in enumerate(names):
        environment = os.environ | {"RANK": str(rank), "WORLD_SIZE": str(len(names)), "MASTER_ADDR": hosts.address,
                                    "MASTER_PORT": "29555",
                                    "GLOO_SOCKET_IFNAME": hosts.interface, "OMP_NUM_THREADS": "1"}
        command = [*hosts.inside(name), options.torch, worker, "ddp", options.layers, options.width, options.batch,
                   options.steps, cap, mode]
        ranks.append(subprocess.Popen(list(map(str, command)), env=environment, stdout=subprocess.PIPE, text=True))
    said = [rank.communicate(timeout=600)[0] for rank in ranks]
    if any(rank.returncode for rank in ranks):
        sys.exit("error: a rank of DDP failed")
    found = json.loads(said[0].splitlines()[-1])
    MEMORY.setdefault("DDP", len(ranks) * found["mib"])
    return found["step_ms"], found.get("alone_ms", 0.0)


def run_ranks(hosts, folder, command, over):
    """What ds-run printed on rank 0."""
    command = list(map(str, [ROOT / "build/bin/ds-run", *command]))
    if over == "tcp":
        ranks = hosts.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said, codes = [rank.communicate(timeout=600) for rank in ranks], [rank.returncode for rank in ranks]
    else:
        launched, environment = hosts.launch(folder, command)
        done = subprocess.run(launched, env=environment, capture_output=True, text=True, timeout=600)
        said, codes = [(done.stdout, done.stderr)], [done.returncode]
    if any(codes):
        sys.exit(f"error: ds-run ended with {codes}: {said[0][1][-500:]}")
    return said[0][0]


def ds(hosts, options, folder, settings, over, shared=False):
    """Milliseconds of a step that its ranks wait in collectives, and of the step."""
    if settings.endswith("="):
        costs = folder / f"{over}.json"
        settings += str(costs)
        if not costs.exists():
            run_ranks(hosts, folder, ["--probe-link", costs], over)
    command = [folder / "step.mlir", "--config", settings, "--init", folder / "step.safetensors",
               "--data", f"x={folder}/x.npy,y={folder}/y.npy", "--steps",
               options.steps // 16 * 16 + 16 if options.modes else options.steps, "--json"]
    logs = folder / "logs"
    shutil.rmtree(logs, ignore_errors=True)
    command += ["--log-dir", logs]
    ranks = len(hosts.names) * hosts.per_host
    if shared:
        command += ["--ranks", ranks]
        hosts = hosts.with_one_process()
    events = [json.loads(line) for line in run_ranks(hosts, folder, command, over).splitlines() if line.startswith("{")]
    if options.modes:
        steps = [json.loads(line) for line in (logs / "events.jsonl").read_text().splitlines()
                 if '"event":"step"' in line]
        batches = 4 if "accumulate" in settings else 1  # a step of accumulate=4 has the samples of four
        return 1e3 * statistics.mean(step["seconds"] for step in steps[16:]) / batches, 0.0
    event = next(event for event in events if event.get("event") == "exchange")
    logged = map(json.loads, (logs / "events.jsonl").read_text().splitlines())
    peak = next(event for event in logged if event["event"] == "end")["peak_resident_bytes"] / 2 ** 20
    MEMORY.setdefault(f"ds, {len(hosts.names) * hosts.per_host} processes", len(hosts.names) * hosts.per_host * peak)
    return event["step_ns"] * 1e-6, (event["step_ns"] - event["exposed_ns"]) * 1e-6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", required=True, help="a Python with PyTorch and ds")
    parser.add_argument("--rate", default="2500mbit", help="of the link, as tc writes it")
    for name, value in (("rounds", 5), ("steps", 60), ("layers", 8), ("width", 512), ("batch", 256), ("per-host", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="gets all rounds")
    parser.add_argument("--modes", action="store_true", help="update modes beside PyTorch's hooks instead of buckets")
    parser.add_argument("--shared", action="store_true", help="a process for each host, too")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="systems whose names have one of these words")
    parser.add_argument("--one-host", type=int, metavar="RANKS", help="all on this machine")
    options = parser.parse_args()
    ranks = options.one_host or 2 * options.per_host
    systems = {name: lambda hosts, folder, cap=cap: ddp(hosts, options, folder / "worker.py", cap)
               for name, cap in DDP.items()}
    systems |= {f"{name}, {over}": lambda hosts, folder, given=given, over=over: ds(hosts, options, folder,
                                                                                    f"batch=global,{given}", over)
                for over in ("mpi", "tcp") for name, given in DS.items()}
    if options.shared:
        systems |= {f"{name}, tcp, shared": lambda hosts, folder, given=given: ds(hosts, options, folder,
                                                                                  f"batch=global,{given}", "tcp", True)
                    for name, given in DS.items() if "planned" not in name}
    if options.modes:
        systems = {f"DDP, {name}": lambda hosts, folder, mode=mode: ddp(hosts, options, folder / "worker.py", 25, mode)
                   for name, (_, mode) in MODES.items()}
        systems |= {f"ds, {name}, {over}": lambda hosts, folder, given=given, over=over: ds(hosts, options, folder,
                                                                                            f"batch=local,overlap=on,{given}", over)  # noqa: E501
                    for name, (given, _) in MODES.items() for over in ("mpi", "tcp")}
    if options.only:
        systems = {name: measure for name, measure in systems.items() if any(word in name for word in options.only)}
        if not DDP.keys() & systems.keys():
            parser.error(f"--only leaves out {' and '.join(DDP)}, with which the others are compared")
    found = {name: [] for name in systems}
    with tempfile.TemporaryDirectory() as name, (two_hosts.OneHost(ranks) if options.one_host
                                                 else two_hosts.Hosts(options.rate, options.per_host)) as hosts:
        folder = pathlib.Path(name)
        (folder / "worker.py").write_text(WORKER)
        export = [options.torch, folder / "worker.py", "export", options.layers, options.width, options.batch, folder,
                  *((1, 16 * ranks) if options.modes else (ranks, ranks))]
        subprocess.run(list(map(str, export)), check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
        for _ in range(options.rounds):
            for system, measure in systems.items():
                found[system].append(measure(hosts, folder))
    steps = {name: min(step for step, _ in rounds) for name, rounds in found.items()}
    if options.modes:
        print("| mode | DDP ms | ds over MPI ms | ds over TCP ms | the better one / DDP |\n|---|---|---|---|---|")
        for name in MODES:
            peer, mpi, tcp = steps[f"DDP, {name}"], steps[f"ds, {name}, mpi"], steps[f"ds, {name}, tcp"]
            print(f"| {name} | {peer:.1f} | {mpi:.1f} | {tcp:.1f} | {min(mpi, tcp) / peer:.2f} |")
    else:
        show_buckets(found, steps)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


def show_buckets(found, steps):
    peers = [name for name in DDP if name in found]
    alone = min(alone for name in peers for _, alone in found[name])  # the work of DDP is the same with any bucket
    exposed = {name: steps[name] - alone if name in DDP else min(step - alone for step, alone in rounds)
               for name, rounds in found.items()}
    of_ddp = min(exposed[name] for name in peers)
    print("| system | step ms | exposed ms | of the best DDP |\n|---|---|---|---|")
    for name in found:
        print(f"| {name} | {steps[name]:.1f} | {exposed[name]:.1f} | {exposed[name] / of_ddp:.2f} |")
    for name, mib in MEMORY.items():
        print(f"{name}: {mib:.0f} MiB, {mib / MEMORY['DDP']:.2f} of DDP's")


if __name__ == "__main__":
    main()
