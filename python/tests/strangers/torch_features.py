"""What a script of PyTorch does beside the ordinary: parts as those of torch_parts.py; any may meet any other."""

from torch_parts import JOINED, STEPS

_SCALE = """
class Scale(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.gain = gain

    def forward(self, h):
        return h * self.gain
"""
_LAYER = dict(init="self.extra = nn.Linear(8, 8)", forward="h = h + torch.tanh(self.extra(h))")


def _layer(setup, **more):
    """A part that does something with a layer of its own."""
    return _LAYER | dict(setup=setup) | more


FEATURES = {
    # What a module holds, and the script changes.
    "a number": dict(
        init="self.gain = 1.5", forward="h = h * self.gain", change=["model.gain = 0.5", "model.gain += 1"]
    ),
    "a number of a submodule": dict(
        top=_SCALE,
        init="self.scale = Scale(1.5)",
        forward="h = self.scale(h)",
        change=["model.scale.gain = 0.7", "model.scale = Scale(0.4)"],
    ),
    "a flag": dict(
        init="self.doubles = False", forward="if self.doubles:\n    h = h * 2", change=["model.doubles = True"]
    ),
    "a word": dict(
        init='self.named = "tanh"',
        forward='h = torch.tanh(h) if self.named == "tanh" else F.softplus(h)',
        change=['model.named = "softplus"'],
    ),
    "None": dict(
        init="self.added = None",
        forward="if self.added is not None:\n    h = h + self.added",
        change=["model.added = 0.3", "model.added = torch.full((8,), 0.3)"],
    ),
    "a function": dict(
        init="self.function = torch.tanh",
        forward="h = self.function(h)",
        change=["model.function = F.softplus", "model.function = lambda h: h * 0.5"],
    ),
    "a partial": dict(
        init="self.function = functools.partial(F.leaky_relu, negative_slope=0.3)",
        forward="h = self.function(h)",
        change=["model.function = functools.partial(F.leaky_relu, negative_slope=0.05)"],
    ),
    "a list": dict(
        init="self.gains = [1.2, 0.5]",
        forward="h = h * self.gains[0] + self.gains[-1]",
        change=["model.gains[0] = 0.4", "model.gains.reverse()", "model.gains.append(0.1)", "model.gains = [0.3, 0.2]"],
    ),
    "a tuple": dict(
        init="self.gains = (1.2, 0.5)",
        forward="h = h * self.gains[0] + self.gains[1]",
        change=["model.gains = (0.6, 0.1)"],
    ),
    "a dictionary": dict(
        init='self.options = {"gain": 1.2, "inner": {"shift": 0.1}}',
        forward='h = h * self.options["gain"] + self.options["inner"]["shift"]',
        change=[
            'model.options["gain"] = 0.4',
            'model.options["inner"]["shift"] = 0.5',
            'model.options = {"gain": 0.2, "inner": {"shift": 0.0}}',
        ],
    ),
    "a set": dict(
        init='self.on = {"tanh"}',
        forward='h = torch.tanh(h) if "tanh" in self.on else h',
        change=['model.on.discard("tanh")'],
    ),
    "a list of tensors": dict(
        init="self.shifts = [torch.full((8,), 0.1), torch.zeros(8)]",
        forward="h = h + sum(self.shifts)",
        change=[
            "model.shifts[1] = torch.full((8,), 0.4)",
            "model.shifts[0].add_(0.3)",
            "model.shifts.append(torch.ones(8) * 0.2)",
        ],
    ),
    "a tensor": dict(
        init="self.shift = torch.full((8,), 0.1)",
        forward="h = h + self.shift",
        change=[
            "model.shift = torch.full((8,), 0.5)",
            "model.shift.add_(0.3)",
            "model.shift[2] = 1.0",
            "model.shift.data.mul_(4)",
        ],
    ),
    "a buffer": dict(
        init='self.register_buffer("shift", torch.full((8,), 0.1))',
        forward="h = h + self.shift",
        change=[
            "model.shift = torch.full((8,), 0.5)",
            "model.shift.add_(0.3)",
            'model.register_buffer("shift", torch.full((8,), 0.4))',
            "model.shift[1:3] = 0.7",
        ],
    ),
    "a configuration": dict(
        top="@dataclasses.dataclass\nclass Config:\n    gain: float = 1.2\n    deep: bool = False\n",
        init="self.config = Config()",
        forward="h = h * self.config.gain\nif self.config.deep:\n    h = torch.sin(h)",
        change=["model.config.gain = 0.5", "model.config.deep = True", "model.config = Config(0.4, True)"],
    ),
    "a namespace": dict(
        init="self.options = types.SimpleNamespace(gain=1.2)",
        forward="h = h * self.options.gain",
        change=["model.options.gain = 0.3"],
    ),
    "a class attribute": dict(
        setup="Net.factor = 1.3", forward="h = h * type(self).factor", change=["Net.factor = 0.6"]
    ),
    "a property": dict(
        init="self.level = 3",
        methods="@property\ndef height(self):\n    return 0.4 * self.level\n",
        forward="h = h * self.height",
        change=["model.level = 1"],
    ),
    "a number of numpy": dict(
        init="self.gain = np.float64(1.3)", forward="h = h * float(self.gain)", change=["model.gain = np.float64(0.4)"]
    ),
    "an array of numpy": dict(
        init="self.table = np.full(8, 1.1)",
        forward="h = h * torch.from_numpy(self.table).to(h.dtype)",
        change=["model.table = np.full(8, 0.3)", "model.table[2:] = 0.5"],
    ),
    "layers in a list": dict(
        init="self.depth, self.layers = 2, nn.ModuleList(nn.Linear(8, 8) for _ in range(2))",
        forward="for layer in self.layers[:self.depth]:\n    h = h + torch.tanh(layer(h))",
        change=["model.depth = 1"],
    ),
    "layers in a dictionary": dict(
        init='self.branch = "a"\nself.branches = nn.ModuleDict({"a": nn.Linear(8, 8), "b": nn.Linear(8, 8)})',
        forward="h = h + torch.tanh(self.branches[self.branch](h))",
        change=['model.branch = "b"'],
    ),
    "a layer that is replaced": dict(
        init="self.act = nn.Tanh()", forward="h = self.act(h)", change=["model.act = nn.Softplus()"]
    ),
    "a number of a layer": dict(
        init="self.act = nn.LeakyReLU(0.1)", forward="h = self.act(h)", change=["model.act.negative_slope = 0.5"]
    ),
    "a forward that is replaced": dict(
        top=_SCALE,
        init="self.scaled = Scale(1.5)",
        forward="h = self.scaled(h)",
        # Of the object: torch.compile goes on with a method of its class, whatever the backend.
        change=["model.scaled.forward = lambda h: h * 0.4", "model.scaled.forward = torch.sin"],
    ),
    # What nothing holds but the script.
    "a global": dict(top="FACTOR = 1.3", forward="h = h * FACTOR", change=["global FACTOR\nFACTOR = 0.4"]),
    "a global list": dict(
        top="FACTORS = [1.3]",
        forward="h = h * FACTORS[0]",
        change=["FACTORS[0] = 0.4", "global FACTORS\nFACTORS = [0.2]"],
    ),
    "a global tensor": dict(
        top="SHIFT = torch.full((8,), 0.1)",
        forward="h = h + SHIFT",
        change=["SHIFT.add_(0.4)", "global SHIFT\nSHIFT = torch.ones(8)"],
    ),
    "an object of the script": dict(
        top="class Annealing:\n    weight = 1.2\n\n\nannealing = Annealing()",
        forward="h = h * annealing.weight",
        change=["annealing.weight = 0.5", "Annealing.weight = 0.3"],
    ),
    "a closure": dict(
        top="def scaled_by(gains):\n    return lambda h: h * gains[0]\n\n\ngains = [1.3]\nscale = scaled_by(gains)\n",
        forward="h = scale(h)",
        change=["gains[0] = 0.4"],
    ),
    "a weight of the loss": dict(top="ALPHA = 1.0", loss="loss = loss * ALPHA", change=["global ALPHA\nALPHA = 0.3"]),
    "an annealed weight": dict(
        top='weights = {"scores": 0.1}',
        loss='loss = loss + weights["scores"] * scores.pow(2).mean()',
        change=['weights["scores"] = 0.8'],
    ),
    # What forward writes. What processes have of it is the affair of local_state.
    "a running mean": dict(
        init='self.register_buffer("mean", torch.zeros(8))',
        unfit=JOINED,
        forward="if self.training:\n    with torch.no_grad():\n        self.mean.mul_(0.8).add_(h.mean(0), "
        "alpha=0.2)\nh = h - self.mean",
        change=["model.mean.zero_()", "model.mean.add_(0.1)"],
    ),
    "a buffer that is replaced": dict(
        init='self.register_buffer("mean", torch.zeros(8))',
        unfit=JOINED,
        forward="self.mean = 0.8 * self.mean + 0.2 * h.detach().mean(0)\nh = h - self.mean",
    ),
    "a counter": dict(
        init='self.register_buffer("steps", torch.tensor(0.0))',
        forward="self.steps += 1\nh = h / (1 + 0.1 * self.steps)",
        change=["model.steps.zero_()"],
    ),
    "a counter of Python": dict(
        init="self.calls = 0",
        forward="self.calls += 1\nh = h / (1 + 0.1 * self.calls)",
        unfit=STEPS + ("joined_step",),
        change=["model.calls = 0"],
    ),
    "a queue": dict(
        init='self.register_buffer("queue", torch.randn(4, 8) * 0.1)',
        unfit=JOINED,
        forward="h = h + 0.3 * self.queue.clone().detach().mean(0)\nwith torch.no_grad():\n"
        "    self.queue.copy_(torch.cat([self.queue[1:], h.detach().mean(0, keepdim=True)]))",
    ),
    "batch norm": dict(
        init="self.norm = nn.BatchNorm1d(8)",
        forward="h = self.norm(h)",
        unfit=JOINED,
        change=[
            "model.norm.eval()",
            "model.norm.momentum = 0.5",
            "model.norm.reset_running_stats()",
            "model.norm.eps = 0.1",
        ],
    ),
    "statistics of the batch": dict(
        init="self.statistics = nn.BatchNorm1d(8, track_running_stats=False)", forward="h = self.statistics(h)"
    ),
    "batch norm of all": dict(init="self.norm = nn.SyncBatchNorm(8)", forward="h = self.norm(h)", unfit=JOINED),
    "spectral norm": dict(
        init="self.normed = nn.utils.parametrizations.spectral_norm(nn.Linear(8, 8))", forward="h = h + self.normed(h)"
    ),
    "weight norm": dict(
        init="self.normed = nn.utils.parametrizations.weight_norm(nn.Linear(8, 8))",
        forward="h = h + torch.tanh(self.normed(h))",
    ),
    # What forward computes.
    "layer norm": dict(
        init="self.norm = nn.LayerNorm(8)",
        forward="h = self.norm(h)",
        change=["model.norm.eps = 0.1", "model.norm.requires_grad_(False)"],
    ),
    "group norm": dict(init="self.group = nn.GroupNorm(2, 8)", forward="h = self.group(h)"),
    "in place": dict(forward="h = h.clone()\nh[:, 0] = 0.5\nh.mul_(1.1)\nh += 0.1"),
    "a mask": dict(forward="h = torch.where(h > 0.2, h, 0.1 * h).masked_fill(h < -0.5, -0.5)"),
    # Nothing says which of equal values topk takes, and a rounded h has some.
    "the largest": dict(
        forward="h = h + (h + 0.001 * torch.arange(8)).topk(3, dim=1).values.mean(1, keepdim=True)"
    ),
    "similarities": dict(forward="h = h + 0.1 * torch.softmax(h @ h.t(), -1) @ h"),
    "a detached branch": dict(forward="h = h + h.detach().abs().mean()"),
    "tied weights": dict(
        init="self.tied = nn.Linear(8, 8, bias=False)", forward="h = F.linear(self.tied(h), self.tied.weight.t())"
    ),
    "a checkpoint": dict(
        init="self.block = nn.Sequential(nn.Linear(8, 8), nn.Tanh())",
        forward="h = h + torch.utils.checkpoint.checkpoint(self.block, h, use_reentrant=False)",
    ),
    "an autograd function": dict(
        forward="h = Straight.apply(h)",
        top="""
class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        return (h * 4).round() / 4

    @staticmethod
    def backward(ctx, gradient):
        return gradient
""",
    ),
    "an unused layer": dict(init="self.unused = nn.Linear(8, 8)"),
    "the mode": dict(forward="h = h * (0.8 if self.training else 1.0)"),
    "weights through data": dict(
        init="self.w8 = nn.Parameter(torch.eye(8) * 0.9)",
        forward="self.w8.data = self.w8.data.to(h.dtype)\nh = h @ self.w8",
    ),
    "dropout": dict(
        init="self.drop = nn.Dropout(0.3)",
        forward="h = self.drop(h)",
        change=["model.drop.p = 0.6", "model.drop.eval()", "torch.manual_seed(5)"],
        random=True,
    ),
    "noise": dict(forward="if self.training:\n    h = h + 0.1 * torch.randn_like(h)", random=True),
    # Graph breaks.
    "a graph break": dict(forward="torch._dynamo.graph_break()\nh = torch.tanh(h)"),
    "a print": dict(forward='print("hidden", tuple(h.shape))'),
    "a value decides": dict(forward="if h.pow(2).mean().item() > 0.2:\n    h = h * 0.9", unfit=STEPS + JOINED),
    # Hooks.
    "a hook of a parameter": _layer(
        "handle = model.extra.weight.register_hook(lambda g: g * 0.5)", change=["handle.remove()"]
    ),
    "a hook of a gradient that is complete": _layer(
        "def halve(p):\n    p.grad.mul_(0.5)\n\n\nhandle = "
        "model.extra.weight.register_post_accumulate_grad_hook(halve)",
        change=["handle.remove()"],
    ),
    "a hook of forward": _layer(
        "handle = model.extra.register_forward_hook(lambda module, args, out: out * 1.5)",
        change=["handle.remove()", "model.extra.register_forward_hook(lambda module, args, out: out + 0.2)"],
    ),
    "a hook before forward": _layer(
        "handle = model.extra.register_forward_pre_hook(lambda module, args: (args[0] * 1.5,))",
        change=["handle.remove()"],
    ),
    "a hook of backward": _layer(
        "handle = model.extra.register_full_backward_hook(lambda module, into, out: (into[0] * 0.5,))",
        change=["handle.remove()"],
    ),
    "a hook of a value": dict(forward="if h.requires_grad:\n    h.register_hook(lambda g: g * 0.5)"),
    "a hook of the optimizer": dict(
        setup="handle = optimizer.register_step_pre_hook(lambda optimizer, args, options: [p.grad.mul_(0.5) for g "
        "in optimizer.param_groups"
        ' for p in g["params"] if p.grad is not None] and None)',
        change=["handle.remove()"],
    ),
    # The loop.
    "clipping by norm": dict(after_backward="nn.utils.clip_grad_norm_(model.parameters(), 0.2)", clip="0.2"),
    "clipping by value": dict(
        after_backward="nn.utils.clip_grad_value_(model.parameters(), 0.05)",
        clip="lambda parameters: nn.utils.clip_grad_value_(parameters, 0.05)",
    ),
    "clamped weights": dict(
        after_step="with torch.no_grad():\n    model.head.weight.clamp_(-0.2, 0.2)", unfit=("fit",)
    ),
    "an average": dict(
        setup="average = torch.optim.swa_utils.AveragedModel(model)",
        after_step="average.update_parameters(model)",
        unfit=("fit",),
    ),
    "freezing": dict(change=["model.head.requires_grad_(False)", "next(model.parameters()).requires_grad_(False)"]),
    "thawing": _layer("model.extra.requires_grad_(False)", change=["model.extra.requires_grad_(True)"]),
    "a layer that is reset": dict(
        change=[
            "model.head.reset_parameters()",
            "with torch.no_grad():\n    model.head.bias.fill_(0.3)",
            "model.head.bias.data = torch.ones(3)",
        ]
    ),
    "values that are loaded": dict(
        setup="saved = copy.deepcopy(model.state_dict())", change=["model.load_state_dict(saved)"]
    ),
    "an optimizer that is loaded": dict(change=["optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))"]),
    "a file": dict(
        change=[
            "file = io.BytesIO()\ntorch.save((model.state_dict(), optimizer.state_dict()), file)\nfile.seek(0)\n"
            "model_state, optimizer_state = torch.load(file)\n"
            "model.load_state_dict(model_state)\noptimizer.load_state_dict(optimizer_state)"
        ]
    ),
    "a penalty of the weights": dict(
        loss="loss = loss + 1e-2 * sum(p.pow(2).sum() for p in model.parameters())",
        unfit=("joined_model", "joined_ddp"),
    ),
    "evaluation": dict(change=["evaluate()"], always=True),
    "a pass of PyTorch": dict(change=["with torch.no_grad():\n    model(held_out[0])"], always=True),
    "accumulation": dict(accumulates=True, unfit=STEPS + ("joined_step",)),
    "two passes": dict(twice=True, unfit=STEPS + ("joined_step", "joined_ddp")),
    "gradients that stay": dict(zero="optimizer.zero_grad(set_to_none=False)"),
    "a smaller last batch": dict(smaller=True, unfit=STEPS + ("joined_step",)),
}
# What processes of a launcher have of their own. In the beginning all have what process 0 has.
PROCESSES = {
    "seeds of each process": dict(seeds=True),
    "lengths of each process": dict(cuts=True, unfit=("joined_step",)),
}
