"""A small Llama of transformers, trained on its own labels."""
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(vocab_size=64, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                     num_key_value_heads=2, max_position_embeddings=32)
model = LlamaForCausalLM(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
tokens = torch.randint(0, 64, (64, 24)).cumsum(1) % 64

for epoch in range(3):
    begin, total = time.perf_counter(), 0.0
    for batch in tokens[torch.randperm(64)].split(8):
        out = model(input_ids=batch, labels=batch, use_cache=False)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        total += out.loss.item()
    print(f"epoch {epoch} loss {total / 8:.6f} seconds {time.perf_counter() - begin:.4f}")
