#!/usr/bin/env python3
"""Runs architectures of real size by the package's back end of torch.compile, and compares with PyTorch.

  PYTHONPATH=BUILD/python check_torch_compile.py [ARCHITECTURE ...]

For each a forward pass in evaluation mode, and the forward and backward pass of a training step, whose loss, gradients
and running statistics are compared. The bound is ten times the error of PyTorch's float32 against its float64, the largest
of three runs, two of which have parameters that differ in their last bits, or 2e-6 (gradients and statistics 1e-5) where
that is more, in the measure |a - b| / |b| by the 2-norm. Then all again for any
processor of x86-64, with one thread: every bit must be the same. A graph that runs in PyTorch is a failure. Prints a
line for each; exit 1 where one fails.
"""

import argparse
import copy
import sys
import time
import warnings

import gensyn
import torch
from check_package import check_all, convert, disturb
from real_architectures import ARCHITECTURES
from silence import silence
from torch import nn

DEFAULT = (
    *("resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "densenet121", "squeezenet1_1"),
    *("regnet_y_400mf", "googlenet", "convnext_tiny", "swin_t", "vit_b_32", "poolformer_s12", "levit_128s"),
    *("GPT2", "Llama", "OPT", "Qwen2", "Bert", "DistilBert"),
)
FLOORS = {"output": 2e-6, "loss": 2e-6, "gradients": 1e-5, "statistics": 1e-5}


def forward(module, x):
    with torch.no_grad():
        return {"output": module(x)}


def step(module, compiled, x, y):
    """The loss, the gradients and the running statistics of a step."""
    loss = nn.functional.cross_entropy(compiled(x), y)
    loss.backward()
    result = {"loss": loss.detach()[None]}
    result["gradients"] = torch.cat([p.grad.flatten() for p in module.parameters() if p.grad is not None])
    statistics = [each.flatten() for each in module.buffers() if each.is_floating_point()]
    if statistics:
        result["statistics"] = torch.cat(statistics)
    return result


def by_pytorch(module, batch, dtype, disturbed=False):
    module = copy.deepcopy(module).to(dtype)
    if disturbed:
        disturb(module)
    x, y = convert(batch[0], dtype), batch[1]
    results = forward(module.eval(), x)
    return results | step(module, module.train(), x, y)


def by_package(module, batch, options):
    """The results, the graphs, and the seconds of compilation and both passes."""
    torch.compiler.reset()
    module = copy.deepcopy(module)
    before, start = len(gensyn.torch_graphs()), time.monotonic()
    with silence(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = torch.compile(module, backend=gensyn.torch_backend, options=options)
        module.eval()
        results = forward(compiled, batch[0])
        module.train()
        results |= step(module, compiled, *batch)
    return results, gensyn.torch_graphs()[before:], time.monotonic() - start


def error(found, wanted):
    return float((found.double() - wanted.double()).norm() / wanted.double().norm().clamp_min(1e-300))


def check(name):
    torch.manual_seed(0)
    module, make = ARCHITECTURES[name]()
    batch = make(0)
    wanted = by_pytorch(module, batch, torch.float64)
    singles = [by_pytorch(module, batch, torch.float32, disturbed) for disturbed in (False, True, True)]
    found, graphs, seconds = by_package(module, batch, {})
    rows = [
        (what, error(found[what], exact), max(*(10 * error(each[what], exact) for each in singles), FLOORS[what]))
        for what, exact in wanted.items()
    ]
    kinds = [graph.kind for graph in graphs if graph.digest]
    lost = [f"{graph.kind} of {graph.operators} operators: {graph.reason}" for graph in graphs if graph.reason]
    good = set(kinds) == {"inference", "forward", "backward"} and not lost
    good = good and all(value <= bound for _, value, bound in rows)
    again, others, _ = by_package(module, batch, {"instruction_set": "x86-64", "threads": 1})
    same = all(torch.equal(one, again[what]) for what, one in found.items())
    same = same and [each.digest for each in graphs] == [each.digest for each in others]
    text = ", ".join(f"{what} {value:.1e} (bound {bound:.1e})" for what, value, bound in rows)
    text += f"; {len(graphs)} graphs, {'the same bits' if same else 'OTHER BITS'} on x86-64; {seconds:.0f} s"
    return good and same, text + "".join(f"; in PyTorch: {each}" for each in lost)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[])
    return check_all(parser.parse_args().names or list(DEFAULT), check)


if __name__ == "__main__":
    sys.exit(main())
