#!/usr/bin/env python3
"""Compiles and trains architectures of real size by the Python package, and compares with PyTorch.

  PYTHONPATH=BUILD/python check_package.py [ARCHITECTURE ...] [--steps 10]

For each: `gensyn.compile(module, x)` on a batch, in evaluation mode; then ten steps of `Trainer.fit` on batches, after
which the module's own parameters are compared, and the losses on the way. Both in float32 and in float64, always against
PyTorch in float64. The bound is ten times PyTorch's own error:

  - in float32, that of its float32, for training the largest of three runs, two of which begin with parameters that
    differ in their last bits; or 2e-6 (losses and parameters 1e-5) where that is more;
  - in float64, what it makes of parameters that differ in their last bits, or 1e-6 where that is more.

Networks with batch normalizations can be chaotic at their random weights, so that ten steps of PyTorch's float32 have
nothing to do with those of its float64, and a comparison in float32 says little. In float64 step sizes can be so small
that they are not. A network of functions that are not computed in float64 has no such rows. Outputs are in the measure max|a - b| / max|b|, parameters in |a - b| / |b - start| by the 2-norm.
Prints a line for each; exit 1 where one fails.
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

# In float32 smaller steps would be lost in the rounding of parameters.
RATES, MOMENTUM = {"tokens": 1e-3, "images": 1e-5}, 0.9
SCALE = {torch.float32: 1, torch.float64: 1e-6}
# An ONNX file has the epsilons of normalizations as float32: up to 2^-25 off, and half of that in the result of a layer
# with little variance. That of fifty layers is 7e-7.
FLOOR = {torch.float32: 1e-5, torch.float64: 1e-6}


def error(found, wanted):
    scale = max(float(wanted.abs().max()), 1e-30)
    return float((found.double() - wanted).abs().max()) / scale


def make_optimizer(module, x, scale):
    rate = RATES["images" if x.is_floating_point() else "tokens"] * scale
    return torch.optim.SGD([p for p in module.parameters() if p.requires_grad], lr=rate, momentum=MOMENTUM)


def convert(x, dtype):
    return x.to(dtype) if x.is_floating_point() else x


def disturb(module):
    """Changes the last bit of each parameter up or down, by chance."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter *= 1 + torch.finfo(parameter.dtype).eps * torch.randn_like(parameter).sign()


def train(module, batches, dtype, scale, disturbed=False):
    """PyTorch's training: the losses, and the module."""
    module = copy.deepcopy(module).to(dtype).train()
    if disturbed:
        disturb(module)
    optimizer, losses = make_optimizer(module, batches[0][0], scale), []
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(module(convert(x, dtype)), y)
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


def fit(module, batches, dtype):
    """Trains a module by the package; returns the losses."""
    seen = Losses()
    optimizer = make_optimizer(module, batches[0][0], SCALE[dtype])
    data = [(convert(x, dtype), y) for x, y in batches]
    before = floats(module)
    with silence(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = gensyn.Trainer(module, gensyn.Recipe(loss=nn.CrossEntropyLoss(), optimizer=optimizer))
        trainer.fit(data, callbacks=[seen], progress=False)
    if torch.equal(floats(module), before) or len(seen.losses) != len(batches):
        raise AssertionError("the module has not changed, or steps are missing")
    return seen.losses


def check_training(module, batches, dtype):
    """Ten steps of `Trainer.fit` in a type: rows of what, error and bound."""
    start = floats(module.to(dtype))
    exact, reference = train(module, batches, torch.float64, SCALE[dtype])
    reference = floats(reference)
    # Relative to what the training changed: a parameter that never moved must not hide behind its size.
    # By the 2-norm, since a ReLU that flips changes few of them much.
    moved = float((reference - start).norm())

    def errors(losses, trained):
        of_losses = numpy.abs(numpy.array(losses) - exact) / numpy.array(exact)
        return float((floats(trained) - reference).norm()) / moved, float(numpy.max(of_losses))

    runs = (True,) if dtype == torch.float64 else (False, True, True)
    own = [errors(*train(module, batches, dtype, SCALE[dtype], each)) for each in runs]
    trained = copy.deepcopy(module)
    losses = fit(trained, batches, dtype)
    kind = str(dtype).removeprefix("torch.")
    return [
        (f"{what} in {kind}", found, max(10 * noise, FLOOR[dtype]))
        for what, found, noise in zip(("parameters", "losses"), errors(losses, trained), map(max, zip(*own)))
    ]


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
        wanted = copy.deepcopy(module).double()(convert(x, torch.float64))
        single = module(x)
    rows = [("output", error(found, wanted), max(10 * error(single, wanted), 2e-6))]
    start = time.monotonic()
    note = ""
    for dtype in (torch.float32, torch.float64):
        try:
            rows += check_training(copy.deepcopy(module), batches, dtype)
        except gensyn.UnsupportedError as problem:
            if dtype == torch.float32 or "in f32 only" not in str(problem):
                raise
            note = f"; in float64: {str(problem).rpartition(': ')[2]}"
    seconds = time.monotonic() - start
    text = ", ".join(f"{what} {value:.1e} (bound {bound:.1e})" for what, value, bound in rows)
    good = all(value <= bound for _, value, bound in rows)
    return good, f"{text}; compile {compiled:.0f} s, training by all {seconds:.0f} s{note}"


def check_all(names, check):
    """Checks architectures by a function that returns whether one is good, and a text; returns an exit code."""
    failed = []
    for name in names:
        try:
            good, text = check(name)
        except Exception as problem:  # noqa: BLE001  (of any of the libraries)
            good, text = False, f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
            if len(names) == 1:
                traceback.print_exc()
        failed += [name] * (not good)
        print(f"{name}: {'' if good else 'FAILED: '}{text}", flush=True)
    print(f"{len(names) - len(failed)} of {len(names)} architectures pass")
    return 1 if failed or not names else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    return check_all(options.names or list(ARCHITECTURES), lambda name: check(name, options.steps))


if __name__ == "__main__":
    sys.exit(main())
