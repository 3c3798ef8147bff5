"""One system that trains one of the four networks and times blocks of steps when told to (../peer.py has the protocol).

    blocks.py SYSTEM NAME [--precision ieee|tf32] [--device cuda|cpu] [--small] [--steps FOLDER]

ds        the step that pack.py wrote to FOLDER, through libds
compile   torch.compile(mode="reduce-overhead") of forward and backward, whose parts are CUDA graphs, and the fused
          optimizer
graph     torch.compile of forward and backward, and with the optimizer all of it in one CUDA graph
jax       jax.jit with donated parameters

A block ends when the device has; only ds's steps end one by one.
"""
import argparse
import ctypes
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import networks


class Ds:
    def __init__(self, name, network, options):
        from dstep.session import native
        config = "batch=global" + (",precision=tf32" if options.precision == "tf32" else "")
        text = pathlib.Path(options.steps, f"{name}.mlir").read_text()
        self.instance = native.Instance(native.Program(text, config, on=options.device), 1)
        values = networks.parameters(network) | networks.data(network)
        for slot, argument in enumerate(self.instance.arguments):
            value = values.get(argument["name"].split(".")[-1]) if argument["role"] != "state" else None
            if value is not None:
                self.instance.write(slot, value)
        self.loss = next(k for k, result in enumerate(self.instance.results) if "metric" in result)

    def run(self, count):
        nothing = (ctypes.c_void_p * (count * len(self.instance.arguments)))()  # every slot keeps what it holds
        self.instance.library.call("ds_instance_run_steps", self.instance.instance, count, nothing, None)
        return float(self.instance.result(self.loss))


class Jax:
    def __init__(self, name, network, options):
        import jax
        jax.config.update("jax_default_matmul_precision", "highest" if options.precision == "ieee" else "tensorfloat32")
        step, state = networks.jax_step(network)
        self.step = jax.jit(step, donate_argnums=(0, 1))
        self.params = jax.device_put(networks.parameters(network))
        self.state, self.batch = jax.jit(state)(self.params), jax.device_put(networks.data(network))

    def run(self, count):
        for _ in range(count):
            self.params, self.state, loss = self.step(self.params, self.state, self.batch)
        return float(loss)


class Torch:
    def __init__(self, name, network, options, whole):
        import torch
        torch.set_float32_matmul_precision("highest" if options.precision == "ieee" else "high")
        module, make = networks.torch_network(network)
        self.torch, self.module, on_device = torch, module.to(options.device), options.device == "cuda"
        self.x, self.y = (torch.from_numpy(value).to(options.device) for value in networks.data(network).values())
        self.optimizer = make(self.module.parameters(), capturable=whole and on_device)
        self.compiled = torch.compile(self.module, mode="default" if whole or not on_device else "reduce-overhead")
        self.graph = None
        if whole and on_device:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    self.once()
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.captured = self.once()

    def once(self):
        self.optimizer.zero_grad(set_to_none=self.graph is None)
        loss = self.compiled(self.x, self.y)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def run(self, count):
        for _ in range(count):
            if self.graph is not None:
                self.graph.replay()
            else:
                loss = self.once()
        return float(self.captured if self.graph is not None else loss)


SYSTEMS = {"ds": Ds, "jax": Jax, "compile": lambda *a: Torch(*a, whole=False),
           "graph": lambda *a: Torch(*a, whole=True)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=SYSTEMS)
    parser.add_argument("name", choices=networks.ALL)
    parser.add_argument("--precision", choices=("ieee", "tf32"), default="ieee")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="the networks of the test")
    parser.add_argument("--steps", default=".", help="folder of the exported steps")
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = options.device
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the systems share the card
    begin = time.perf_counter()
    system = SYSTEMS[options.system](options.name, (networks.SMALL if options.small else networks.ALL)[options.name],
                                     options)
    loss = system.run(1)
    print(json.dumps({"compile_s": time.perf_counter() - begin, "loss": loss}), flush=True)
    for line in sys.stdin:
        count, begin = int(line), time.perf_counter()
        loss = system.run(count)
        print(json.dumps({"ms": (time.perf_counter() - begin) * 1e3 / count, "loss": loss}), flush=True)


if __name__ == "__main__":
    main()
