#!/usr/bin/env python3
"""Writes TorchLosses.inc: losses and their gradients in PyTorch's f64.

usage: torch_losses.py > TorchLosses.inc     (needs torch; the table was made with the version in its first line)

Each row: the loss with its options, the prediction's shape, what predictions and targets are like, the loss, and its
gradient with respect to the prediction. All inputs are multiples of 1/16, so that each format has them.
"""

import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def inputs(shape, kind):
    numbers = {
        "real": lambda i: ((i * 7) % 11 - 5) / 4 + 0.125,
        "other": lambda i: ((i * 5 + 3) % 13 - 6) / 8,
        "share": lambda i: (i * 5 % 17) / 16,  # 0 and 1 among them
    }[kind]
    return torch.tensor([numbers(i) for i in range(math.prod(shape))]).reshape(shape)


def classes(shape, axis):
    rest = [size for place, size in enumerate(shape) if place != axis % len(shape)]
    count = math.prod(rest)
    return torch.tensor([(i * 2 + 1) % shape[axis] for i in range(count)]).reshape(rest)


def of_classes(function, axis=-1):
    """PyTorch has classes second; here they lie anywhere."""
    return lambda x, t, **options: function(x.movedim(axis, 1) if x.dim() > 1 else x, t, **options)


def cosine(x, t, axis=-1, eps=1e-8, reduction="mean"):
    rows = 1 - F.cosine_similarity(x, t, dim=axis, eps=eps)
    return rows.mean() if reduction == "mean" else rows.sum()


WEIGHT = [0.5, 2.0, 1.25]
# Name, options in MLIR, shape, kinds of prediction and target, PyTorch's function and options.
CASES = [
    ("softmax_cross_entropy", "", (4, 3), "real", "class", F.cross_entropy, {}),
    ("softmax_cross_entropy", "weight", (4, 3), "real", "class", F.cross_entropy, {"weight": WEIGHT}),
    (
        "softmax_cross_entropy",
        "weight ignore smooth",
        (5, 3),
        "real",
        "class",
        F.cross_entropy,
        {"weight": WEIGHT, "ignore_index": 1, "label_smoothing": 0.2},
    ),
    ("softmax_cross_entropy", "smooth", (4, 3), "real", "class", F.cross_entropy, {"label_smoothing": 0.2}),
    ("softmax_cross_entropy", "ignore", (5, 3), "real", "class", F.cross_entropy, {"ignore_index": 1}),
    ("softmax_cross_entropy", "axis weight", (2, 3, 4), "real", "class", F.cross_entropy, {"weight": WEIGHT}),
    ("nll", "", (4, 3), "real", "class", F.nll_loss, {}),
    ("nll", "weight ignore", (5, 3), "real", "class", F.nll_loss, {"weight": WEIGHT, "ignore_index": 2}),
    ("nll", "axis ignore", (2, 3, 4), "real", "class", F.nll_loss, {"ignore_index": 0}),
    ("mse", "", (4, 3), "real", "other", F.mse_loss, {}),
    ("l1", "", (4, 3), "real", "other", F.l1_loss, {}),
    ("huber", "delta", (4, 3), "real", "other", F.huber_loss, {"delta": 0.75}),
    ("smooth_l1", "", (4, 3), "real", "other", F.smooth_l1_loss, {}),
    ("smooth_l1", "beta", (4, 3), "real", "other", F.smooth_l1_loss, {"beta": 0.75}),
    ("smooth_l1", "beta", (4, 3), "real", "other", F.smooth_l1_loss, {"beta": 0.0}),
    ("bce_with_logits", "", (4, 3), "real", "share", F.binary_cross_entropy_with_logits, {}),
    (
        "bce_with_logits",
        "pos_weight",
        (4, 3),
        "real",
        "share",
        F.binary_cross_entropy_with_logits,
        {"pos_weight": WEIGHT},
    ),
    ("bce_with_logits", "pos_weight", (5,), "real", "share", F.binary_cross_entropy_with_logits, {"pos_weight": [3.0]}),
    ("bce", "", (4, 3), "share", "share", F.binary_cross_entropy, {}),
    ("kl_div", "", (4, 3), "real", "share", F.kl_div, {}),
    ("kl_div", "log", (4, 3), "real", "other", F.kl_div, {"log_target": True}),
    ("soft_target_cross_entropy", "", (4, 3), "real", "share", F.cross_entropy, {}),
    (
        "soft_target_cross_entropy",
        "weight smoothing",
        (4, 3),
        "real",
        "share",
        F.cross_entropy,
        {"weight": WEIGHT, "label_smoothing": 0.25},
    ),
    ("soft_target_cross_entropy", "axis", (2, 3, 4), "real", "share", F.cross_entropy, {}),
    ("cosine", "", (4, 3), "real", "other", cosine, {}),
    ("cosine", "axis eps", (4, 3), "real", "other", cosine, {"axis": 0, "eps": 2.0}),
]


def spelled(key, value):
    if isinstance(value, list):
        return f"{key} = array<f64: {', '.join(map(str, value))}>"
    if isinstance(value, bool):
        return key
    if isinstance(value, int):
        return f"{key} = {value} : i64"
    return f"{key} = {value} : f64"


def row(name, words, shape, kind, target_kind, function, options, reduction):
    x = inputs(shape, kind).requires_grad_()
    shown = dict(options)
    if target_kind == "class":
        axis = 1 if "axis" in words else len(shape) - 1
        if "axis" in words:
            shown["axis"] = axis
        t = classes(shape, axis)
    else:
        t = inputs(shape, target_kind)
        if "axis" in words and name == "soft_target_cross_entropy":
            shown["axis"] = 1  # where PyTorch has the classes
        if name == "bce":
            t = t.flip(0)
    torch_options = {k: torch.tensor(v) if isinstance(v, list) else v for k, v in options.items()}
    loss = function(x, t, reduction=reduction, **torch_options)
    loss.backward()
    text = ", ".join(spelled(key, value) for key, value in shown.items())
    text = f"{name} %x, %t reduction {reduction} {{{text}}}"
    numbers = ", ".join(value.hex() for value in x.grad.flatten().tolist())
    return (
        f'{{"{text}", {{{", ".join(map(str, shape))}}}, "{kind}", "{target_kind}", {float(loss).hex()}, {{{numbers}}}}},'
    )


def main():
    print(f"// By torch_losses.py with PyTorch {torch.__version__.split('+')[0]}.")
    print("// clang-format off")
    for case in CASES:
        for reduction in ("mean", "sum"):
            print(row(*case, reduction))
        if case[0] == "kl_div":
            print(row(*case, "batchmean"))
    print("// clang-format on")


main()
