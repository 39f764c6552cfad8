#!/usr/bin/env python3
"""Runs models whose results are known, in several ways that must agree to the bit.

  run_cases.py TOOL CASES CASE[,CASE...] [--steps=N] WAY [WAY ...]

TOOL is gensyn-run, CASES the folder of the cases, a WAY options of gensyn-run such
as "--backend=cpu --threads=2". A way that begins with "--emulate=SET" compiles a
package for another instruction set and runs it by an emulator. Per case: outputs, loss and gradients, and a
training run of the case's steps, or of the first N. The results of the first way are compared with
float64 PyTorch, within a multiple of what PyTorch's own float32 run is off by;
those of every other way must have the first way's bits, losses included. Of a case that says "known": false, as those
of special_values.py, results are only compared with each other; "*" is all cases of the folder.
Prints a line per case and a closing line; exit 1 where one fails.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from emulator import emulated_tool
from limits import seconds
from safetensors import load, save

SECONDS = seconds(600)  # before a command counts as hanging


class Mismatch(Exception):
    pass


def measure(what, found, expected, tolerance):
    """The largest error, relative to the tensor's largest entry (or to a thousandth of the largest of all)."""
    floor = 1e-3 * max((float(np.max(np.abs(v), initial=0.0)) for v in expected.values()), default=1.0)
    worst = 0.0
    for name, want in expected.items():
        if name not in found:
            raise Mismatch(f"{what}: '{name}' is not in the result")
        have = found[name].astype(np.float64)
        if have.shape != want.shape:
            raise Mismatch(f"{what}: '{name}' is {have.shape}, expected {want.shape}")
        scale = max(float(np.max(np.abs(want), initial=0.0)), floor)
        error = float(np.max(np.abs(have - want), initial=0.0)) / scale
        if not error <= tolerance:
            raise Mismatch(f"{what}: '{name}' is off by {error:.1e}, tolerance {tolerance:.1e}")
        worst = max(worst, error)
    return worst


def require_equal(what, first, second):
    """Both are dictionaries of arrays; every bit must be the same."""
    if not first or first.keys() != second.keys():
        raise Mismatch(f"{what}: {sorted(first)} against {sorted(second)}")
    for name, a in first.items():
        b = second[name]
        if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
            raise Mismatch(f"{what}: '{name}' has other bits")


class Case:
    """A folder with a model, its inputs and what is expected."""

    def __init__(self, tool, folder, scratch, steps=None):
        self.tool, self.folder, self.scratch, self.steps = tool, folder, scratch, steps
        # Tests of one suite compile a kernel once. check.py empties the folder: an old cache proves nothing.
        self.cache = Path(os.environ.get("GENSYN_TEST_SHARED", scratch)) / "cache"
        self.facts = json.loads((folder / "case.json").read_text())

    def error(self, key, times, least):
        return max(times * self.facts["f32_error"][key], least)

    def run(self, tool, *words):
        done = subprocess.run([*tool, *map(str, words)], capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise Mismatch(f"{words[0]} exits {done.returncode}: {done.stderr.strip()[-300:]}")

    def command(self, way, kind, *words, recipe=None):
        model = self.folder / "model.onnx"
        given = ["--recipe", recipe] if recipe else []
        compiling = [f"--dim={name}={value}" for name, value in self.facts.get("dims", {}).items()]
        compiling += ["--cache", self.cache]
        first, *rest = shlex.split(way)
        if not first.startswith("--emulate="):
            return self.run([self.tool], kind, model, *given, *words, *compiling, first, *rest, "--quiet")
        target, package = first.removeprefix("--emulate="), self.scratch / "model.gxe"
        self.run([self.tool], "compile", model, *given, "--kind", kind, "--target", f"cpu:{target}", *compiling,
                 "-o", package, "--quiet")
        self.run(emulated_tool(self.tool, target), kind, package, *words, *rest, "--quiet")

    def recipe(self, **more):
        path = self.scratch / "recipe.json"
        keys = {key: self.facts[key] for key in ("loss", "optimizer", "frozen") if self.facts.get(key)}
        path.write_text(json.dumps({**keys, **more}))
        return path

    def infer(self, way):
        given, results = self.scratch / "inputs.safetensors", self.scratch / "outputs.safetensors"
        inputs = load(self.folder / "inputs.safetensors")
        save(given, {name: inputs[name] for name in self.facts["inputs"]})
        self.command(way, "infer", "--inputs", given, "--outputs", results)
        return load(results)

    def check_infer(self, found):
        expected = load(self.folder / "outputs.safetensors")
        return measure("outputs", found, {name: expected[name] for name in self.facts["outputs"]},
                       self.error("outputs_max_rel", 10, 2e-6))

    def grad(self, way):
        results = self.scratch / "gradients.safetensors"
        self.command(way, "grad", "--inputs", self.folder / "inputs.safetensors", "--outputs", results,
                     recipe=self.recipe())
        return load(results)

    def check_grad(self, found):
        measure("loss", {"loss": found["loss"].reshape(())}, {"loss": np.array(self.facts["loss_value"])}, 1e-5)
        return measure("gradients", found, load(self.folder / "grads.safetensors"),
                       self.error("grads_max_rel", 10, 1e-5))

    def train(self, way):
        data, folder = self.scratch / "data.safetensors", self.scratch / "run"
        steps = load(self.folder / "training.safetensors")
        batches = {name.removeprefix("batches."): v[: self.steps]
                   for name, v in steps.items() if name.startswith("batches.")}
        size = next(iter(batches.values())).shape[1]
        save(data, {name: v.reshape(-1, *v.shape[2:]) for name, v in batches.items()})
        recipe = self.recipe(epochs=1, batch_size=int(size), shuffle=False)
        self.command(way, "train", "--data", data, "-o", folder, "--overwrite", recipe=recipe)
        rows = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
        losses = np.array([row["loss"] for row in rows if "step" in row and "loss" in row])
        return {**load(folder / "parameters.safetensors"), "losses of the steps": losses}

    def check_train(self, found):
        steps = load(self.folder / "training.safetensors")
        losses = steps["losses"][: self.steps]
        if len(losses) == len(steps["losses"]):  # those after fewer steps are not in the file
            final = {name.removeprefix("final."): v for name, v in steps.items() if name.startswith("final.")}
            measure("trained parameters", found,
                    {name: final[name] for name in final if name in self.facts["parameters"]}, 1e-3)
        return measure("losses", {"losses": found["losses of the steps"]}, {"losses": losses},
                       self.error("losses_max_rel", 20, 1e-5))

    def check(self, ways):
        """Words on what was measured; throws Mismatch."""
        words = []
        for part in self.facts.get("parts", ("infer", "grad", "train")):
            first = getattr(self, part)(ways[0])
            known = self.facts.get("known", True)
            words.append(f"{part} {getattr(self, 'check_' + part)(first):.1e}" if known else f"{len(first)} results")
            for way in ways[1:]:
                require_equal(f"{part} by {way}", first, getattr(self, part)(way))
        return ", ".join(words)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    tool, cases, names, ways = sys.argv[1], Path(sys.argv[2]), sys.argv[3].split(","), sys.argv[4:]
    steps = int(ways.pop(0).removeprefix("--steps=")) if ways[0].startswith("--steps=") else None
    if names == ["*"]:
        names = sorted(folder.parent.name for folder in cases.glob("*/case.json"))
    failed = 0
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                words = Case(tool, cases / name, Path(scratch), steps).check(ways)
                print(f"ok   {name}: {words}", flush=True)
            except (Mismatch, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as problem:
                failed += 1
                print(f"FAIL {name}: {problem!s:.500}", flush=True)
    print(f"{len(names) - failed} of {len(names)} cases agree in {len(ways)} ways")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
