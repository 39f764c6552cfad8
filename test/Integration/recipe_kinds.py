#!/usr/bin/env python3
"""Every loss and schedule of recipes, and the losses that an ONNX graph computes itself.

  recipe_kinds.py TOOL SCRATCH

A layer's gradient is taken of each loss, on the reference, the CPU and the PTX simulator: equal bits, and within a few
roundings of f32 of what numpy says in f64. A few steps are taken under each schedule: equal bits, and the step sizes of
the log are those that PyTorch's formulas give. Prints a line for each; exit 1 where one fails.
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

F32 = np.float32
WEIGHT = np.array([0.5, 2.0, 1.25])
ROWS, WIDTH, CLASSES = 6, 5, 3


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def model(path, nodes, outputs, inputs=()):
    rng = np.random.default_rng(3)
    weights = {"w": rng.normal(size=(WIDTH, CLASSES)).astype(F32), "c": WEIGHT.astype(F32)}
    used = {name for n in nodes for name in n.input}
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g", [value("x", TensorProto.FLOAT, [ROWS, WIDTH]), *inputs], outputs,
        [numpy_helper.from_array(a, n) for n, a in weights.items() if n in used])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return weights["w"].astype(np.float64)


def log_softmax(y):
    return y - np.log(np.exp(y).sum(1, keepdims=True))


def onehot(t):
    return np.eye(CLASSES)[t]


def of_classes(logs, t, weight=None, ignore=None, smoothing=0.0):
    """torch.nn.functional.cross_entropy's mean, of logarithms."""
    weight = np.ones(CLASSES) if weight is None else weight
    counts = np.ones(len(t), bool) if ignore is None else t != ignore
    rows = (1 - smoothing) * -weight[t] * (logs * onehot(t)).sum(1) + smoothing / CLASSES * -(weight * logs).sum(1)
    return rows[counts].sum() / weight[t][counts].sum()


def softplus(z):
    return np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0)


# Name; the recipe's loss; its graph output; the target; the loss in numpy.
LOSSES = [
    ("softmax_cross_entropy", {"logits": "y", "weight": WEIGHT.tolist(), "ignore_index": 1, "label_smoothing": 0.2},
     "class", lambda y, t: of_classes(log_softmax(y), t, WEIGHT, 1, 0.2)),
    ("nll", {"prediction": "l", "weight": WEIGHT.tolist()}, "class", lambda y, t: of_classes(log_softmax(y), t, WEIGHT)),
    ("mse", {"prediction": "y", "reduction": "sum"}, "real", lambda y, t: ((y - t) ** 2).sum()),
    ("l1", {"prediction": "y"}, "real", lambda y, t: np.abs(y - t).mean()),
    ("huber", {"prediction": "y", "delta": 0.5}, "real",
     lambda y, t: np.where(np.abs(y - t) < 0.5, (y - t) ** 2 / 2, 0.5 * (np.abs(y - t) - 0.25)).mean()),
    ("smooth_l1", {"prediction": "y", "beta": 0.5}, "real",
     lambda y, t: np.where(np.abs(y - t) < 0.5, (y - t) ** 2, np.abs(y - t) - 0.25).mean()),
    ("bce_with_logits", {"logits": "y", "pos_weight": WEIGHT.tolist()}, "share",
     lambda y, t: (WEIGHT * t * softplus(-y) + (1 - t) * softplus(y)).mean()),
    ("bce", {"prediction": "p"}, "share", lambda y, t: (t * softplus(-y) + (1 - t) * softplus(y)).mean()),
    ("kl_div", {"prediction": "l", "reduction": "batchmean"}, "share",
     lambda y, t: (t * (np.log(t) - log_softmax(y))).sum() / ROWS),
    ("soft_target_cross_entropy", {"logits": "y", "weight": WEIGHT.tolist(), "label_smoothing": 0.2}, "share",
     lambda y, t: -(WEIGHT * (0.8 * t + 0.2 / CLASSES) * log_softmax(y)).sum(1).mean()),
    ("cosine", {"prediction": "y"}, "real",
     lambda y, t: (1 - (y * t).sum(1) / np.sqrt((y * y).sum(1) * (t * t).sum(1))).mean()),
]

# Losses that the graph computes itself, besides its inputs; the same in numpy.
GRAPHS = [
    ("SoftmaxCrossEntropyLoss", [node("MatMul", "x w", "y"),
                                 node("SoftmaxCrossEntropyLoss", "y t c", "cost", ignore_index=1)],
     lambda y, t: of_classes(log_softmax(y), t, WEIGHT, 1)),
    ("NegativeLogLikelihoodLoss", [node("MatMul", "x w", "y"), node("LogSoftmax", "y", "l", axis=1),
                                   node("NegativeLogLikelihoodLoss", "l t c", "cost")],
     lambda y, t: of_classes(log_softmax(y), t, WEIGHT)),
]


def half_cosine(x):
    return math.cos(math.pi * x / 2) ** 2


SCHEDULES = [
    ({"kind": "cosine", "total_steps": 6, "warmup_steps": 2, "final": 0.1},
     lambda s: s / 2 if s < 2 else 0.1 + 0.9 * half_cosine(min(s - 2, 4) / 4)),
    ({"kind": "polynomial", "total_steps": 6, "power": 1.7}, lambda s: max(0, 1 - s / 6) ** 1.7),
    ({"kind": "step", "step_size": 2, "gamma": 0.3}, lambda s: 0.3 ** (s // 2)),
    ({"kind": "one_cycle", "total_steps": 8, "pct_start": 0.5},
     lambda s: 1 + (0.04 - 1) * half_cosine(s / 3) if s <= 3
     else 4e-6 + (1 - 4e-6) * half_cosine(min(s - 3, 4) / 4)),
]


def slope(loss, w, x, t):
    """Central differences in f64: far below the bound for f32."""
    gradient = np.zeros_like(w)
    for i in np.ndindex(w.shape):
        step = np.zeros_like(w)
        step[i] = 1e-6
        gradient[i] = (loss(x @ (w + step), t) - loss(x @ (w - step), t)) / 2e-6
    return gradient


class Bench:
    def __init__(self, tool):
        self.tool, self.failed, self.lines = tool, 0, 0

    def say(self, name, holds, note=""):
        self.lines += 1
        self.failed += not holds
        print(f"{'ok   ' if holds else 'WRONG'} {name} {note}")

    def run(self, *words):
        done = subprocess.run([self.tool, *map(str, words), "--quiet", "--no-cache"], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")

    def gradients(self, name, path, recipe, loss, w, x, t):
        Path("recipe.json").write_text(json.dumps(recipe))
        found = []
        for way in ("reference", "cpu", "ptx-sim"):
            self.run("grad", path, "--recipe", "recipe.json", "--inputs", "inputs.safetensors", "--outputs",
                     f"{way}.safetensors", f"--backend={way}")
            found.append(load(f"{way}.safetensors"))
        one = found[0]
        same = all(one.keys() == other.keys() and all(one[n].tobytes() == other[n].tobytes() for n in one)
                   for other in found[1:])
        value, gradient = loss(x @ w, t), slope(loss, w, x, t)
        error = max(abs(one["loss"].item() - value) / max(1, abs(value)), np.abs(one["w"] - gradient).max())
        self.say(name, same and error < 4e-6, f"off by {error:.1e}")


def main(tool, scratch):
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    bench = Bench(tool)
    rng = np.random.default_rng(5)
    x = rng.normal(size=(ROWS, WIDTH)).astype(F32)
    targets = {"class": np.array([0, 1, 2, 2, 1, 0]), "real": rng.normal(size=(ROWS, CLASSES)).astype(F32),
               "share": rng.dirichlet(np.ones(CLASSES), ROWS).astype(F32)}
    value = helper.make_tensor_value_info
    outputs = [value(n, TensorProto.FLOAT, [ROWS, CLASSES]) for n in "ypl"]
    w = model("layer.onnx", [node("MatMul", "x w", "y"), node("Sigmoid", "y", "p"), node("LogSoftmax", "y", "l", axis=1)],
              outputs)
    wide = x.astype(np.float64)
    for kind, options, target, loss in LOSSES:
        save("inputs.safetensors", {"x": x, "target": targets[target]})
        t = targets[target] if target == "class" else targets[target].astype(np.float64)
        bench.gradients(kind, "layer.onnx", {"loss": {"kind": kind, **options}}, loss, w, wide, t)
    save("inputs.safetensors", {"x": x, "t": targets["class"]})
    for name, nodes, loss in GRAPHS:
        model("graph.onnx", nodes, [value("cost", TensorProto.FLOAT, [])], [value("t", TensorProto.INT64, [ROWS])])
        recipe = {"loss": {"kind": "graph_output", "output": "cost"}, "frozen": ["c"]}
        bench.gradients(name, "graph.onnx", recipe, loss, w, wide, targets["class"])

    save("data.safetensors", {"x": x, "target": targets["real"]})
    for schedule, factor in SCHEDULES:
        recipe = {"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "SGD", "lr": 0.5},
                  "schedule": schedule, "batch_size": ROWS, "epochs": 8}
        Path("recipe.json").write_text(json.dumps(recipe))
        runs = []
        for way in ("reference", "cpu", "ptx-sim"):
            folder = f"run-{way}"
            bench.run("train", "layer.onnx", "--recipe", "recipe.json", "--data", "data.safetensors", "-o", folder,
                      "--overwrite", f"--backend={way}")
            rows = [json.loads(line) for line in Path(folder, "log.jsonl").read_text().splitlines()]
            rows = [row for row in rows if "lr" in row]
            runs.append(([(row["loss"], row["lr"]) for row in rows], Path(folder, "parameters.safetensors").read_bytes()))
        rates = [rate for _, rate in runs[0][0]]
        error = max(abs(rate / 0.5 - factor(s)) for s, rate in enumerate(rates))
        holds = len(rates) == 8 and error < 2**-48 and runs[0] == runs[1] == runs[2]
        bench.say(schedule["kind"], holds, f"off by {error:.1e}")
    print(f"{bench.lines} kinds, {bench.failed} wrong")
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
