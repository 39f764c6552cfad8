"""Modules of plain PyTorch: recurrence, windows of all kinds, rare operators."""

import torch
from torch import nn
from torch.nn import functional as F

from zoo import BATCH, CROSS_ENTROPY, L1, MSE, model, numbers, tokens


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.cells = getattr(nn, kind)(8, 12, batch_first=True, **options)
        self.out = nn.Linear(24 if options.get("bidirectional") else 12, 5)

    def forward(self, x):
        return self.out(self.cells(self.embedding(x))[0])


def recurrent(kind, **options):
    return Recurrent(kind, **options), {"x": tokens(BATCH, 9, 20)}, CROSS_ENTROPY, tokens(BATCH, 9, 5, seed=5)


@model
def lstm():
    return recurrent("LSTM", num_layers=2)


@model
def lstm_bidirectional():
    return recurrent("LSTM", bidirectional=True)


@model
def gru():
    return recurrent("GRU")


@model
def elman():
    return recurrent("RNN")


class UNet(nn.Module):
    """Down and up again; `up` is "transposed" or a mode of interpolate."""

    def __init__(self, up):
        super().__init__()
        self.up = up
        self.first = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.GroupNorm(2, 6), nn.SiLU())
        self.down = nn.Sequential(nn.Conv2d(6, 12, 3, stride=2, padding=1), nn.InstanceNorm2d(12, affine=True),
                                  nn.LeakyReLU())
        if up == "transposed":
            self.transposed = nn.ConvTranspose2d(12, 6, 4, stride=2, padding=1)
        self.out = nn.Conv2d(12 if up == "transposed" else 18, 1, 1)

    def forward(self, x):
        first = self.first(x)
        low = self.down(first)
        if self.up == "transposed":
            high = self.transposed(low)
        elif self.up == "nearest":
            high = F.interpolate(low, scale_factor=2, mode="nearest")
        else:
            high = F.interpolate(low, scale_factor=2, mode=self.up, align_corners=False)
        return self.out(torch.cat([first, high], 1))


def unet(up):
    return UNet(up), {"x": numbers(BATCH, 1, 16, 16)}, MSE, numbers(BATCH, 1, 16, 16, seed=4)


@model
def unet_transposed():
    return unet("transposed")


@model
def unet_nearest():
    return unet("nearest")


@model
def unet_bilinear():
    return unet("bilinear")


@model
def unet_bicubic():
    return unet("bicubic")


class Rare(nn.Module):
    """Operators that few models have."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 16)
        self.prelu = nn.PReLU(16)
        self.weight = nn.Parameter(torch.randn(4, 4, 6) * 0.3)
        self.out = nn.Linear(24, 5)

    def forward(self, x):
        h = self.prelu(self.linear(x).transpose(1, 2)).transpose(1, 2)
        h = F.softplus(h) - F.elu(h) + F.selu(h) * F.hardsigmoid(h) + F.mish(h)
        a = torch.einsum("btf,fgh->btgh", h[..., ::4], self.weight).flatten(2)
        largest = torch.topk(a, 6, dim=-1).values
        sums = torch.cumsum(a[..., :6], 1)
        sorted_ = torch.gather(a, 2, torch.argsort(a.detach(), dim=-1)[..., :6])
        spread = (torch.logsumexp(a, -1, keepdim=True) + torch.var(a, -1, keepdim=True)
                  + a.norm(dim=-1, keepdim=True)).expand(-1, -1, 6)
        return self.out(torch.cat([largest, sums, sorted_, spread], -1)).mean(1)


@model
def rare():
    return Rare(), {"x": numbers(BATCH, 6, 8)}, CROSS_ENTROPY, torch.tensor([0, 3, 4, 1])


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True, norm_first=True, activation="gelu")
        self.embedding, self.layers, self.out = nn.Embedding(30, 16), nn.TransformerEncoder(layer, 2), nn.Linear(16, 30)

    def forward(self, x):
        n = x.shape[1]
        mask = torch.triu(torch.full((n, n), float("-inf")), 1).to(self.out.weight.dtype)
        return self.out(self.layers(self.embedding(x), mask=mask))


@model
def torch_transformer():
    return Encoder(), {"x": tokens(BATCH, 9, 30)}, CROSS_ENTROPY, tokens(BATCH, 9, 30, seed=5)


@model
def conv1d():
    layers = nn.Sequential(
        nn.Conv1d(3, 8, 5, padding=2, padding_mode="reflect"), nn.BatchNorm1d(8), nn.ReLU6(),
        nn.Conv1d(8, 8, 3, groups=8, dilation=2), nn.GELU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 4))
    return layers, {"x": numbers(BATCH, 3, 20)}, CROSS_ENTROPY, torch.tensor([0, 3, 2, 1])


@model
def conv3d():
    layers = nn.Sequential(
        nn.Conv3d(1, 4, 3, padding=1), nn.BatchNorm3d(4), nn.ReLU(), nn.MaxPool3d(2), nn.Conv3d(4, 8, 3), nn.ELU(),
        nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(8, 3))
    return layers, {"x": numbers(BATCH, 1, 8, 8, 8)}, CROSS_ENTROPY, torch.tensor([0, 1, 2, 1])


@model
def pixel_shuffle():
    layers = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.PReLU(), nn.PixelShuffle(2),
                           nn.Conv2d(2, 1, 3, padding=1, padding_mode="replicate"))
    return layers, {"x": numbers(BATCH, 1, 8, 8)}, L1, numbers(BATCH, 1, 16, 16, seed=4)
