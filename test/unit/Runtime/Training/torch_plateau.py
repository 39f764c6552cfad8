#!/usr/bin/env python3
"""Writes TorchPlateau.inc: step sizes by torch.optim.lr_scheduler.ReduceLROnPlateau.

usage: torch_plateau.py > TorchPlateau.inc     (needs torch; the table was made with the version in its first line)

Each row: the recipe's `schedule`, and the step size after each of FIGURES; the one before is 1.
"""

import json

import torch

FIGURES = [5, 4, 4.5, 4.25, 3.75, 3.7499, 3.7498, 3.9, 4, 3.6, 3.61, 3.62, 3.63, 3.64, 3.65, 3.66, 3, 3, 3, 3, 3, 3, 3]
ROWS = [
    {"patience": 1},
    {"patience": 2, "factor": 0.5, "threshold": 0.01},
    {"patience": 1, "factor": 0.5, "threshold": 0.2, "threshold_mode": "abs", "cooldown": 2},
    {"patience": 0, "factor": 0.25, "mode": "max", "final": 0.05, "cooldown": 1},
    {"patience": 0, "factor": 0.5, "mode": "max", "threshold": 0.1, "threshold_mode": "abs", "eps": 0.1},
]


def main():
    print(f"// By torch_plateau.py with PyTorch {torch.__version__.split('+')[0]}.")
    print("// clang-format off")
    for keys in ROWS:
        given = {"min_lr" if key == "final" else key: value for key, value in keys.items()}
        optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **given)
        rates = []
        for figure in FIGURES:
            scheduler.step(figure)
            rates.append(float(optimizer.param_groups[0]["lr"]).hex())
        recipe = json.dumps({"kind": "reduce_on_plateau", **keys})
        print(f'{{R"({recipe})", {{{", ".join(rates)}}}}},')
    print("// clang-format on")


main()
