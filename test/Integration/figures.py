#!/usr/bin/env python3
"""Losses with class weights, metrics, the best epoch and early stopping, beside numpy.

  figures.py TOOL SCRATCH

A loss is a mean in float32 for each batch, of at most 53 rows here: each rounding is
within 2^-24 of what is rounded, there are fewer than 64 in a row, so the whole is within
64 * 2^-24 of the largest row's loss. Metrics count or add in float64 and are compared
within 1e-12. Exit 1 where something differs.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent / "KnownResults"))
from safetensors import save  # noqa: E402

TOOL, SCRATCH = sys.argv[1], Path(sys.argv[2])
SAMPLES, CLASSES = 53, 4
WEIGHTS = np.array([1, 2, 0.5, 3])


def write(name, outputs):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 5])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", outputs])
    weight = numpy_helper.from_array(np.linspace(-1, 1, 5 * outputs, dtype=np.float32).reshape(5, outputs), "w")
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", [x], [y], [weight])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), SCRATCH / name)
    return numpy_helper.to_array(weight).astype(np.float64)


def run(*words):
    done = subprocess.run([TOOL, *words], cwd=SCRATCH, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def put(name, **keys):
    (SCRATCH / name).write_text(json.dumps(keys))
    return name


def known_of_classes(logits, target, smoothing, is_nll=False):
    counts = target != -100
    logits, target = logits[counts], target[counts]
    logs = logits
    if not is_nll:
        logs = logits - logits.max(1, keepdims=True)
        logs = logs - np.log(np.exp(logs).sum(1, keepdims=True))
    row = -WEIGHTS[target] * logs[np.arange(len(target)), target]
    row = (1 - smoothing) * row + smoothing / CLASSES * -(WEIGHTS * logs).sum(1)
    found = logits.argmax(1)
    order = np.argsort(-logits, axis=1, kind="stable")
    f1 = []
    for c in range(CLASSES):
        right = ((found == c) & (target == c)).sum()
        if f := (found == c).sum() + (target == c).sum():
            f1.append(2 * right / f)
    return {"eval_loss": row.sum() / WEIGHTS[target].sum(), "eval_accuracy": (found == target).mean(),
            "eval_top_2": (order[:, :2] == target[:, None]).any(1).mean(), "eval_f1": np.mean(f1)}, np.abs(row).max()


def known_of_numbers(found, target):
    errors = ((target - found) ** 2).sum(0)
    about = ((target - target.mean(0)) ** 2).sum(0)
    return {"eval_loss": ((target - found) ** 2).mean(), "eval_mae": np.abs(target - found).mean(),
            "eval_" + "r2": (1 - errors / about).mean()}, ((target - found) ** 2).max()


def main():
    SCRATCH.mkdir(parents=True)
    rng = np.random.default_rng(7)
    x = (rng.integers(-64, 65, (SAMPLES, 5)) / 32).astype(np.float32)
    target = rng.integers(0, CLASSES, SAMPLES)
    target[::9] = -100
    scores, numbers = write("scores.onnx", CLASSES), write("numbers.onnx", 2)
    y = (rng.integers(-64, 65, (SAMPLES, 2)) / 16).astype(np.float32)
    save(SCRATCH / "classes.st", {"x": x, "target": target})
    save(SCRATCH / "numbers.st", {"x": x, "target": y})
    cases = []
    for smoothing in (0.0, 0.25):
        loss = {"kind": "softmax_cross_entropy", "weight": WEIGHTS.tolist(), "label_smoothing": smoothing}
        cases.append(("scores.onnx", "classes.st", loss, ["top_2", "f1"],
                      known_of_classes(x.astype(np.float64) @ scores, target, smoothing)))
    # No recipe here has an ignore_index; targets equal to the default do not count.
    nll = {"kind": "nll", "weight": WEIGHTS.tolist()}
    cases.append(("scores.onnx", "classes.st", nll, ["top_2", "f1"],
                  known_of_classes(x.astype(np.float64) @ scores, target, 0.0, is_nll=True)))
    # The metrics are of the float32 values that the model computes; these are exact.
    cases.append(("numbers.onnx", "numbers.st", {"kind": "mse"}, ["mae", "r2"],
                  known_of_numbers(x.astype(np.float64) @ numbers, y.astype(np.float64))))
    good = total = 0
    for model, data, loss, metrics, (known, largest) in cases:
        for batch in (1, 10, SAMPLES):
            recipe = put("recipe.json", loss=loss, metrics=metrics, batch_size=batch)
            (said,) = run("eval", model, "--recipe", recipe, "--data", data, "--json")
            for name, value in known.items():
                # Predictions are float32 sums of five products.
                bound = 64 * 2**-24 * max(largest, 1) if name in ("eval_loss", "eval_mae", "eval_" + "r2") else 1e-12
                total += 1
                good += abs(said[name] - value) <= bound
                if abs(said[name] - value) > bound:
                    print(f"{model}, batch {batch}: {name} is {said[name]}, known is {value}")

    # The best epoch's parameters are those at the end of that epoch.
    keys = {"loss": {"kind": "softmax_cross_entropy"}, "optimizer": {"kind": "SGD", "lr": 3}, "batch_size": 8,
            "epochs": 11, "shuffle": True, "metrics": ["f1"], "best": {"metric": "eval_f1"}}
    put("best.json", **keys)
    train = ("train", "scores.onnx", "--data", "classes.st", "--json")
    epochs = [row for row in run(*train, "--eval-data", "classes.st", "--recipe", "best.json", "-o", "run")
              if row["event"] == "epoch"]
    figures = [row["eval_f1"] for row in epochs]
    best = int(np.argmax(figures))
    assert 0 < best < len(figures) - 1, figures
    put("short.json", **{**keys, "epochs": best + 1})
    run(*train, "--eval-data", "classes.st", "--recipe", "short.json", "-o", "short")
    total += 1
    good += (SCRATCH / "run/best.safetensors").read_bytes() == (SCRATCH / "short/parameters.safetensors").read_bytes()

    # A run that stops early also ends there when it is resumed from any of its checkpoints.
    patience = len(figures) - 2 - best
    stopping = {**keys, "epochs": 40, "early_stopping": {"metric": "eval_f1", "patience": max(patience, 1)}}
    put("early.json", **stopping)
    whole = run(*train, "--eval-data", "classes.st", "--recipe", "early.json", "-o", "early")[-1]
    total += 1
    good += whole["stopped_early"] and not whole["was_finished"]
    for steps in (1, 9, 30):
        run(*train, "--eval-data", "classes.st", "--recipe", "early.json", "-o", "cut", "--steps", str(steps),
            "--overwrite")
        again = run(*train, "--eval-data", "classes.st", "--recipe", "early.json", "-o", "cut", "--resume")[-1]
        total += 1
        good += again["parameters"] == whole["parameters"] and again["steps"] == whole["steps"]
    done = run(*train, "--eval-data", "classes.st", "--recipe", "early.json", "-o", "cut", "--resume")[-1]
    total += 1
    good += done["was_finished"] and done["steps"] == whole["steps"]

    # So does one whose step size depends on the loss.
    put("plateau.json", **{**keys, "best": {}, "schedule": {"kind": "reduce_on_plateau", "patience": 0, "factor": 0.5}})
    plateau = (*train, "--eval-data", "classes.st", "--recipe", "plateau.json")
    rows = run(*plateau, "-o", "plateau", "--checkpoint-every", "100epochs")
    rates = sorted({row["lr"] for row in rows if row["event"] == "step"})
    total += 1
    good += len(rates) > 1 and all(rate in [3 * 0.5**k for k in range(12)] for rate in rates)
    for steps in (1, 20, 50):
        run(*plateau, "-o", "cut", "--overwrite", "--steps", str(steps))
        total += 1
        good += run(*plateau, "-o", "cut", "--resume")[-1]["parameters"] == rows[-1]["parameters"]
    print(f"{good} of {total} evaluations are as numpy has them")
    sys.exit(int(good != total))


main()
