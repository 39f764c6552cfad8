#!/usr/bin/env python3
"""Compares gensyn-run with PyTorch and onnxruntime, function by function.

  check_functions.py BUILD [TEXT ...] [--set functions,resampling] [--exporter ts,dynamo]
                     [--jobs 2] [--every N] [--no-grad] [--verbose] [--keep FOLDER]

An exporter is `ts` (TorchScript) or `dynamo`, with +dims for graphs in which the sizes of
images have names, as resampling has them too: then gensyn-run decides sizes of results.

Cases are the expressions of function_cases and resampling_cases; with TEXT those that
contain one of the texts. Each is exported as a graph of its own; `gensyn-run infer` gives
its outputs and `gensyn-run grad` the derivatives of a weighted sum of them. Ends with
a line for outputs and one for gradients:

  agree     within the bound of PyTorch: ten times the error of PyTorch's own float32
            against float64, or 2e-6 (gradients 1e-5) where that is smaller, in the
            measure max|a - b| / max|b|. Integers and booleans are equal. Where PyTorch's
            two precisions are over 1e-3 apart, they take other elements or count otherwise:
            then its float32 is what is wanted.
  file      the file itself says something else than the module: onnxruntime's outputs
            are not PyTorch's either, and gensyn's are onnxruntime's within the bound; or
            neither takes it
  refused   exit code 4
  differ    anything else; exit 1

A function that the exporter refuses is counted as not exported, and is no failure. Exit 1
also where fewer of a set by an exporter agree than LEAST has, or more are `file` or
`refused` than MOST. What TEXT or --every leaves is a part, of which something has to agree.
"""

import argparse
import collections
import concurrent.futures
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from safetensors.numpy import load_file, save_file
from torch import nn

import function_cases
import resampling_cases
from expressions import INPUTS
from silence import silence

SETS = {"functions": (function_cases.cases, ()), "resampling": (resampling_cases.cases, ("ts+dims", "dynamo+dims"))}
OUTPUT, GRADIENT = 2e-6, 1e-5
# With PyTorch 2.15, of 614 functions and 222 resamplings, agreed 450 functions by TorchScript, 168 resamplings by
# each of its ways, and 948 cases by dynamo in its three ways; gradients of about 393, 168, 168 and 888. A
# handful less is another version of PyTorch that exports less. Of dynamo it was not counted set by set: its
# numbers are what is left where all that did not agree (86 not exported, 24 others) was of the one set.
LEAST = {("functions", "ts"): (440, 380), ("functions", "dynamo"): (500, 440),
         ("resampling", "ts"): (160, 160), ("resampling", "ts+dims"): (160, 160),
         ("resampling", "dynamo"): (120, 120), ("resampling", "dynamo+dims"): (120, 120)}
# By exporter, of outputs and of gradients: the recorded run had 14 and 7 of TorchScript's outputs, 14 and 10 of
# dynamo's, and one of its gradients. A part of the cases has no more than all.
MOST = {"ts": ({"file": 17, "refused": 10}, {"refused": 2}), "dynamo": ({"file": 17, "refused": 13}, {"refused": 3})}


class Weighted(nn.Module):
    """The module's outputs, and the sum of those of floats, each element with a weight of its own."""

    def __init__(self, inner, outputs):
        super().__init__()
        self.inner = inner
        self.factors = [weights(output, seed) for seed, output in enumerate(outputs)]

    def forward(self, *inputs):
        outputs = self.inner(*inputs)
        terms = [(output * factor.to(output.dtype)).sum() for output, factor in zip(outputs, self.factors) if factor is not None]
        return (*outputs, sum(terms)) if terms else tuple(outputs)


def weights(output, seed):
    if not output.is_floating_point():
        return None
    return 0.5 + torch.rand(output.shape, generator=torch.Generator().manual_seed(seed))


class Case:
    def __init__(self, name, make, exporter, folder):
        self.name, self.exporter, self.folder = name, exporter, folder
        self.inner = make()
        self.inputs = {key: INPUTS[key] for key in self.inner.names}
        self.folder.mkdir(parents=True, exist_ok=True)
        with torch.no_grad():
            outputs = self.inner(*self.inputs.values())
        self.module = Weighted(self.inner, outputs)
        self.single, self.single_gradients = evaluate(self.module, self.inputs.values(), torch.float32)
        self.exact, self.exact_gradients = evaluate(self.module, self.inputs.values(), torch.float64)
        self.names = [f"out{i}" for i in range(len(outputs))] + ["loss"] * (len(self.single) > len(outputs))

    def export(self):
        """Writes the files; raises what exporters raise."""
        kind, _, dims = self.exporter.partition("+")
        named = {key: {dim: f"{key}_{dim}" for dim in range(2, value.dim())} if dims else {} for key, value in self.inputs.items()}
        options = dict(input_names=list(self.inputs), output_names=self.names, opset_version=18)
        if kind == "ts":
            options.update(dynamo=False, do_constant_folding=False, dynamic_axes=named)
        else:
            options.update(dynamo=True, external_data=False, optimize=False, verbose=False)
            if dims:
                dynamic = torch.export.Dim.DYNAMIC
                options.update(dynamic_shapes=(tuple({dim: dynamic for dim in each} for each in named.values()),))
        torch.onnx.export(self.module.float().eval(), tuple(self.inputs.values()), str(self.folder / "model.onnx"), **options)
        # Exporters rename a value that is an input and an output at once, or drop unused inputs.
        graph = onnx.load(self.folder / "model.onnx").graph
        self.names = [value.name for value in graph.output]
        kept = {value.name: value for value in graph.input}
        self.inputs = {key: value for key, value in self.inputs.items() if key in kept}
        if len(self.inputs) != len(kept):
            raise ValueError("inputs were renamed")
        self.dims = sorted({f"--dim={dim.dim_param}={size}" for key, value in self.inputs.items()
                            for dim, size in zip(kept[key].type.tensor_type.shape.dim, value.shape) if dim.dim_param})
        save_file({key: np.ascontiguousarray(value.numpy()) for key, value in self.inputs.items()}, self.folder / "in.safetensors")
        (self.folder / "recipe.json").write_text('{"loss": {"kind": "graph_output", "output": "%s"}}' % self.names[-1])

    def runtime(self):
        """onnxruntime's outputs, or None where it does not take the file."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        try:
            session = onnxruntime.InferenceSession(str(self.folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
            return session.run(self.names[:len(self.module.factors)], {key: value.numpy() for key, value in self.inputs.items()})
        except Exception:  # of types that its bindings make up
            return None


def evaluate(module, inputs, dtype):
    """Outputs, and gradients of the last one by name of the input, as float64 where they are floats."""
    module = module.to(dtype)
    inputs = [value.to(dtype, copy=True).requires_grad_() if value.is_floating_point() else value for value in inputs]
    outputs = module(*inputs)
    gradients = {}
    if outputs[-1].requires_grad and outputs[-1].dim() == 0:
        try:
            outputs[-1].backward()
        except RuntimeError:  # of PyTorch's own functions some have no derivative
            return [plain(output) for output in outputs], {}
        # Without those that the case detaches.
        gradients = {key: plain(value.grad) for key, value in zip(module.inner.names, inputs)
                     if value.requires_grad and value.grad is not None}
    return [plain(output) for output in outputs], gradients


def plain(tensor):
    tensor = tensor.detach().clone()
    return tensor.double().numpy() if tensor.is_floating_point() else tensor.numpy()


def error(found, wanted, floor=1e-30):
    """max|a - b| / max|b|; not a number where shapes, integers, infinities or NaNs differ."""
    found = np.asarray(found)
    if found.shape != wanted.shape:
        return np.nan
    if wanted.dtype.kind != "f":
        return 0.0 if np.array_equal(found, wanted) else np.nan
    found, finite = found.astype(np.float64), np.isfinite(wanted)
    if not np.array_equal(found[~finite], wanted[~finite], equal_nan=True):
        return np.nan
    scale = max(np.max(np.abs(wanted[finite]), initial=0.0), floor)
    return float(np.max(np.abs(found[finite] - wanted[finite]), initial=0.0) / scale)


def compare(found, exact, single, smallest, floor=1e-30):
    """Empty where all of `found` are within their bounds; else what is not."""
    for i, (have, want, other) in enumerate(zip(found, exact, single)):
        theirs = error(other, want, floor)
        if not theirs <= 1e-3:
            want, theirs = other, 0.0
        bound = max(10 * theirs, smallest)
        off = error(have, want, floor)
        if not off <= bound:
            shape = np.asarray(have).shape
            return f"#{i} is {shape}, expected {want.shape}" if shape != want.shape else f"#{i} is off by {off:.1e}, bound {bound:.1e}"
    return ""


def run(options, case, command, *words):
    out = case.folder / f"{command}.safetensors"
    words = [options.build / "bin/gensyn-run", command, case.folder / "model.onnx", "--inputs", case.folder / "in.safetensors",
             "--outputs", out, "--quiet", "--threads", "1", *case.dims, *words]
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return -1, "takes over 300 s", {}
    return done.returncode, done.stderr.strip()[-300:], load_file(out) if done.returncode == 0 else {}


def check(options, case):
    """Verdict and reason of the outputs, and of the gradients where there are any."""
    code, said, found = run(options, case, "infer")
    if code:
        is_bad = code == 3 and case.runtime() is None
        return ("refused" if code == 4 else "file" if is_bad else "differ", f"exit {code}: {said}"), None
    # The weighted sum is not compared: its terms cancel.
    names = case.names[:len(case.module.factors)]
    found = [found[name] for name in names]
    why = compare(found, case.exact, case.single, OUTPUT)
    verdict = ("differ", why) if why else ("agree", "")
    if why and (runtime := case.runtime()) is not None:
        if not compare(found, [as_wanted(value) for value in runtime], [as_wanted(value) for value in runtime], OUTPUT):
            verdict = "file", why
        else:
            verdict = "differ", why + ("; onnxruntime is PyTorch's" if not compare(runtime, case.exact, case.single, OUTPUT) else "")
    if options.no_grad or not case.exact_gradients or why:
        return verdict, None
    code, said, found = run(options, case, "grad", "--recipe", case.folder / "recipe.json")
    if code:
        return verdict, ("refused" if code == 4 else "differ", f"exit {code}: {said}")
    keys = [key for key in case.exact_gradients if key in case.inputs]
    # Relative to the largest of all inputs: one may have a gradient of rounding errors only.
    floor = 1e-3 * max((np.max(np.abs(case.exact_gradients[key][np.isfinite(case.exact_gradients[key])]), initial=0.0) for key in keys), default=0.0)
    why = compare([found.get(key, np.nan) for key in keys], [case.exact_gradients[key] for key in keys],
                  [case.single_gradients[key] for key in keys], GRADIENT, max(floor, 1e-30))
    return verdict, ("differ", why) if why else ("agree", "")


def as_wanted(value):
    return value.astype(np.float64) if value.dtype.kind == "f" else value


def total_of(counts, i, exporter=""):
    return sum((each[i] for group, each in counts.items() if group[1].startswith(exporter)), collections.Counter())


def shortfalls(counts, results, whole):
    """What is said of too few that agree, and of too many that need not; `counts` has a counter for each of
    `results`, by set and exporter."""
    for i, what in enumerate(results):
        for group, each in counts.items():
            least = LEAST.get(group, (1, 1))[i]
            if whole and each[i]["agree"] < least:
                yield f"{what}, {group[0]} by {group[1]}: {each[i]['agree']} agree, and not {least}"
        total = total_of(counts, i)
        # Integers have no gradients.
        if not total["agree"] and (total or what == "outputs"):
            yield f"{what}: nothing agrees"
        for exporter, limits in MOST.items():
            found = total_of(counts, i, exporter)
            for verdict, most in limits[i].items():
                if found[verdict] > most:
                    yield f"{what} by {exporter}: {found[verdict]} {verdict}, and not at most {most}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("texts", nargs="*")
    parser.add_argument("--set", default="functions,resampling")
    parser.add_argument("--exporter", default="ts,dynamo")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--no-grad", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="what agrees, and what the exporters refuse, too")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    chosen = [((kind, exporter), *each) for kind in options.set.split(",") for cases, more in [SETS[kind]]
              for exporter in [*options.exporter.split(","), *(more if options.exporter == "ts,dynamo" else ())] for each in cases()
              if not options.texts or any(text in each[0] for text in options.texts)][::options.every]
    counts = {group: (collections.Counter(), collections.Counter()) for group, *_ in chosen}

    def report(group, case, future):
        for counter, what, result in zip(counts[group], ("outputs", "gradients"), future.result()):
            if result is None:
                continue
            counter[result[0]] += 1
            if result[0] != "agree" or options.verbose:
                print(f"{result[0]:8} {what:9} {case.exporter:11} {case.name}  {result[1]}", flush=True)

    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder, pending = options.keep or Path(temporary), collections.deque()
        for number, (group, name, make) in enumerate(chosen):
            case = Case(name, make, group[1], folder / str(number))
            with silence():
                try:
                    case.export()
                    refusal = ""
                except Exception as error:  # whatever an exporter may throw
                    refusal = f"{type(error).__name__}: {str(error).strip().splitlines()[-1:]}"[:160]
            if refusal:
                counts[group][0]["not exported"] += 1
                if options.verbose:
                    print(f"not exported       {case.exporter:11} {name}  {refusal}", flush=True)
                continue
            pending.append((group, case, pool.submit(check, options, case)))
            while pending and pending[0][2].done():
                report(*pending.popleft())
        for each in pending:
            report(*each)
    results = ("outputs", "gradients")
    for i, what in enumerate(results):
        counter = total_of(counts, i)
        print(f"{what}: " + ", ".join(f"{counter[key]} {key}" for key in ("agree", "file", "refused", "differ", "not exported")
                                      if counter[key] or key in ("agree", "differ")))
    short = list(shortfalls(counts, results[:1] if options.no_grad else results, not options.texts and options.every == 1))
    print(*short, sep="\n", end="\n" if short else "")
    sys.exit(1 if short or any(counter["differ"] for counters in counts.values() for counter in counters) else 0)


if __name__ == "__main__":
    main()
