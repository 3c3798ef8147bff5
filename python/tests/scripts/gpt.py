"""A small GPT on characters: forward gives logits and loss, AdamW with two groups, clipping, a warm-up that the loop
sets itself."""
import math
import time

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
VOCABULARY, LENGTH, WIDTH, HEADS, LAYERS, BATCH = 32, 32, 64, 4, 2, 16


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention, self.projection = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (part.view(B, T, HEADS, C // HEADS).transpose(1, 2)
                   for part in self.attention(self.first(x)).split(C, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.projection(y.transpose(1, 2).contiguous().view(B, T, C))
        return x + self.mlp(self.second(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks, self.norm = nn.ModuleList(Block() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.tokens.weight = self.head.weight

    def forward(self, idx, targets):
        x = self.tokens(idx) + self.positions(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return logits, F.cross_entropy(logits.view(-1, VOCABULARY), targets.view(-1))


text = torch.randint(0, VOCABULARY, (4096,)).cumsum(0) % VOCABULARY
model = GPT()
decay = [p for p in model.parameters() if p.dim() >= 2]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1},
                               {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}],
                              lr=1e-3, betas=(0.9, 0.95))
step = 0
for epoch in range(3):
    begin, total = time.perf_counter(), 0.0
    for _ in range(8):
        starts = torch.randint(len(text) - LENGTH - 1, (BATCH,))
        x, y = (torch.stack([text[i + shift:i + shift + LENGTH] for i in starts]) for shift in (0, 1))
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * min(1, (step + 1) / 5) * (0.5 + 0.5 * math.cos(math.pi * step / 30))
        logits, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total, step = total + loss.item(), step + 1
    print(f"epoch {epoch} loss {total / 8:.6f} seconds {time.perf_counter() - begin:.4f}")
