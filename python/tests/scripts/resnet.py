"""A ResNet of torchvision on small images: SGD, a cosine schedule, an evaluation after each epoch."""
import time

import torch
import torchvision
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images = torch.randn(128, 3, 32, 32)
labels = (images.mean((1, 2, 3)) > 0).long() + 2 * (images[:, 0].mean((1, 2)) > 0).long()
train = DataLoader(TensorDataset(images[:96], labels[:96]), batch_size=32, shuffle=True)
valid = DataLoader(TensorDataset(images[96:], labels[96:]), batch_size=32)
model = torchvision.models.resnet18(num_classes=4)
criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)

for epoch in range(3):
    model.train()
    begin, total = time.perf_counter(), 0.0
    for x, y in train:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()
    seconds = time.perf_counter() - begin
    model.eval()
    with torch.no_grad():
        correct = sum((model(x).argmax(1) == y).sum().item() for x, y in valid)
    print(f"epoch {epoch} loss {total / len(train):.6f} seconds {seconds:.4f} accuracy {correct / 32:.3f}")
