#!/usr/bin/env python3
"""Compares gensyn-run with PyTorch on models that PyTorch exports.

  check_models.py BUILD [MODEL ...] [--exporter ts,dynamo] [--only infer,grad,train]
                  [--backend cpu] [--keep FOLDER]

BUILD is the build folder (BUILD/bin/gensyn-run). Without MODEL: all of them. An
exporter is `ts` (TorchScript) or `dynamo`, with @OPSET and then +train for a model
in training mode: dynamo@20, ts+train. Outputs, gradients and five losses are
compared with PyTorch's in float64; the bound is ten times the error of PyTorch's
own float32, in the measure max|a - b| / max|b|, or 2e-6 (gradients and losses 1e-5)
where that is smaller. Needs torch, onnx, onnxscript, safetensors, and transformers,
torchvision and timm for the models of theirs. Prints a line per model and
exporter; exit 1 where one fails. A model that the exporter refuses is no failure, but
exit 1 also where of all models fewer than LEAST pass by an exporter, or none of those
that are named.
"""

import argparse
import copy
import json
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from safetensors.numpy import load_file, save_file
from torch.nn import functional

import plain_models  # noqa: F401 (each registers its models)
import transformer_models  # noqa: F401
import vision_models  # noqa: F401
from silence import silence
from zoo import MODELS

STEPS = 5
# Of 48 models TorchScript of PyTorch 2.15 exports 37, and not eleven of the transformers library; two less is
# another version of that. How many dynamo exports was not counted: it does all but three of the 22 models that
# check_default_exports.py has of these, and ten more that it refused would be seen.
LEAST = {"ts": 35, "dynamo": 35}
# Models for which the usual step size makes the loss, or rounding errors, grow: four samples are few for a
# normalization.
RATES = {"resnet18": 1e-5, "efficientnet": 1e-3}


class Mismatch(Exception):
    pass


def loss_of(loss, prediction, target):
    if loss["kind"] == "softmax_cross_entropy":
        return functional.cross_entropy(prediction.reshape(-1, prediction.shape[-1]), target.reshape(-1))
    functions = {"mse": functional.mse_loss, "l1": functional.l1_loss}
    return functions[loss["kind"]](prediction, target.to(prediction.dtype))


def error(found, wanted, floor=0.0):
    scale = max(np.max(np.abs(wanted), initial=0.0), floor, 1e-30)
    return float(np.max(np.abs(found.astype(np.float64) - wanted), initial=0.0) / scale)


def off(losses, exact):
    return max(abs(a - b) / abs(b) for a, b in zip(losses, exact, strict=True))


class Case:
    steps = STEPS

    def __init__(self, name, exporter, options, scratch):
        torch.manual_seed(0)
        self.name, self.options, self.scratch = name, options, scratch
        self.path = scratch / "model.onnx"
        self.module, self.inputs, self.loss, self.target = MODELS[name]()
        self.prepare()
        self.exporter, _, mode = exporter.partition("+")
        self.training = mode == "train"
        self.module.train(self.training)
        self.rate = RATES.get(name, 0.05)

    def prepare(self):
        with torch.no_grad():  # so that no bias is zero and no scale is one
            for parameter in self.module.parameters():
                parameter.add_(0.02 * torch.randn_like(parameter))

    def export(self):
        kind, _, opset = self.exporter.partition("@")
        options = dict(input_names=list(self.inputs), output_names=["y"], opset_version=int(opset or 18))
        if kind == "ts":
            modes = torch.onnx.TrainingMode
            options.update(do_constant_folding=False, dynamic_axes={key: {0: "batch"} for key in [*self.inputs, "y"]},
                           training=modes.TRAINING if self.training else modes.PRESERVE)
        else:
            # Not optimized: that would fold normalizations and copy shared weights.
            options.update(external_data=False, optimize=False, verbose=False)
        torch.onnx.export(self.module, tuple(self.inputs.values()), str(self.path), dynamo=kind != "ts", **options)
        trained = {alias for key, _ in self.module.named_parameters(remove_duplicate=False)
                   for alias in (key, key.removeprefix("model."))}
        floats = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE)
        self.frozen = sorted(t.name for t in onnx.load(self.path).graph.initializer
                             if t.data_type in floats and t.name not in trained)
        self.save_data()

    def save_data(self):
        tensors = {key: np.ascontiguousarray(value.numpy()) for key, value in self.inputs.items()}
        save_file(tensors, scratch_file(self.scratch, "inputs"))
        save_file({**tensors, "target": np.ascontiguousarray(self.target.numpy())}, scratch_file(self.scratch, "data"))

    def run(self, *words):
        command = [self.options.build / "bin/gensyn-run", words[0], self.path, *words[1:], "--quiet",
                   "--backend", self.options.backend]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1200)
        if done.returncode:
            raise Mismatch(f"{words[0]} exits {done.returncode}: {' | '.join(done.stderr.strip().splitlines()[-2:])}")

    def recipe(self):
        path = self.scratch / "recipe.json"
        recipe = {"loss": self.loss, "optimizer": {"kind": "SGD", "lr": self.rate}, "frozen": self.frozen,
                  "batch_size": len(self.target), "epochs": self.steps}
        # dynamo writes them in inference mode, whatever the module's mode.
        if self.training and any(node.op_type == "BatchNormalization" for node in onnx.load(self.path).graph.node):
            recipe["batch_norm"] = "train"
        path.write_text(json.dumps(recipe))
        return path

    def torch_run(self, dtype):
        """Output, loss and gradients by PyTorch."""
        module = copy.deepcopy(self.module).to(dtype)
        y = module(*self.arguments(dtype))
        loss = loss_of(self.loss, y, self.target)
        loss.backward()
        gradients = {key: p.grad.double().numpy() for key, p in module.named_parameters() if p.grad is not None}
        return y.detach().double().numpy(), float(loss.detach()), gradients

    def arguments(self, dtype):
        return [value.to(dtype) if value.is_floating_point() else value for value in self.inputs.values()]

    def torch_losses(self, dtype, seed=None):
        """Of each step; with a seed after each parameter was changed by about half a unit of float32."""
        module = copy.deepcopy(self.module).to(dtype)
        if seed is not None:
            noise = torch.Generator().manual_seed(seed)
            with torch.no_grad():
                for parameter in module.parameters():
                    parameter.mul_(1 + 2.0**-24 * torch.randn(parameter.shape, generator=noise, dtype=dtype))
        optimizer = torch.optim.SGD(module.parameters(), lr=self.rate)
        losses = []
        for _ in range(self.steps):
            optimizer.zero_grad()
            loss = loss_of(self.loss, module(*self.arguments(dtype)), self.target)
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
        return losses

    def torch_error(self, exact):
        """The largest relative error of a loss that float32 explains: PyTorch's own, or what roundings of the
        parameters come to. A step near the edge of stability multiplies both by hundreds, each by its own luck."""
        others = [self.torch_losses(torch.float32), *(self.torch_losses(torch.float64, seed) for seed in range(4))]
        return max(off(losses, exact) for losses in others)

    def infer(self, exact, single):
        out = scratch_file(self.scratch, "outputs")
        self.run("infer", "--inputs", scratch_file(self.scratch, "inputs"), "--outputs", out)
        found, bound = error(load_file(out)["y"], exact[0]), max(10 * error(single[0], exact[0]), 2e-6)
        if not found <= bound:
            raise Mismatch(f"outputs are off by {found:.1e}, bound {bound:.1e}")
        return f"{found:.1e}"

    def grad(self, exact, single):
        out = scratch_file(self.scratch, "gradients")
        self.run("grad", "--recipe", self.recipe(), "--inputs", scratch_file(self.scratch, "data"), "--outputs", out)
        found, wanted = load_file(out), exact[2]
        if not abs(float(found["loss"]) - exact[1]) <= 1e-5 * abs(exact[1]):
            raise Mismatch(f"the loss is {float(found['loss'])}, PyTorch's {exact[1]}")
        floor = 1e-3 * max(np.max(np.abs(value)) for value in wanted.values())
        bound = max(10 * max(error(single[2][key], wanted[key], floor) for key in wanted), 1e-5)
        worst, compared = 0.0, 0
        for key, value in wanted.items():
            # Exporters rename some weights and store others transposed.
            mine = found.get(key, found.get(key.removeprefix("model.")))
            if mine is None or mine.shape not in (value.shape, value.T.shape):
                continue
            shapes = [each for each in (mine, mine.T) if each.shape == value.shape]
            off = min(error(each, value, floor) for each in shapes)
            if not off <= bound:
                raise Mismatch(f"the gradient of {key} is off by {off:.1e}, bound {bound:.1e}")
            worst, compared = max(worst, off), compared + 1
        return f"{worst:.1e} ({compared} of {len(wanted)})"

    def train(self, *_):
        run = self.scratch / "run"
        self.run("train", "--recipe", self.recipe(), "--data", scratch_file(self.scratch, "data"), "-o", run, "--overwrite")
        rows = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        wanted = self.torch_losses(torch.float64)
        found = [row["loss"] for row in rows if "loss" in row]
        ours, theirs = off(found, wanted), self.torch_error(wanted)
        if not ours <= max(10 * theirs, 1e-5):
            raise Mismatch(f"losses {found}, PyTorch's {wanted}, off by {ours:.1e}, its own float32 by {theirs:.1e}")
        return f"{ours:.1e}"

    def check(self):
        exact, single = self.torch_run(torch.float64), self.torch_run(torch.float32)
        return "; ".join(f"{what} {getattr(self, what)(exact, single)}" for what in self.options.only.split(","))


def scratch_file(scratch, name):
    return scratch / f"{name}.safetensors"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--exporter", default="ts,dynamo")
    parser.add_argument("--only", default="infer,grad,train")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    exporters = options.exporter.split(",")
    count = {exporter: {"ok": 0, "FAIL": 0, "refused": 0} for exporter in exporters}
    for name in options.models or MODELS:
        for exporter in exporters:
            start = time.time()
            with tempfile.TemporaryDirectory() as temporary:
                scratch = options.keep / f"{name}-{exporter}" if options.keep else Path(temporary)
                scratch.mkdir(parents=True, exist_ok=True)
                case = Case(name, exporter, options, scratch)
                with silence():
                    try:
                        case.export()
                        verdict = "ok"
                    except Exception as refusal:  # whatever an exporter may throw
                        verdict, said = "refused", f"by the exporter: {type(refusal).__name__}"
                if verdict == "ok":
                    try:
                        said = case.check()
                    except Mismatch as mismatch:
                        verdict, said = "FAIL", mismatch
            count[exporter][verdict] += 1
            print(f"{verdict:7} {name:18} {exporter:12} {time.time() - start:5.1f} s  {said}", flush=True)
    total = {verdict: sum(each[verdict] for each in count.values()) for verdict in ("ok", "FAIL", "refused")}
    print(f"{total['ok']} passed, {total['FAIL']} failed, {total['refused']} not exported")
    short = [exporter for exporter, found in count.items() if not options.models and found["ok"] < LEAST.get(exporter, 1)]
    for exporter in short:
        print(f"{exporter}: {count[exporter]['ok']} passed, and not {LEAST.get(exporter, 1)}")
    sys.exit(1 if total["FAIL"] or short or not total["ok"] else 0)


if __name__ == "__main__":
    main()
