"""What scripts of PyTorch are drawn from: tables of lines, as their authors write them.

A part is {place: lines}. Places are `top` (before the model), `init` and `forward` (of the model, whose hidden values
are h, 8 of each sample), `setup` (after model and optimizer), `loss` (after the loss is computed), `after_backward`,
`after_step`, and `change`: a list of changes between two epochs, of which one is drawn. `clip` is the option of
data_parallel that does what `after_backward` does. `unfit` are ways that a part is not written for, and `random` draws
masks, which are those of ds and not PyTorch's.
"""

COMPILED, STEPS, JOINED = (
    ("loss", "model"),
    ("step", "fit"),
    ("joined_loss", "joined_model", "joined_ddp", "joined_step"),
)

# The bias of keys has no gradient but rounding. It begins beside zero, where weight decay decides on Adam's steps.
KEYS = "nn.init.uniform_(self.{name}.in_proj_bias, 0.1, 0.4)"
TOKENS = "torch.randint(1, 11, ({rows}, 5), generator=generator)"
STEMS = {
    "linear": dict(
        x="torch.randn({rows}, 6, generator=generator)",
        init="self.stem = nn.Linear(6, 8)",
        forward="h = torch.tanh(self.stem(x))",
    ),
    "sequential": dict(
        x="torch.randn({rows}, 6, generator=generator)",
        init="self.stem = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 8))",
        forward="h = self.stem(x)",
    ),
    "parameters": dict(
        x="torch.randn({rows}, 6, generator=generator)",
        init="self.w, self.b = nn.Parameter(torch.randn(6, 8) * 0.4), nn.Parameter(torch.zeros(8))",
        forward="h = F.silu(x @ self.w + self.b)",
    ),
    "convolution": dict(
        x="torch.randn({rows}, 1, 6, 6, generator=generator)",
        init="self.conv, self.stem = nn.Conv2d(1, 4, 3), nn.Linear(16, 8)",
        forward="h = torch.tanh(self.stem(F.max_pool2d(F.relu(self.conv(x)), 2).flatten(1)))",
    ),
    "signal": dict(
        x="torch.randn({rows}, 2, 10, generator=generator)",
        init="self.conv = nn.Conv1d(2, 8, 3, padding=1)",
        forward="h = F.elu(self.conv(x)).mean(-1)",
    ),
    "tokens": dict(x=TOKENS, init="self.embed = nn.Embedding(11, 8)", forward="h = self.embed(x).mean(1)"),
    "padded tokens": dict(
        x="torch.randint(0, 11, ({rows}, 5), generator=generator)",
        init="self.embed = nn.Embedding(11, 8, padding_idx=0)",
        forward="mask = (x != 0).unsqueeze(-1)\nh = (self.embed(x) * mask).sum(1) / mask.sum(1).clamp(min=1)",
    ),
    "attention": dict(
        x=TOKENS,
        init="self.embed, self.attend = nn.Embedding(11, 8), nn.MultiheadAttention(8, 2, batch_first=True)\n"
        + KEYS.format(name="attend"),
        forward="h = self.embed(x)\nh = (h + self.attend(h, h, h, need_weights=False)[0]).mean(1)",
    ),
    "transformer": dict(
        x=TOKENS,
        init="self.embed = nn.Embedding(11, 8)\nself.encode = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, "
        "batch_first=True)\n" + KEYS.format(name="encode.self_attn"),
        forward="h = self.encode(self.embed(x)).mean(1)",
    ),
    "lengths": dict(
        x="torch.randint(1, 11, ({rows}, 5 + 2 * k), generator=generator)",
        init="self.embed = nn.Embedding(11, 8)",
        forward="h = torch.tanh(self.embed(x)).mean(1)",
        unfit=STEPS + ("joined_step",),
    ),
    "recurrent": dict(
        x="torch.randn({rows}, 3, 4, generator=generator)",
        init="self.cells = nn.GRU(4, 8, batch_first=True)",
        forward="h = self.cells(x)[0][:, -1]",
        unfit=JOINED,
    ),
}
CLASSES, VALUES = "torch.randint(0, 3, ({rows},), generator=generator)", "torch.randn({rows}, 3, generator=generator)"
CRITERIA = {
    "cross_entropy": dict(y=CLASSES, make="F.cross_entropy"),
    "CrossEntropyLoss": dict(y=CLASSES, make="nn.CrossEntropyLoss()", change=["criterion.label_smoothing = 0.2"]),
    "weights of classes": dict(
        y=CLASSES,
        make="nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]))",
        change=[
            "criterion.weight = torch.tensor([0.3, 1.0, 2.0])",
            "criterion.weight.mul_(torch.tensor([1.0, 3.0, 0.5]))",
        ],
    ),
    "focal": dict(
        y=CLASSES,
        make="Focal(2.0)",
        change=["criterion.gamma = 1.0"],
        top="""
class Focal(nn.Module):
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma

    def forward(self, scores, labels):
        losses = F.cross_entropy(scores, labels, reduction="none")
        return ((1 - torch.exp(-losses)) ** self.gamma * losses).mean()
""",
    ),
    "labels that are ignored": dict(
        y="torch.randint(0, 3, ({rows},), generator=generator).index_fill(0, torch.tensor([k, 3]), -100)",
        make="nn.CrossEntropyLoss()",
    ),
    "sum": dict(y=CLASSES, make='nn.CrossEntropyLoss(reduction="sum")'),
    "mse": dict(y=VALUES, make="nn.MSELoss()"),
    "huber": dict(y=VALUES, make="nn.HuberLoss(delta=0.7)", change=["criterion.delta = 0.3"]),
    "smooth": dict(y=VALUES, make="nn.SmoothL1Loss(beta=0.5)", change=["criterion.beta = 1.5"]),
    "weighted parts": dict(
        y=VALUES,
        make='Parts({"square": 1.0, "size": 0.1})',
        change=['criterion.weights["size"] = 0.7', 'criterion.weights = {"square": 0.5, "size": 0.2}'],
        top="""
class Parts(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = weights

    def forward(self, scores, values):
        return self.weights["square"] * F.mse_loss(scores, values) + self.weights["size"] * scores.abs().mean()
""",
    ),
    "weights of positives": dict(
        y="(torch.randn({rows}, 3, generator=generator) > 0).to(torch.get_default_dtype())",
        make="nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0]))",
        change=["criterion.pos_weight = torch.tensor([3.0, 1.0, 1.0])", "criterion.pos_weight.fill_(2.0)"],
    ),
    "a function of the script": dict(
        y=VALUES,
        make="criterion",
        top="""
def criterion(scores, values):
    return (scores - values).abs().pow(1.5).mean()
""",
    ),
}
RATE = ['optimizer.param_groups[0]["lr"] *= 0.3']
DECAY = [*RATE, 'for group in optimizer.param_groups:\n    group["weight_decay"] = 0.02']
OPTIMIZERS = {
    "SGD": dict(make="torch.optim.SGD(model.parameters(), lr=0.1)", change=RATE),
    "momentum": dict(
        make="torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)",
        change=[*RATE, 'optimizer.param_groups[0]["momentum"] = 0.5', "optimizer.state.clear()"],
    ),
    "nesterov": dict(
        make="torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)",
        change=DECAY,
    ),
    "Adam": dict(
        make="torch.optim.Adam(model.parameters(), lr=0.02)",
        change=[*DECAY, 'optimizer.param_groups[0]["betas"] = (0.8, 0.99)'],
    ),
    "AdamW": dict(make="torch.optim.AdamW(model.parameters(), lr=0.02, amsgrad=True)", change=DECAY),
    "a rate in a tensor": dict(
        make="torch.optim.AdamW(model.parameters(), lr=torch.tensor(0.02))",
        change=['optimizer.param_groups[0]["lr"].mul_(0.3)', 'optimizer.param_groups[0]["lr"] = torch.tensor(0.005)'],
    ),
    "groups": dict(
        make='torch.optim.AdamW([{"params": [*model.head.parameters()], "lr": 0.05},'
        ' {"params": [p for n, p in model.named_parameters() if not n.startswith("head")]}], lr=0.01)',
        change=['optimizer.param_groups[1]["lr"] = 0.03', 'optimizer.param_groups[0]["weight_decay"] = 0.1'],
    ),
    "RMSprop": dict(make="torch.optim.RMSprop(model.parameters(), lr=0.01, momentum=0.5, centered=True)", change=RATE),
    "Adagrad": dict(make="torch.optim.Adagrad(model.parameters(), lr=0.05, lr_decay=0.1)", change=RATE),
    "Adadelta": dict(make="torch.optim.Adadelta(model.parameters(), lr=1.0)"),
    "Adamax": dict(make="torch.optim.Adamax(model.parameters(), lr=0.02)"),
    "NAdam": dict(make="torch.optim.NAdam(model.parameters(), lr=0.02)"),
    "RAdam": dict(make="torch.optim.RAdam(model.parameters(), lr=0.02)"),
    "of the script": dict(
        make="Sign(model.parameters(), lr=0.02)",
        change=[*RATE, 'optimizer.param_groups[0]["blend"] = 0.5'],
        top="""
class Sign(torch.optim.Optimizer):
    def __init__(self, params, lr, blend=0.9):
        super().__init__(params, {"lr": lr, "blend": blend})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["average"] = torch.zeros_like(p)
                state["average"].mul_(group["blend"]).add_(p.grad, alpha=1 - group["blend"])
                p.add_(state["average"] / (state["average"].abs() + 0.1), alpha=-group["lr"])
""",
    ),
}
STEADY = ("SGD", "momentum", "nesterov", "of the script")
SCHEDULES = {  # make, and whether it steps after each step of the optimizer
    "none": (None, False),
    "StepLR": ("torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)", False),
    "ExponentialLR": ("torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)", True),
    "LambdaLR": ("torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: 1 / (1 + k))", True),
    "MultiplicativeLR": ("torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda k: 0.7)", False),
    "CosineAnnealingLR": ("torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)", True),
    "SequentialLR": (
        "torch.optim.lr_scheduler.SequentialLR(optimizer, [torch.optim.lr_scheduler.LinearLR(optimizer, 0.5, "
        "total_iters=2),"
        " torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)], [3])",
        True,
    ),
    "ReduceLROnPlateau": (
        "torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.3, patience=0, threshold=0.5)",
        False,
    ),
    "OneCycleLR": ("torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=8, cycle_momentum=False)", True),
    "CyclicLR": ("torch.optim.lr_scheduler.CyclicLR(optimizer, 0.01, 0.1, step_size_up=2, cycle_momentum=False)", True),
}
OUTPUTS = {
    "scores": dict(result="scores", call='scores = {net}(batch["x"])'),
    "a tuple": dict(
        result="scores, h", call='scores, hidden = {net}(batch["x"])', loss="loss = loss + 0.01 * hidden.pow(2).mean()"
    ),
    "a dictionary": dict(
        result='{"scores": scores, "hidden": h}',
        call='found = {net}(batch["x"])\nscores = found["scores"]',
        loss='loss = loss + 0.01 * found["hidden"].abs().mean()',
    ),
    "a named tuple": dict(
        top='Output = collections.namedtuple("Output", "scores size")',
        result="Output(scores, h.square().mean(1))",
        call='found = {net}(batch["x"])\nscores = found.scores',
        loss="loss = loss + 0.01 * found.size.mean()",
    ),
}
