#!/usr/bin/env python3
"""Trains what PyTorch's exporters write unless told otherwise, and compares with PyTorch.

  check_default_exports.py BUILD [MODEL ...] [--export dynamo,ts,dynamo-kept,ts-kept]
                           [--keep FOLDER]

By default both exporters merge equal initializers and fold what they can. Models are
taken as they are made, without a step of training, so that there is much to merge:
norms of ones and zeros, biases of zeros, layers that are copies. Each is exported in
four ways: `dynamo` and `ts` (TorchScript) with default options, and with those that
keep parameters apart: `dynamo-kept` with optimize=False, `ts-kept` with
do_constant_folding=False and training=TrainingMode.PRESERVE of a module in training
mode, with batch normalizations and dropouts as in inference. Parameters that do not
require gradients are listed in the recipe as frozen, by their names in the module.

A line for each export says

  equal    as many numbers are trained as PyTorch trains, but for rows of tables that
           nothing reads, and 20 steps of SGD have PyTorch's losses, to ten times the
           error of its own float32 (or what half a unit in the last place of each
           parameter comes to), or 1e-5;
  refused  of a default export: training is refused before the first step, with the
           error that names the parameters and the export that keeps them, or, where
           the file has no name of the module for it, the pattern of a frozen one;
  none     the exporter itself fails;
  FAIL     anything else,

the largest relative difference of a loss from PyTorch's in float64, and how many
numbers are trained, here and by PyTorch. Exit 1 where one fails, or where of all of them
fewer than 25 models are exported by both exporters with default options, or fewer are
equal than LEAST_EQUAL has; of some, where none is exported. Then the first example of
docs/Running.md is exported, trained and exported again as it is written; it is the MODEL
Running.md. Needs what check_models.py needs, and peft.
"""

import argparse
import copy
import itertools
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import onnx
import torch

import fresh_models  # noqa: F401 (registers its models)
import merging_models  # noqa: F401
from check_models import Case, Mismatch, off
from silence import silence

CHOSEN = [
    "two_norms", "slopes", "zero_biases", "zero_convolutions", "tied", "low_rank", "low_rank_bert", "frozen_bert",
    "frozen_resnet", "cloned_layers", "scaled", "bert_classifier", "albert", "distilbert", "gpt2", "t5", "bart", "vit",
    "swin", "convnext", "mamba", "llama", "resnet18", "mobilenet_v2", "densenet", "mlp_mixer", "lstm", "conv1d",
    "unet_nearest", "unet_transposed", "torch_transformer", "pixel_shuffle", "rare", "merged_calls", "merged_layers",
    "merged_operands", "merged_statistics", "merged_buffers", "zero_bias_twice", "zero_recurrences", "folded_number"]
DEFAULTS = ["dynamo", "ts"]
EXPORTS = [*DEFAULTS, "dynamo-kept", "ts-kept"]
LEAST = 25
# PyTorch 2.15 had 22 and 21, and 38 of 38 that were exported so as to keep parameters. Two may be lost to another
# version, which folds or exports otherwise; all that is refused beyond is a loss of ours.
LEAST_EQUAL = {"dynamo": 20, "ts": 19, "dynamo-kept": 36, "ts-kept": 36}
UNCERTAIN = 1e-3  # where PyTorch itself is off by more, a comparison says nothing
REFUSALS = ["would train another network: ", "would train otherwise: ", "may train otherwise: ", "recipe.json: 'frozen': "]


class Refused(Exception):
    pass


class FreshCase(Case):
    """A model with what PyTorch makes of it; `select` chooses the export."""

    steps = 20

    def __init__(self, name, options, scratch):
        super().__init__(name, "dynamo", options, scratch)
        self.references = {}
        for module in self.module.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0  # so that both modes compute the same but for batch normalizations

    def prepare(self):
        pass  # as it is made

    def select(self, exporter, scratch):
        scratch.mkdir(parents=True, exist_ok=True)
        self.exporter, self.scratch, self.path = exporter, scratch, scratch / "model.onnx"
        self.keeps = exporter == "ts-kept"
        self.module.train(self.keeps)
        for module in self.module.modules():
            if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
                module.eval()  # four samples are few to normalize by

    def export(self):
        options = dict(input_names=list(self.inputs), output_names=["y"], dynamo=self.exporter.startswith("dynamo"))
        if options["dynamo"]:
            options.update(external_data=False, verbose=False)
        if self.exporter == "dynamo-kept":
            options.update(optimize=False)
        elif self.exporter == "ts-kept":
            options.update(training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
        torch.onnx.export(copy.deepcopy(self.module), tuple(self.inputs.values()), str(self.path), **options)
        graph = onnx.load(self.path, load_external_data=False).graph
        # The older exporter leaves an Identity for each initializer that it merged.
        stored = {tensor.name for tensor in graph.initializer}
        stored |= {node.output[0] for node in graph.node if node.op_type == "Identity"}
        self.frozen = [key for key, p in self.module.named_parameters() if not p.requires_grad]
        if not options["dynamo"]:  # which notes neither buffers nor what no call reaches
            self.frozen = [key for key in self.frozen if ".original_module." not in key]
            self.frozen += [key for key, b in self.module.named_buffers() if key in stored and b.is_floating_point()]
        self.save_data()

    def run(self, *words):
        try:
            super().run(*words)
        except Mismatch as mismatch:
            for refusal in REFUSALS:
                if "exits 3" in str(mismatch) and refusal in str(mismatch) and self.exporter in DEFAULTS:
                    raise Refused(str(mismatch).partition(refusal)[2]) from mismatch
            raise

    def reference(self):
        """PyTorch's losses in float64, their error in float32, how many numbers it trains, and of how many nothing
        reads the row.

        The last is a list with an entry for each table. A lookup that an exporter folded has only the rows that it
        took; nothing that training does depends on the others.
        """
        if self.keeps not in self.references:
            _, _, gradients = self.torch_run(torch.float32)
            tables = [f"{key}.weight" for key, module in self.module.named_modules() if isinstance(module, torch.nn.Embedding)]
            unread = [gradients[key][~gradients[key].any(axis=1)].size for key in tables if key in gradients]
            exact = self.torch_losses(torch.float64)
            self.references[self.keeps] = (exact, self.torch_error(exact), sum(gradient.size for gradient in gradients.values()), unread)
        return self.references[self.keeps]

    def check(self):
        """The largest relative difference of a loss and the parameters that are trained; raises Mismatch, Refused."""
        exact, theirs, count, unread = self.reference()
        run = self.scratch / "run"
        self.run("train", "--recipe", self.recipe(), "--data", self.scratch / "data.safetensors", "-o", run, "--overwrite")
        found = [row["loss"] for row in map(json.loads, (run / "log.jsonl").read_text().splitlines()) if "loss" in row]
        trained = json.loads((run / "program.json").read_text())["parameters"]
        ours = off(found, exact)
        said = f"{ours:8.1e}  {trained} of {count} parameters"
        folded = unread if self.exporter in DEFAULTS else []
        if trained not in {count - sum(some) for n in range(len(folded) + 1) for some in itertools.combinations(folded, n)}:
            raise Mismatch(said)
        if not ours <= max(10 * theirs, 1e-5) or theirs > UNCERTAIN:
            raise Mismatch(f"{said}, PyTorch's own float32 is off by {theirs:.1e}")
        return said


def outcome(case):
    with silence():
        try:
            case.export()
        except Exception as refusal:  # whatever an exporter may throw
            return "none", f"the exporter: {type(refusal).__name__}"
    try:
        return "equal", case.check()
    except Refused as refusal:
        return "refused", f"{'-':>8}  - of {case.reference()[2]} parameters: {str(refusal)[:90]}"
    except Mismatch as mismatch:
        return "FAIL", mismatch


# The parts of an example's output that do not depend on the version of PyTorch.
SHOWN = re.compile(r"after \d+ steps|\d+ tensors|'y' float32\[[\d,]+\]|\d+ trained initializers")


def complaint_of_document(build, folder):
    """Nothing, or what is wrong with the first example of docs/Running.md."""
    text = (Path(__file__).resolve().parents[2] / "docs/Running.md").read_text()
    text = text[text.index("## A model of your own"):text.index("Before you export:")]
    program = re.search(r"^```python\n(.*?)^```$", text, re.M | re.S)[1]
    recipe = re.search(r"with the recipe\n\n((?:    .*\n)+)", text)[1]
    commands = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recipe.json").write_text(recipe)
    environment = {**os.environ, "PATH": f"{(build / 'bin').absolute()}:{os.environ['PATH']}"}

    def run(*words):
        done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=600)
        return done.returncode, done.stdout

    code, said = run(sys.executable, "-c", program)
    if code:
        return f"the program exits {code}: {said[-300:]}"
    shown = []
    for line in commands:
        if line.startswith("$ "):
            command, (code, said) = line[2:], run("bash", "-c", line[2:])
            if code:
                return f"{command} exits {code}: {said[-300:]}"
        for part in SHOWN.findall(line):
            shown.append(part)
            if part not in SHOWN.findall(said):
                return f"{command} does not print '{part}' but {said[-300:]}"
    # The steps, the compared tensors, an output, and the trained initializers.
    return "" if len(shown) == 4 else f"the document shows {shown}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--export", default=",".join(EXPORTS))
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)  # small tensors, and threads that wait take the time of gensyn-run
    exports = options.export.split(",")
    count = {export: {"equal": 0, "refused": 0, "none": 0, "FAIL": 0} for export in exports}
    whole = set()  # models of which there are both default exports
    document = "Running.md"
    for name in [name for name in options.models if name != document] or ([] if options.models else CHOSEN):
        verdicts = {}
        with tempfile.TemporaryDirectory() as temporary:
            scratch = (options.keep or Path(temporary)) / name
            case = FreshCase(name, options, scratch)
            for export in exports:
                start = time.time()
                case.select(export, scratch / export)
                verdicts[export], said = outcome(case)
                count[export][verdicts[export]] += 1
                print(f"{verdicts[export]:7} {name:18} {export:11} {time.time() - start:5.1f} s  {said}", flush=True)
        if all(verdicts.get(export, "none") != "none" for export in DEFAULTS):
            whole.add(name)
    for export, found in count.items() if options.models != [document] else ():
        print(f"{export:11} {found['equal']} equal, {found['refused']} refused, {found['FAIL']} failed, "
              f"{found['none']} not exported")
    wrong = []
    if not options.models and set(DEFAULTS) <= set(exports) and len(whole) < LEAST:
        wrong.append(f"{len(whole)} models by both exporters with default options, and not {LEAST}")
    for export, found in count.items():
        if not options.models and found["equal"] < LEAST_EQUAL[export]:
            wrong.append(f"{export}: {found['equal']} equal, and not {LEAST_EQUAL[export]}")
    if options.models not in ([], [document]) and not any(found["equal"] + found["refused"] for found in count.values()):
        wrong.append("nothing is equal or refused")
    if not options.models or document in options.models:
        with tempfile.TemporaryDirectory() as temporary:
            said = complaint_of_document(options.build, (options.keep or Path(temporary)) / document)
        print(f"{document}: {said or 'does what it shows'}")
        wrong += [f"{document} shows what is not so"] if said else []
    failed = sum(found["FAIL"] for found in count.values())
    if options.models != [document]:
        print(f"{len(whole)} models by both exporters with default options; {failed} outcomes that are neither PyTorch's "
              "training nor a refusal")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(1 if failed or wrong else 0)


if __name__ == "__main__":
    main()
