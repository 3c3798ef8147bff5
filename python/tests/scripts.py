"""Training scripts as their authors write them (scripts/), and what of each is changed for ds: (a line, what stands
there instead). bench/scripts.py times them."""
import os
import pathlib
import re
import socket
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "scripts"
COMPILE = 'backend="dstep", options={{"ranks": {ranks}}}'
TORCH = {
    "mlp": [("criterion = nn.CrossEntropyLoss()", f"model, criterion = torch.compile(model, {COMPILE}), "
             "nn.CrossEntropyLoss()")],
    "resnet": [("model = torchvision.models.resnet18(num_classes=4)", "model = "
                f"torch.compile(torchvision.models.resnet18(num_classes=4), {COMPILE})")],
    "gpt": [("model = GPT()", f"model = torch.compile(GPT(), {COMPILE})")],
    "llama": [("model = LlamaForCausalLM(config)", f"model = LlamaForCausalLM(config); model.compile({COMPILE})")],
    "gan": [("criterion = nn.BCEWithLogitsLoss()", f"criterion = nn.BCEWithLogitsLoss(); [net.compile({COMPILE}) for "
             "net in (netG, netD)]")],
    "bert": [("model = BertForSequenceClassification(config)", "model = BertForSequenceClassification(config); "
              f"model.compile({COMPILE})")],
    "lightning_module": [("model = Classifier()", f"model = Classifier(); model.body.compile({COMPILE})")],
}
JAX = {
    "flax_mnist": [("import flax.linen as nn", "import functools; import dstep.jax; import flax.linen as nn"),
                   ("@jax.jit", '@functools.partial(dstep.jax.data_parallel, ranks={ranks}, params="state.params", '
                    'batch=("image", "label"))')],
    "flax_imagenet": [("import functools", "import functools; import dstep.jax"),
                      ("@jax.jit", '@functools.partial(dstep.jax.data_parallel, ranks={ranks}, params="state.params", '
                       'batch=("image", "label"))')],
    "optax_regression": [("import optax", "import functools; import dstep.jax; import optax"),
                         ("@jax.jit", "@functools.partial(dstep.jax.data_parallel, ranks={ranks}, params=0, state=1, "
                          "batch=2)")],
}
CHANGES = TORCH | JAX
# The same as two processes of DistributedDataParallel, for bench/scripts.py.
START = ("torch.manual_seed(0)", 'torch.distributed.init_process_group("gloo"); rank = torch.distributed.get_rank(); '
         'torch.manual_seed(0)')
WRAP = "torch.nn.parallel.DistributedDataParallel"
DDP = {
    "mlp": [START, ("criterion = nn.CrossEntropyLoss()", f"model, criterion = {WRAP}(model), nn.CrossEntropyLoss()"),
            ("    for x, y in loader:", "    for x, y in ((x[rank::2], y[rank::2]) for x, y in loader):")],
    "resnet": [START, ("model = torchvision.models.resnet18(num_classes=4)", "model = "
                       f"{WRAP}(torchvision.models.resnet18(num_classes=4))"),
               ("    for x, y in train:", "    for x, y in ((x[rank::2], y[rank::2]) for x, y in train):")],
    "gpt": [START, ("model = GPT()", f"model = {WRAP}(GPT())"),
            ("        logits, loss = model(x, y)", "        logits, loss = model(x[rank::2].contiguous(), "
             "y[rank::2].contiguous())")],
    "llama": [START, ("optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)", f"model = {WRAP}(model); optimizer "
                      "= torch.optim.AdamW(model.parameters(), lr=1e-3)"),
              ("        out = model(input_ids=batch, labels=batch, use_cache=False)", "        out = "
               "model(input_ids=batch[rank::2].contiguous(), labels=batch[rank::2].contiguous(), use_cache=False)")],
               "gan": [START, ("criterion = nn.BCEWithLogitsLoss()", "criterion = nn.BCEWithLogitsLoss(); netG, netD "
                               f"= {WRAP}(netG), {WRAP}(netD)"),
            ("        ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)", "        real, ones, zeros = "
             "real[rank::2], torch.ones(16, 1), torch.zeros(16, 1)"),
            ("        fake = netG(torch.randn(32, 16))", "        fake = netG(torch.randn(32, 16)[rank::2])")],
    "lightning_module": [("pl.seed_everything(0, verbose=False)", "import os; os.environ['LOCAL_RANK'] = "
                          "os.environ['RANK']; pl.seed_everything(0, verbose=False)"),
                         ("loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long()), "
                          "batch_size=32, shuffle=True)",
                          "loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long()), "
                          "batch_size=16, shuffle=True)"),
                         ('trainer = pl.Trainer(max_epochs=3, accelerator="cpu", logger=False, '
                          'enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)',
                          'trainer = pl.Trainer(strategy="ddp", devices=2, max_epochs=3, accelerator="cpu", '
                          'logger=False, enable_checkpointing=False, enable_progress_bar=False, '
                          'enable_model_summary=False)')],
}
NEEDS = {"llama": ["transformers"], "bert": ["transformers", "accelerate"], "lightning_module": ["pytorch_lightning"],
         "resnet": ["torchvision"]}


def changed(name, ranks, changes=None):
    """The text of a script with its changed lines."""
    lines = (FOLDER / f"{name}.py").read_text().splitlines()
    for old, new in (changes or CHANGES)[name]:
        if lines.count(old) != 1:
            raise ValueError(f"{name}.py has the line '{old}' {lines.count(old)} times, expected once")
        lines[lines.index(old)] = new.format(ranks=ranks)
    return "\n".join(lines) + "\n"


def _start(text, environment):
    return subprocess.Popen([sys.executable, "-W", "ignore", "-c", text], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})


def run(text, processes=1, **environment):
    """[(loss, seconds)] of the epochs of a script, of rank 0 where it runs as several processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    world = lambda rank: {"RANK": str(rank), "WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1",
                          "MASTER_PORT": str(port)} if processes > 1 else {}
    started = [_start(text, environment | world(rank)) for rank in range(processes)]
    try:
        said, *_ = [process.communicate(timeout=600) for process in started]
    finally:
        for process in started:
            process.kill()
    for process in started:
        if process.returncode:
            raise RuntimeError(said[1][-3000:])
    return [(float(loss), float(seconds)) for loss, seconds in re.findall(r"^epoch \d+ loss (\S+).* seconds (\S+)",
                                                                          said[0], re.M)]
