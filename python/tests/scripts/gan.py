"""A generator and a discriminator, each with its optimizer, the discriminator with weights that are clipped."""
import time

import torch
from torch import nn

torch.manual_seed(0)
netG = nn.Sequential(nn.Linear(16, 64, bias=False), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32), nn.Tanh())
netD = nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
data = torch.randn(512, 32).tanh()

for epoch in range(3):
    begin, sum_d, sum_g = time.perf_counter(), 0.0, 0.0
    for real in data[torch.randperm(512)].split(32):
        ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
        netD.zero_grad()
        real_loss = criterion(netD(real), ones)
        real_loss.backward()
        fake = netG(torch.randn(32, 16))
        fake_loss = criterion(netD(fake.detach()), zeros)
        fake_loss.backward()
        optimizerD.step()
        for p in netD.parameters():
            p.data.clamp_(-0.2, 0.2)
        netG.zero_grad()
        loss = criterion(netD(fake), ones)
        loss.backward()
        optimizerG.step()
        sum_d, sum_g = sum_d + real_loss.item() + fake_loss.item(), sum_g + loss.item()
    print(f"epoch {epoch} loss {sum_d / 16:.6f} generator {sum_g / 16:.6f} seconds {time.perf_counter() - begin:.4f}")
