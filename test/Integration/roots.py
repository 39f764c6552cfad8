"""Honest runs of a model have the same commitments, whatever computed them: each optimizer, with accumulation and mixed
precision, on each target, by several ranks, and resumed.

roots.py GENSYN_RUN CASES FOLDER [--every N] [--models NAME...] [--mpirun WORDS]

prints a line for each model and recipe, and "0 of N wrong". --every takes each N-th of them alone."""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save

STEPS = 4
OPTIMIZERS = ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "NAdam", "RAdam", "Adamax", "Adadelta", "Adafactor", "Muon",
              "Lion", "LAMB", "ASGD", "Rprop"]
VARIANTS = [{}, {"accumulate": 2}, {"precision": {"compute": "bf16"}}, {"clip": {"norm": 1.0}},
            {"precision": {"compute": "f16", "loss_scale": "dynamic"}}, {"ema": {"decay": 0.9}}]


def instruction_sets():
    """The instruction sets that this processor has."""
    found = re.search("^flags.*", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    flags = set(found[0].split() if found else ())
    sets = ["x86-64"] if found else []
    if {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe"} <= flags:
        sets.append("x86-64-v3")
        if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags:
            sets.append("x86-64-v4")
    return sets


def write_inputs(case, folder):
    """Gives the batch size and the loss of a case, after its batches were written as one data set."""
    facts = json.loads((case / "case.json").read_text())
    batches = {name.removeprefix("batches."): value for name, value in load(case / "training.safetensors").items()
               if name.startswith("batches.")}
    folder.mkdir(parents=True)
    save(folder / "data.safetensors", {name: value.reshape(-1, *value.shape[2:]) for name, value in batches.items()})
    return int(next(iter(batches.values())).shape[1]), facts["loss"]


def make_optimizer(kind, model):
    """Muon is for matrices alone."""
    others = [] if kind != "Muon" else [
        weight.name for weight in onnx.load(model).graph.initializer
        if len(weight.dims) != 2 and weight.data_type == onnx.TensorProto.FLOAT and weight.dims]
    return {"kind": kind, **({"groups": [{"match": others, "kind": "AdamW"}]} if others else {})}


class Roots:
    def __init__(self, options):
        self.options = options

    def train(self, model, recipe, data, out, *words, launcher=(), steps=STEPS):
        """Trains, and gives the commitments."""
        done = subprocess.run(
            [*launcher, self.options.tool, "train", model, "--recipe", recipe, "--data", data, "-o", out, "--commit",
             "every", "--steps", str(steps), "--quiet", *words],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[-300:]}")
        return (out / "commitments.jsonl").read_bytes()

    def ways(self, variant):
        """Names of what computes a run, and its words; ranks divide microbatches."""
        yield "reference", ["--backend", "reference"], ()
        for isa in instruction_sets():
            yield isa, ["--instruction-set", isa, "--threads", "1"], ()
        yield "two threads", ["--threads", "2"], ()
        yield "ptx-sim", ["--backend", "ptx-sim"], ()
        if self.options.mpirun and "accumulate" in variant:
            yield "two ranks", ["--threads", "1"], (*shlex.split(self.options.mpirun), "2")

    def compare(self, job):
        """Gives a line about a model with a recipe."""
        case, number, optimizer, variant, size, loss = job
        name = f"{case.name}, {optimizer}" + "".join(f", {key}" for key in variant)
        folder = self.options.folder / f"{case.name}-{number}"
        folder.mkdir()
        recipe, data = folder / "recipe.json", self.options.folder / case.name / "data.safetensors"
        recipe.write_text(json.dumps({
            "loss": loss, "optimizer": make_optimizer(optimizer, case / "model.onnx"), "epochs": 1, "shuffle": True, "seed": 5,
            "batch_size": size, **variant}))
        model, found, wrong = case / "model.onnx", None, []
        try:
            for way, words, launcher in self.ways(variant):
                roots = self.train(model, recipe, data, folder / way.replace(" ", "-"), *words, launcher=launcher)
                found = found or roots
                if len(roots.splitlines()) != STEPS + 1:
                    wrong.append(f"{way}: {len(roots.splitlines())} roots")
                elif roots != found:
                    wrong.append(way)
            self.train(model, recipe, data, folder / "resumed", "--checkpoint-every", "1", steps=STEPS // 2)
            if self.train(model, recipe, data, folder / "resumed", "--resume", "--checkpoint-every", "1") != found:
                wrong.append("resumed")
        except ValueError as problem:
            wrong.append(str(problem))
        shutil.rmtree(folder)
        return f"{name}: {'WRONG: ' + '; '.join(wrong) if wrong else 'one root'}"

    def run(self):
        options = self.options
        shutil.rmtree(options.folder, ignore_errors=True)
        jobs = []
        for name in options.models:
            size, loss = write_inputs(options.cases / name, options.folder / name)
            for number, optimizer in enumerate(OPTIMIZERS):
                jobs.append((options.cases / name, number, optimizer, VARIANTS[number % len(VARIANTS)], size, loss))
        jobs = jobs[::options.every]
        wrong = 0
        with ThreadPoolExecutor(2) as pool:
            for line in pool.map(self.compare, jobs):
                print(line, flush=True)
                wrong += "WRONG" in line
        print(f"{wrong} of {len(jobs)} wrong")
        return wrong > 0 or not jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("cases", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--models", nargs="+", default=["lenet-digits", "gpt2-tiny-dynamo", "bert-tiny"])
    parser.add_argument("--mpirun", default="")
    return Roots(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
