#!/usr/bin/env python3
"""Writes TorchSchedules.inc: factors of the step size by torch.optim.lr_scheduler and transformers.

usage: torch_schedules.py > TorchSchedules.inc     (needs torch and transformers; versions are in the first line)

Each row: the recipe's `schedule`, whether errors are relative to the factor (where it is a product) or to 1, and the
factors at STEPS.
"""

import json
import warnings

import torch
import transformers
from torch.optim import lr_scheduler as schedules

STEPS = [0, 1, 2, 4, 9, 10, 11, 29, 30, 31, 50, 58, 77, 80, 98, 99]


def factors(make):
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    scheduler = make(optimizer)
    found = []
    for _ in range(max(STEPS) + 1):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return [found[step] for step in STEPS]


def warmed(after):
    def make(optimizer):
        rise = schedules.LinearLR(optimizer, start_factor=0.2, end_factor=1.0, total_iters=10)
        return schedules.SequentialLR(optimizer, [rise, after(optimizer)], milestones=[10])

    return make


ROWS = [
    ({"kind": "constant"}, lambda o: schedules.LambdaLR(o, lambda _: 1.0)),
    ({"kind": "constant", "warmup_steps": 10}, lambda o: transformers.get_constant_schedule_with_warmup(o, 10)),
    ({"kind": "linear", "total_steps": 60, "final": 0.25}, lambda o: schedules.LinearLR(o, 1.0, 0.25, 60)),
    (
        {"kind": "linear", "total_steps": 90, "warmup_steps": 10},
        lambda o: transformers.get_linear_schedule_with_warmup(o, 10, 90),
    ),
    ({"kind": "cosine", "total_steps": 99, "final": 0.1}, lambda o: schedules.CosineAnnealingLR(o, 99, 0.1)),
    (
        {"kind": "cosine", "total_steps": 100, "warmup_steps": 10},
        lambda o: transformers.get_cosine_schedule_with_warmup(o, 10, 100),
    ),
    ({"kind": "polynomial", "total_steps": 80}, lambda o: schedules.PolynomialLR(o, 80)),
    ({"kind": "polynomial", "total_steps": 80, "power": 3}, lambda o: schedules.PolynomialLR(o, 80, 3)),
    ({"kind": "polynomial", "total_steps": 100, "power": 2.5}, lambda o: schedules.PolynomialLR(o, 100, 2.5)),
    ({"kind": "polynomial", "total_steps": 80, "power": 1.7}, lambda o: schedules.PolynomialLR(o, 80, 1.7)),
    (
        {"kind": "polynomial", "total_steps": 90, "warmup_steps": 10, "power": 2, "final": 0.01},
        lambda o: transformers.get_polynomial_decay_schedule_with_warmup(o, 10, 90, lr_end=0.01, power=2.0),
    ),
    ({"kind": "inverse_sqrt"}, lambda o: transformers.get_inverse_sqrt_schedule(o, 0)),
    ({"kind": "inverse_sqrt", "warmup_steps": 10}, lambda o: transformers.get_inverse_sqrt_schedule(o, 10)),
    (
        {"kind": "inverse_sqrt", "warmup_steps": 10, "timescale": 50},
        lambda o: transformers.get_inverse_sqrt_schedule(o, 10, timescale=50),
    ),
    ({"kind": "exponential", "gamma": 0.9}, lambda o: schedules.ExponentialLR(o, 0.9)),
    ({"kind": "exponential", "gamma": 1.01}, lambda o: schedules.ExponentialLR(o, 1.01)),
    ({"kind": "step", "step_size": 30}, lambda o: schedules.StepLR(o, 30)),
    (
        {"kind": "step", "step_size": 20, "gamma": 0.5, "warmup_steps": 10, "warmup_start": 0.2},
        warmed(lambda o: schedules.StepLR(o, 20, 0.5)),
    ),
    (
        {"kind": "multi_step", "milestones": [80, 30, 98, 80], "gamma": 0.3},
        lambda o: schedules.MultiStepLR(o, [30, 80, 80, 98], 0.3),
    ),
    ({"kind": "one_cycle", "total_steps": 101}, lambda o: schedules.OneCycleLR(o, 1.0, 101)),
    (
        {"kind": "one_cycle", "total_steps": 101, "pct_start": 0.25, "anneal_strategy": "linear", "div_factor": 10},
        lambda o: schedules.OneCycleLR(o, 1.0, 101, pct_start=0.25, anneal_strategy="linear", div_factor=10),
    ),
    (
        {"kind": "one_cycle", "total_steps": 101, "pct_start": 0.4, "three_phase": True, "final_div_factor": 100},
        lambda o: schedules.OneCycleLR(o, 1.0, 101, pct_start=0.4, three_phase=True, final_div_factor=100),
    ),
    ({"kind": "cosine_restarts", "T_0": 11}, lambda o: schedules.CosineAnnealingWarmRestarts(o, 11)),
    (
        {"kind": "cosine_restarts", "T_0": 7, "T_mult": 2, "final": 0.125},
        lambda o: schedules.CosineAnnealingWarmRestarts(o, 7, 2, 0.125),
    ),
    (
        {"kind": "cyclic", "div_factor": 4, "step_size_up": 10},
        lambda o: schedules.CyclicLR(o, 0.25, 1.0, 10, cycle_momentum=False),
    ),
    (
        {"kind": "cyclic", "div_factor": 8, "step_size_up": 3, "step_size_down": 13, "mode": "triangular2"},
        lambda o: schedules.CyclicLR(o, 0.125, 1.0, 3, 13, mode="triangular2", cycle_momentum=False),
    ),
    (
        {"kind": "cyclic", "div_factor": 2, "step_size_up": 17, "mode": "exp_range", "gamma": 0.98},
        lambda o: schedules.CyclicLR(o, 0.5, 1.0, 17, mode="exp_range", gamma=0.98, cycle_momentum=False),
    ),
]
PRODUCTS = ("exponential", "step", "multi_step")


def main():
    warnings.simplefilter("ignore")
    print(f"// By torch_schedules.py with PyTorch {torch.__version__.split('+')[0]}, transformers {transformers.__version__}.")
    print("// clang-format off")
    for recipe, make in ROWS:
        relative = str(recipe["kind"] in PRODUCTS).lower()
        numbers = ", ".join(float(value).hex() for value in factors(make))
        print(f'{{R"({json.dumps(recipe)})", {relative}, {{{numbers}}}}},')
    print("// clang-format on")


main()
