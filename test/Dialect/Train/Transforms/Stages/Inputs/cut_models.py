#!/usr/bin/env python3
"""Cuts the training steps of recorded models into pipeline stages.

  cut_models.py CASES SCRATCH NAME:STAGES[*CHUNKS],...

Prints for each model and number of stages the share of the largest stage in the operations beside
that of an even division, the bytes that cross stages for a microbatch, and what each stage owns.
"""

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path


def run(*words, given=None):
    done = subprocess.run(words, input=given, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)[:200]}: exit {done.returncode}: {done.stderr}")
    return done.stdout, done.stderr


def frozen_step(folder):
    """The text of a frozen training step of two microbatches, with a clip by the norm of all gradients."""
    case = json.loads((folder / "case.json").read_text())
    dims = ",".join(f"{name}={size}" for name, size in case.get("dims", {}).items())
    recipe = {key: case[key] for key in ("loss", "optimizer", "frozen")} | {"accumulate": 2, "clip": {"norm": 1.0}}
    text, _ = run("gensyn-translate", "--onnx-to-mlir", str(folder / "model.onnx"))
    text, _ = run("gensyn-opt", "--gensyn-onnx-pipeline" + (f"=dims={dims}" if dims else ""), given=text)
    text, _ = run("gensyn-opt", f"--gensyn-train-pipeline=kind=train recipe={{{json.dumps(recipe)}}}", given=text)
    return run("gensyn-opt", "--gensyn-freeze-pipeline", given=text)[0]


def pipeline_of(text):
    """The options of train-cut-stages for "3", or "2*4": two stages of four chunks each."""
    stages, _, chunks = text.partition("*")
    return int(stages), f"stages={stages} interleave={chunks or 1}"


def cut(text, options, out):
    """The figures of the stages from the remarks, and what the stages own."""
    passes = f"builtin.module(train-split-step{{microbatches=2}},train-cut-stages{{{options}}})"
    _, remarks = run("gensyn-opt", f"--pass-pipeline={passes}", "--remarks-filter=stages", "-o", str(out), given=text)
    figures = [
        {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", line)}
        for line in remarks.splitlines()
        if "CutStages" in line
    ]
    described = re.search(r"train\.stages = \[(.*?)\]\}", out.read_text())[1]
    owned = [re.findall(r"\d+", re.search(r"sums = array<i64(.*?)>", stage)[1]) for stage in described.split("}, {")]
    parameters = [
        re.findall(r'"(.*?)"', re.search(r"parameters = \[(.*)", stage)[1]) for stage in described.split("}, {")
    ]
    return figures, owned, parameters


def main():
    cases, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    for word in sys.argv[3:]:
        name, numbers = word.split(":")
        text = frozen_step(cases / name)
        for number in numbers.split(","):
            stages, options = pipeline_of(number)
            figures, owned, parameters = cut(text, options, scratch / f"{name}-{number}.mlir")
            operations = [row["Operations"] for row in figures]
            sums = sorted(int(number) for numbers in owned for number in numbers)
            shared = sum(map(len, parameters)) - len(set(itertools.chain(*parameters)))
            print(
                f"{name} in {number}: largest {max(operations) * stages / sum(operations):.2f} of the mean,",
                f"{sum(row['ReceivedBytes'] for row in figures):.0f} bytes travel,",
                f"{sum(row['KeptBytes'] for row in figures):.0f} are kept,",
                f"{'+'.join(str(len(numbers)) for numbers in owned)} sums{'' if sums == list(range(len(sums))) else ' TWICE OR MISSING'},",
                f"{'+'.join(str(len(names)) for names in parameters)} parameters, {shared} in two stages",
            )


if __name__ == "__main__":
    sys.exit(main())
