"""A perceptron on images, with the loop of most tutorials."""
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images, labels = torch.randn(2048, 784), torch.randint(0, 10, (2048,))
loader = DataLoader(TensorDataset(images, labels), batch_size=128, shuffle=True)
model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for epoch in range(3):
    begin, total = time.perf_counter(), 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.6f} seconds {time.perf_counter() - begin:.4f}")
