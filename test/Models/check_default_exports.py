#!/usr/bin/env python3
"""Trains what PyTorch's exporters write unless told otherwise, and compares with PyTorch.

  check_default_exports.py BUILD [MODEL ...] [--export dynamo,ts,kept] [--keep FOLDER]

By default both exporters merge equal initializers and fold what they can. Models are
taken as they are made, without a step of training, so that there is much to merge:
norms of ones and zeros, biases of zeros, layers that are copies. Each is exported in
three ways: `dynamo` and `ts` (TorchScript) with default options, and `kept`, which is
dynamo=True with optimize=False. Parameters that do not require gradients are listed
in the recipe as frozen, by their names in the module.

A model passes if as many numbers are trained as PyTorch trains, and 20 steps of SGD
have PyTorch's losses, to ten times the error of its own float32, or 1e-5. Of the
default exports it also passes if training is refused before the first step, with the
error that names the parameters and the export that keeps them. Needs what
check_models.py needs, and peft. Prints a line each; exit 1 where one fails.
"""

import argparse
import json
import logging
import sys
import tempfile
import time
import warnings
from pathlib import Path

import onnx
import torch

import fresh_models  # noqa: F401 (registers its models)
from check_models import Case, Mismatch
from silence import silence

CHOSEN = [
    "two_norms", "slopes", "zero_biases", "zero_convolutions", "tied", "low_rank", "low_rank_bert", "frozen_bert",
    "frozen_resnet", "cloned_layers", "scaled", "bert_classifier", "albert", "distilbert", "gpt2", "t5", "bart", "vit",
    "swin", "convnext", "mamba", "llama", "resnet18", "mobilenet_v2", "densenet", "mlp_mixer", "lstm", "conv1d",
    "unet_nearest", "unet_transposed", "torch_transformer", "pixel_shuffle", "rare"]
REFUSAL = "would train another network"


class Refused(Exception):
    pass


class FreshCase(Case):
    steps = 20

    def prepare(self):
        pass  # as it is made

    def export(self):
        options = dict(input_names=list(self.inputs), output_names=["y"])
        if self.exporter == "ts":
            options.update(dynamo=False)
        else:
            options.update(dynamo=True, external_data=False, verbose=False)
            if self.exporter == "kept":
                options.update(optimize=False)
        torch.onnx.export(self.module, tuple(self.inputs.values()), str(self.path), **options)
        initializers = {tensor.name for tensor in onnx.load(self.path).graph.initializer}
        self.frozen = [key for key, p in self.module.named_parameters() if not p.requires_grad]
        if self.exporter == "ts":  # which notes neither buffers nor what no call reaches
            self.frozen = [key for key in self.frozen if ".original_module." not in key]
            self.frozen += [key for key, b in self.module.named_buffers() if key in initializers and b.is_floating_point()]
        self.save_data()

    def run(self, *words):
        try:
            super().run(*words)
        except Mismatch as mismatch:
            if "exits 3" in str(mismatch) and REFUSAL in str(mismatch) and self.exporter != "kept":
                raise Refused(str(mismatch)) from mismatch
            raise

    def check(self):
        _, _, gradients = self.torch_run(torch.float64)
        said = self.train()
        wanted = sum(gradient.size for gradient in gradients.values())
        found = json.loads((self.scratch / "run/program.json").read_text())["parameters"]
        if found != wanted:
            raise Mismatch(f"{found} parameters are trained, by PyTorch {wanted}")
        return f"{said}, {found} parameters"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--export", default="dynamo,ts,kept")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    count = {"equal": 0, "refused": 0, "FAIL": 0, "none": 0}
    for name in options.models or CHOSEN:
        for exporter in options.export.split(","):
            start = time.time()
            with tempfile.TemporaryDirectory() as temporary:
                scratch = options.keep / f"{name}-{exporter}" if options.keep else Path(temporary)
                scratch.mkdir(parents=True, exist_ok=True)
                case = FreshCase(name, exporter, options, scratch)
                verdict = "none"
                with silence():
                    try:
                        case.export()
                        verdict = "equal"
                    except Exception as refusal:  # whatever an exporter may throw
                        said = f"the exporter: {type(refusal).__name__}"
                if verdict == "equal":
                    try:
                        said = case.check()
                    except Refused as refusal:
                        verdict, said = "refused", str(refusal).partition("another network: ")[2][:110]
                    except Mismatch as mismatch:
                        verdict, said = "FAIL", mismatch
            count[verdict] += 1
            print(f"{verdict:7} {name:18} {exporter:7} {time.time() - start:5.1f} s  {said}", flush=True)
    print(f"{count['equal']} equal, {count['refused']} refused, {count['FAIL']} failed, {count['none']} not exported")
    sys.exit(1 if count["FAIL"] else 0)


if __name__ == "__main__":
    main()
