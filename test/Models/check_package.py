#!/usr/bin/env python3
"""Compiles and trains architectures of real size by the Python package, and compares with PyTorch.

  PYTHONPATH=BUILD/python check_package.py [ARCHITECTURE ...] [--steps 10]

For each: `gensyn.compile(module, x)` on a batch, in evaluation mode; then ten steps of `Trainer.fit` on batches, after
which the module's own parameters and running statistics are compared, and the losses on the way. The bound is ten times
the error of PyTorch's float32 against its float64, or 2e-6 (losses and parameters 1e-5) where that is smaller. Outputs are
in the measure max|a - b| / max|b|, parameters in |a - b| / |b - start| by the 2-norm. Prints a line for each; exit 1 where one fails.
"""

import argparse
import copy
import sys
import time
import traceback
import warnings

import gensyn
import numpy
import torch
from real_architectures import ARCHITECTURES
from silence import silence
from torch import nn

# Networks with batch normalizations are chaotic at larger step sizes: PyTorch's float32 is as far from its float64.
RATES, MOMENTUM = {"tokens": 1e-3, "images": 1e-5}, 0.9


def error(found, wanted):
    scale = max(float(wanted.abs().max()), 1e-30)
    return float((found.double() - wanted).abs().max()) / scale


def make_optimizer(module, x):
    rate = RATES["images" if x.is_floating_point() else "tokens"]
    return torch.optim.SGD([p for p in module.parameters() if p.requires_grad], lr=rate, momentum=MOMENTUM)


def train(module, batches, dtype):
    """PyTorch's training: the losses, and the module."""
    module = copy.deepcopy(module).to(dtype).train()
    optimizer, losses = make_optimizer(module, batches[0][0]), []
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(module(x.to(dtype) if x.is_floating_point() else x), y)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses, module


def floats(module):
    """Parameters and statistics in one vector: a bias before a normalization has no scale of its own. The variance is
    left out, which PyTorch defines otherwise (docs/Running.md, batch_norm)."""
    state = module.state_dict()
    return torch.cat(
        [
            value.detach().double().flatten()
            for name, value in state.items()
            if value.is_floating_point() and not name.endswith(("running_var", "running_mean"))
        ]
    )


class Losses(gensyn.Callback):
    def __init__(self):
        self.losses = []

    def on_step_end(self, trainer, record):
        self.losses.append(record["loss"])


def check(name, steps):
    torch.manual_seed(0)
    module, make = ARCHITECTURES[name]()
    module.eval()
    batches = [make(seed) for seed in range(steps)]
    x = batches[0][0]
    start = time.monotonic()
    with silence(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = gensyn.compile(module, x)
    found = torch.from_numpy(program(x))
    compiled = time.monotonic() - start
    with torch.no_grad():
        double = copy.deepcopy(module).double()
        wanted = double(x.double() if x.is_floating_point() else x)
        single = module(x)
    rows = [("output", error(found, wanted), max(10 * error(single, wanted), 2e-6))]
    exact, reference = train(module, batches, torch.float64)
    rounded, other = train(module, batches, torch.float32)
    start = time.monotonic()
    seen = Losses()
    recipe = gensyn.Recipe(loss=nn.CrossEntropyLoss(), optimizer=make_optimizer(module, x))
    with silence(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = gensyn.Trainer(module, recipe)
        trainer.fit(batches, callbacks=[seen], progress=False)
    trained = time.monotonic() - start
    before = floats(double)
    wanted = floats(reference)
    if torch.equal(floats(module), before):
        raise AssertionError("the module has not changed")
    # Relative to what the training changed: a parameter that never moved must not hide behind its size.
    # By the 2-norm, since a ReLU that flips changes few of them much.
    moved = float((wanted - before).norm())
    far = float((floats(module) - wanted).norm()) / moved
    near = float((floats(other) - wanted).norm()) / moved
    rows.append(("parameters", far, max(10 * near, 1e-5)))
    losses = numpy.array(exact)
    worst = float(numpy.max(numpy.abs(numpy.array(seen.losses) - losses) / losses))
    own = float(numpy.max(numpy.abs(numpy.array(rounded) - losses) / losses))
    rows.append(("losses", worst, max(10 * own, 1e-5)))
    text = ", ".join(f"{what} {value:.1e} (bound {bound:.1e})" for what, value, bound in rows)
    good = all(value <= bound for _, value, bound in rows) and len(seen.losses) == steps
    return good, f"{text}; compile {compiled:.0f} s, fit {trained:.0f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    failed = []
    names = options.names or list(ARCHITECTURES)
    for name in names:
        try:
            good, text = check(name, options.steps)
        except Exception as problem:  # noqa: BLE001  (of any of the libraries)
            good, text = False, f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
            if len(names) == 1:
                traceback.print_exc()
        failed += [name] * (not good)
        print(f"{name}: {'' if good else 'FAILED: '}{text}", flush=True)
    print(f"{len(names) - len(failed)} of {len(names)} architectures pass")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
