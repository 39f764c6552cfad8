"""Modules of which exporters merge more than a layer's tensors: calls, statistics, parts of one call, folded numbers."""

import torch
import torch.nn.functional as F
from torch import nn

from zoo import BATCH, CLASSES, CROSS_ENTROPY, MSE, model, numbers


class Module(nn.Module):
    """What a function makes of a module's tensors and its input."""

    def __init__(self, function, **tensors):
        super().__init__()
        for name, tensor in tensors.items():
            setattr(self, name, nn.Parameter(tensor) if isinstance(tensor, torch.Tensor) else tensor)
        self.function = function

    def forward(self, x):
        return self.function(self, x)


def columns(function, **tensors):
    return Module(function, out=nn.Linear(6, 1), **tensors), {"x": numbers(BATCH, 6)}, MSE, numbers(BATCH, 1, seed=4)


def zero_bias(layer):
    nn.init.zeros_(layer.bias)
    return layer


@model
def merged_calls():
    """Two calls that are one node while two matrices are equal, and another use of the second."""
    return columns(lambda s, x: s.out(torch.tanh(F.linear(x, s.a)) @ s.b + F.linear(x, s.b)), a=torch.eye(6), b=torch.eye(6))


@model
def merged_layers():
    """As above with layers, and operators between them and what reads them."""
    a, b = nn.Linear(6, 6), nn.Linear(6, 6)
    b.load_state_dict(a.state_dict())
    return columns(lambda s, x: s.out(torch.tanh(s.a(x)) * torch.sigmoid(s.b(x)) + s.b(x.abs())), a=a, b=b)


@model
def merged_operands():
    """A choice between two equal tensors."""
    return columns(lambda s, x: s.out(torch.where(x > 0, s.a, s.b) * x * s.b), a=torch.ones(6), b=torch.ones(6))


@model
def merged_statistics():
    """Normalizations that no convolution precedes, whose statistics are like their scales and shifts."""
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.convolution = nn.BatchNorm2d(8), nn.Conv2d(8, 8, 3, padding=1)

        def forward(self, x):
            return x + self.convolution(torch.relu(self.norm(x)))
    layers = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), Block(), Block(), nn.GroupNorm(2, 8), nn.BatchNorm2d(8), nn.Flatten(),
                           nn.LayerNorm(128), nn.Linear(128, 10))
    return layers, {"x": numbers(BATCH, 1, 4, 4)}, CROSS_ENTROPY, CLASSES


@model
def merged_buffers():
    """Buffers that are like parameters."""
    module, *rest = columns(lambda s, x: s.out(s.linear(s.norm((x - s.mean) / s.deviation) * s.scale)), norm=nn.LayerNorm(6),
                            linear=zero_bias(nn.Linear(6, 6)), scale=torch.ones(6))
    module.register_buffer("mean", torch.zeros(6))
    module.register_buffer("deviation", torch.ones(6))
    return module, *rest


@model
def zero_bias_twice():
    """A layer with a zero bias in three calls."""
    def function(s, x):
        for _ in range(3):
            x = x + torch.tanh(s.linear(s.norm(x)))
        return s.out(x)
    return columns(function, linear=zero_bias(nn.Linear(6, 6)), norm=nn.LayerNorm(6))


@model
def zero_recurrences():
    """Recurrent layers whose biases are zero."""
    class Layers(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second, self.out = nn.LSTM(5, 6, 2, batch_first=True), nn.LSTM(6, 6, batch_first=True), nn.Linear(6, 10)
            for name, parameter in self.named_parameters():
                if "bias" in name:
                    nn.init.zeros_(parameter)

        def forward(self, x):
            return self.out(self.second(self.first(x)[0])[0][:, -1])
    return Layers(), {"x": numbers(BATCH, 4, 5)}, CROSS_ENTROPY, CLASSES


@model
def folded_number():
    """A number that the exporter computes from a parameter."""
    return columns(lambda s, x: s.out(x) * (2 * s.a), a=torch.tensor(0.7))
