"""The back end of torch.compile: forward and backward passes against PyTorch in float64, and what falls back."""

import copy
import warnings

import gensyn
import pytest
import torch
from torch import nn


class Attention(nn.Module):
    """A block of a language model, from tokens on."""

    def __init__(self):
        super().__init__()
        self.table, self.norm = nn.Embedding(11, 16), nn.LayerNorm(16)
        self.project, self.out = nn.Linear(16, 48), nn.Linear(16, 5)

    def forward(self, tokens):
        x = self.norm(self.table(tokens))
        q, k, v = (part.unflatten(-1, (2, 8)).transpose(1, 2) for part in self.project(x).chunk(3, -1))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).flatten(2) + x)


class ChannelsLast(nn.Module):
    """The mean over an image whose channels are the last dimension in memory, as ConvNeXt and Swin have it."""

    def __init__(self):
        super().__init__()
        self.convolution, self.norm, self.head = nn.Conv2d(3, 4, 1), nn.LayerNorm(4), nn.Linear(4, 2)

    def forward(self, x):
        y = self.norm(self.convolution(x).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return self.head(nn.functional.adaptive_avg_pool2d(y, 1).flatten(1))


def image(*shape):
    return torch.rand(shape, generator=torch.Generator().manual_seed(1)) - 0.5


CASES = {
    "perceptron": lambda: (nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3), nn.Softmax(-1)), image(5, 4)),
    "normalized": lambda: (nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU()), image(4, 3, 9, 9)),
    "strided": lambda: (nn.Conv2d(3, 4, 3, stride=2, padding=1), image(2, 3, 9, 8)),
    "grouped": lambda: (nn.Conv2d(4, 8, 3, groups=2, dilation=2), image(2, 4, 9, 9)),
    "one dimension": lambda: (nn.Conv1d(3, 4, 5, stride=3), image(2, 3, 16)),
    "three dimensions": lambda: (nn.Conv3d(2, 3, 2, padding=1), image(2, 2, 4, 4, 4)),
    "transposed": lambda: (nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2, output_padding=1), image(2, 4, 5, 5)),
    "largest": lambda: (nn.Sequential(nn.Conv2d(3, 4, 1), nn.MaxPool2d(3, 2, 1)), image(2, 3, 9, 9)),
    "mean": lambda: (nn.Sequential(nn.Conv2d(3, 4, 1), nn.AvgPool2d(3, 2, 1)), image(2, 3, 9, 9)),
    "mean of what is there": lambda: (
        nn.Sequential(nn.Conv2d(3, 4, 1), nn.AvgPool2d(3, 2, 1, count_include_pad=False)),
        image(2, 3, 9, 9),
    ),
    "windows": lambda: (nn.Sequential(nn.Conv2d(3, 4, 1), nn.AdaptiveAvgPool2d((2, 3))), image(2, 3, 8, 9)),
    "channels last": lambda: (ChannelsLast(), image(2, 3, 5, 5)),
    "group norm": lambda: (nn.Sequential(nn.Conv2d(3, 4, 1), nn.GroupNorm(2, 4), nn.SiLU()), image(2, 3, 5, 5)),
    "attention": lambda: (Attention(), torch.arange(14).reshape(2, 7) % 11),
}


def train(module, x):
    """A step: the output, and the gradients of parameters and input, in float64 if the module is."""
    x = x.clone().to(next(module.parameters()).dtype).requires_grad_() if x.is_floating_point() else x
    y = module(x)
    y.mul(torch.linspace(-1, 1, y.numel(), dtype=y.dtype).reshape(y.shape)).sum().backward()
    inputs = [x.grad] if x.is_floating_point() else []
    return [y.detach(), *inputs, *[parameter.grad for parameter in module.parameters()]]


@pytest.mark.parametrize("name", CASES)
def test_forward_and_backward(name):
    torch.manual_seed(0)
    torch.compiler.reset()
    module, x = CASES[name]()
    reference, other = copy.deepcopy(module).double(), copy.deepcopy(module)
    before = len(gensyn.torch_graphs())
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        found = train(torch.compile(module, backend=gensyn.torch_backend), x)
    wanted = train(reference, x)
    for one, exact in zip(found, wanted):
        # Sums of at most some hundred terms around 1, in float32.
        assert torch.allclose(one.double(), exact, rtol=1e-4, atol=2e-5)
    for one, exact in zip(module.buffers(), reference.buffers()):
        assert torch.allclose(one.double(), exact.double(), rtol=1e-5, atol=1e-6)
    graphs = gensyn.torch_graphs()[before:]
    assert [graph.kind for graph in graphs] == ["forward", "backward"] and all(graph.digest for graph in graphs)
    torch.compiler.reset()
    options = {"instruction_set": "x86-64", "threads": 1}
    again = train(torch.compile(other, backend=gensyn.torch_backend, options=options), x)
    assert all(torch.equal(one, two) for one, two in zip(found, again)), "the same bits on another processor"


def test_inference():
    torch.manual_seed(0)
    torch.compiler.reset()
    module, x = CASES["normalized"]()
    module.eval()
    compiled = torch.compile(module, backend=gensyn.torch_backend)
    with torch.no_grad():
        assert torch.allclose(compiled(x), module(x), rtol=0, atol=1e-6)
        first = compiled(x)
        assert torch.equal(first, compiled(x)) and compiled(x).data_ptr() != first.data_ptr()
    assert gensyn.torch_graphs()[-1].kind == "inference"


def test_an_optimizer_of_pytorch_trains():
    torch.manual_seed(0)
    torch.compiler.reset()
    module, x = CASES["normalized"]()
    compiled = torch.compile(module, backend=gensyn.torch_backend)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.01)
    losses = []
    for _ in range(8):
        optimizer.zero_grad()
        loss = (compiled(x) - 1).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True) and losses[-1] < 0.95 * losses[0]


def test_random_numbers_are_those_of_pytorch():
    torch.compiler.reset()
    module = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.25), nn.Linear(8, 3))
    other, x, results = copy.deepcopy(module), image(5, 4), []
    for options in ({}, {"instruction_set": "x86-64", "threads": 1}):
        torch.compiler.reset()
        compiled = torch.compile(copy.deepcopy(module), backend=gensyn.torch_backend, options=options)
        torch.manual_seed(3)
        results.append([*train(compiled, x), compiled(x).detach()])
    assert all(torch.equal(*pair) for pair in zip(*results)), "the same bits on another processor"
    assert not torch.equal(results[0][0], results[0][-1]), "each step has its own"
    torch.manual_seed(3)
    mask = torch.rand(5, 8) >= 0.25
    other[1] = lambda_module(lambda h: torch.where(mask, h / 0.75, 0.0))
    for one, exact in zip(results[0], train(other.double(), x)):
        assert torch.allclose(one.double(), exact, rtol=1e-5, atol=1e-6)


def lambda_module(function):
    class Lambda(nn.Module):
        def forward(self, x):
            return function(x)

    return Lambda()


def test_each_size_has_a_program():
    torch.compiler.reset()
    module, _ = CASES["strided"]()
    reference = copy.deepcopy(module).double()
    compiled = torch.compile(module, backend=gensyn.torch_backend)
    before = len(gensyn.torch_graphs())
    for count in (2, 3, 4, 3, 2):
        x = image(count, 3, 9, 8)
        module.zero_grad()
        reference.zero_grad()
        found, wanted = train(compiled, x), train(reference, x)
        for one, exact in zip(found, wanted):
            assert torch.allclose(one.double(), exact, rtol=1e-4, atol=2e-5)
    graphs = gensyn.torch_graphs()[before:]
    # The first size has graphs of its own, the others those that Dynamo made at the second one.
    assert len(graphs) in (6, 8) and all(graph.digest for graph in graphs)


@pytest.mark.parametrize(
    ("module", "x", "reason"),
    [
        (
            lambda_module(lambda x: x + torch.multinomial(x.softmax(-1), 1)),
            image(4, 3),
            "draws random numbers that depend",
        ),
        (nn.Linear(3, 3).to(torch.bfloat16), image(4, 3).to(torch.bfloat16), "an input is torch.bfloat16"),
    ],
    ids=["random", "bfloat16"],
)
def test_what_falls_back_is_said(module, x, reason):
    torch.compiler.reset()
    compiled = torch.compile(module, backend=gensyn.torch_backend)
    with pytest.warns(UserWarning, match=f"the (forward|inference) graph of .* runs in PyTorch: .*{reason}"):
        y = compiled(x)
    assert y.shape == x.shape
    graph = gensyn.torch_graphs()[-1]
    assert graph.kind in ("forward", "inference") and reason in graph.reason and not graph.digest


def test_unknown_options():
    torch.compiler.reset()
    with pytest.raises(Exception, match="the back end has no option 'speed'"):
        torch.compile(nn.Linear(3, 3), backend=gensyn.torch_backend, options={"speed": 3})(image(2, 3))
