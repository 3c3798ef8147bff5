"""The PyTorch side of models.py: exports a model of models_torch.py, or trains it and times blocks of steps when told
to, one JSON line each.

    torch_blocks.py export NAME FOLDER      writes the step and one recorded batch; prints what that took
    torch_blocks.py eager NAME              one process, as many threads as OMP_NUM_THREADS says (peer.py has the
                                            protocol)
    torch_blocks.py compile NAME            the same with torch.compile; compile_s is its first step
    torch_blocks.py ddp NAME RANKS          DistributedDataParallel over gloo, RANKS processes of one thread; times are
                                            the slowest rank's
    torch_blocks.py sgemm SIZE              no model: a step is a product of two matrices of SIZE rows and columns

--small takes the small configuration of the zoo. Denormals are flushed, as ds does; optimizers are the fused ones.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import torch
import torch.distributed as dist
from torch.utils.flop_counter import FlopCounterMode

import models_torch

DDP_WAIT = 3600  # seconds that a rank waits for its next block while other systems have their turns


def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def export(name, folder, small):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    start = time.perf_counter()
    import dstep as ds
    model, optimizer, loss_fn, batches, options = models_torch.make(name, small)
    made = ds.torch.export(model, optimizer, loss_fn, batches[0], name=name, **options)
    took = {"export_s": time.perf_counter() - start, "peak_mib": peak_mib()}
    made.write(folder, batches[:1])
    with FlopCounterMode(display=False) as counter:
        Training(name, small).step()
    print(json.dumps(took | {"loss": 0.0, "flop": counter.get_total_flops(),
                             "parameters": sum(p.numel() for p in model.parameters())}), flush=True)


class Training:
    """A model that keeps training on its first batch, or a rank's part of it."""

    def __init__(self, name, small, rank=0, ranks=1, compiled=False):
        torch.set_flush_denormal(True)
        torch.manual_seed(0)
        self.model, self.optimizer, self.loss_fn, batches, options = models_torch.make(name, small)
        for group in self.optimizer.param_groups:
            if "fused" in group:
                group["fused"] = True
        self.clip, self.ranks = options.get("clip"), ranks
        share = lambda tensor: tensor.chunk(ranks)[rank].contiguous()
        batch = batches[0]
        self.batch = {key: share(value) for key, value in batch.items()} if isinstance(batch,
                                                                                       dict) else tuple(
                                                                                           map(share, batch))
        self.parameters = list(self.model.parameters())
        self.module = self.model
        if ranks > 1:
            self.module = torch.nn.parallel.DistributedDataParallel(self.model, gradient_as_bucket_view=True)
        if compiled:
            self.module = torch.compile(self.module)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        if isinstance(self.batch, dict):
            loss = self.loss_fn(self.module, self.batch)
        else:
            loss = self.loss_fn(self.module(self.batch[0]), self.batch[1])
        loss.backward()
        if self.clip:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.clip)
        self.optimizer.step()
        return loss.detach()

    def block(self, steps):
        """What the caller is told: the slowest rank's time, the mean of the losses, the memory of all."""
        if self.ranks > 1:
            dist.barrier()
        start = time.perf_counter()
        for _ in range(steps):
            loss = self.step()
        seconds, loss, peak = time.perf_counter() - start, float(loss), peak_mib()
        if self.ranks > 1:
            slowest, sums = torch.tensor([seconds]), torch.tensor([loss / self.ranks, peak])
            dist.all_reduce(slowest, dist.ReduceOp.MAX)
            dist.all_reduce(sums)
            (seconds,), (loss, peak) = slowest.tolist(), sums.tolist()
        if not math.isfinite(loss):
            sys.exit(f"error: the loss is {loss}, expected a finite number")
        return seconds / steps, {"loss": loss, "peak_mib": peak}


class Product:
    """What the cores can do at most; trains nothing."""

    def __init__(self, size):
        self.left, self.right, self.out = torch.randn(size, size), torch.randn(size, size), torch.empty(size, size)

    def block(self, steps):
        start = time.perf_counter()
        for _ in range(steps):
            torch.mm(self.left, self.right, out=self.out)
        return (time.perf_counter() - start) / steps, {"loss": 0.0, "peak_mib": peak_mib()}


def serve(training):
    seconds, said = training.block(1)
    print(json.dumps({"compile_s": seconds} | said), flush=True)
    for line in sys.stdin:
        seconds, said = training.block(int(line))
        print(json.dumps({"ms": seconds * 1e3} | said), flush=True)


def serve_ranks(name, options):
    """Rank 0 starts the others and tells them how long each block is; 0 ends them."""
    rank, ranks, others = options.rank, int(options.argument), []
    with tempfile.TemporaryDirectory() as folder:
        meeting = options.meeting or f"{folder}/meeting"
        if rank == 0:
            others = [subprocess.Popen([sys.executable, __file__, "ddp", name, str(ranks), "--rank", str(r),
                                        "--meeting", meeting]
                                       + (["--small"] if options.small else []), stdin=subprocess.DEVNULL)
                      for r in range(1, ranks)]
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=ranks,
                                timeout=datetime.timedelta(seconds=DDP_WAIT))
        training, count = Training(name, options.small, rank, ranks), torch.tensor([1])
        key = "compile_s"
        while int(count):
            seconds, said = training.block(int(count))
            if rank == 0:
                print(json.dumps({key: seconds if key == "compile_s" else seconds * 1e3} | said), flush=True)
                count[0] = int(sys.stdin.readline() or 0)
            dist.broadcast(count, 0)
            key = "ms"
        dist.destroy_process_group()
        for other in others:
            other.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("export", "eager", "compile", "ddp", "sgemm"))
    parser.add_argument("name", metavar="NAME", help=f"of {', '.join(models_torch.MODELS)}; of sgemm, how many rows")
    parser.add_argument("argument", nargs="?", help="FOLDER or RANKS")
    parser.add_argument("--small", action="store_true", help="the configuration of the zoo")
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--meeting", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.mode == "sgemm":
        return serve(Product(int(options.name)))
    if options.name not in models_torch.MODELS:
        parser.error(f"unknown model '{options.name}', expected one of {', '.join(models_torch.MODELS)}")
    if options.mode == "export":
        export(options.name, pathlib.Path(options.argument), options.small)
    elif options.mode == "ddp":
        torch.set_num_threads(1)
        serve_ranks(options.name, options)
    else:
        serve(Training(options.name, options.small, compiled=options.mode == "compile"))


if __name__ == "__main__":
    main()
