"""Functions and modules of PyTorch, each a small expression over the inputs below.

A line of a table is a Python expression; the names in it that INPUTS has are what the
exported graph reads. Of a module it is the constructor, an arrow and the arguments.
Numbers are chosen away from what is not continuous, except where that is the point: ties,
signed zeros and infinities are inputs of their own.

Inputs are detached where their derivative cannot be PyTorch's: ReduceMax says nothing of
the index that torch.max gives the whole derivative to (amax shares it), updates of one
element have all its derivative in PyTorch's scatter, a Gather has no padding_idx, and
versions of PyTorch differ in the derivative of clamp at its ends.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F


def normal(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def uniform(low, high, *shape, seed):
    return low + (high - low) * torch.rand(*shape, generator=torch.Generator().manual_seed(seed))


def integers(low, high, *shape, seed):
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(seed))


INPUTS = {
    "x": normal(3, 4, seed=1), "y": normal(3, 4, seed=2), "z": normal(3, 4, seed=3),
    "p": uniform(0.2, 2.5, 3, 4, seed=4), "q": uniform(0.3, 3, 3, 4, seed=5),
    "u": uniform(-0.9, 0.9, 3, 4, seed=6), "r": uniform(0.1, 0.9, 3, 4, seed=7),
    "odd": torch.tensor([[0.0, -0.0, math.inf, -math.inf], [0.5, 1.5, -0.5, -2.5], [3e9, -7e-9, 2.0, -2.0]]),
    "nan": torch.tensor([[1.0, math.nan, -2.0], [math.nan, math.nan, 0.0]]),
    "ties": torch.tensor([[1.0, 2.0, 2.0, 0.0], [3.0, 3.0, 3.0, 3.0], [-1.0, 0.0, -1.0, 0.0]]),
    "v": normal(4, seed=8), "w": normal(4, seed=9), "row": normal(1, 4, seed=10), "one": normal(1, seed=11),
    "m": normal(4, 4, seed=12) + 3 * torch.eye(4), "n": normal(4, 5, seed=13), "k": normal(5, 4, seed=14),
    "spd": torch.eye(4) * 5 + (lambda a: a @ a.T)(normal(4, 4, seed=15)),
    "b1": normal(2, 3, 4, seed=16), "b2": normal(2, 4, 5, seed=17), "b3": normal(2, 3, 5, seed=18),
    "i": integers(0, 4, 3, 4, seed=19), "j": integers(1, 7, 3, 4, seed=20), "neg": integers(-9, 9, 3, 4, seed=21),
    "c": integers(0, 2, 3, 4, seed=22).bool(), "d": integers(0, 2, 3, 4, seed=23).bool(),
    "row_index": integers(0, 3, 5, seed=24), "column": integers(0, 4, 3, seed=25),
    "order": normal(3, 4, seed=41).argsort(1), "once": torch.tensor([2, 0]), "tokens": integers(0, 10, 2, 5, seed=26),
    "seq": normal(2, 6, 9, seed=27), "img": normal(2, 4, 8, 7, seed=28), "vol": normal(1, 2, 5, 6, 4, seed=29),
    "wide": normal(2, 4, 12, 12, seed=30), "tied": integers(0, 3, 2, 2, 6, 6, seed=31).float(),
    "k1": normal(8, 6, 3, seed=32), "k2": normal(6, 4, 3, 3, seed=33), "k3": normal(3, 2, 2, 3, 2, seed=34),
    "up2": normal(4, 3, 3, 3, seed=35), "table": normal(10, 6, seed=36), "steps": normal(5, 2, 6, seed=37),
    "heads": normal(2, 2, 5, 4, seed=38), "keys": normal(2, 2, 6, 4, seed=39), "values": normal(2, 2, 6, 4, seed=40),
    "sign": torch.tensor([1.0, -1.0, 1.0]), "sorted": torch.tensor([-1.5, -0.5, 0.0, 0.5, 1.5]),
}


class Expression(nn.Module):
    """A function of the inputs that an expression names, after a module where there is one."""

    def __init__(self, expression, constructor=None):
        super().__init__()
        torch.manual_seed(0)
        scope = {"torch": torch, "nn": nn, "F": F, "math": math}
        if constructor:
            self.inner = eval(constructor, scope)
            with torch.no_grad():  # so that no bias is zero and no scale is one
                for parameter in self.inner.parameters():
                    parameter.add_(0.1 * torch.randn_like(parameter))
            expression = f"inner({expression})"
        code = compile(expression, "<case>", "eval")
        self.names = [name for name in code.co_names if name in INPUTS]
        self.function = eval(f"lambda inner, {', '.join(self.names)}: {expression}", scope)

    def forward(self, *inputs):
        result = self.function(getattr(self, "inner", None), *inputs)
        return flat(result)


def flat(result):
    """The tensors of nested tuples and lists."""
    if isinstance(result, torch.Tensor):
        return [result]
    return [tensor for part in result for tensor in flat(part)] if isinstance(result, (tuple, list)) else []
