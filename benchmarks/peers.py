#!/usr/bin/env python3
"""Models of real size beside other software, by turns in one run.

  peers.py GENSYN_RUN [--cache FOLDER] [--kinds train,infer] [--models resnet50,...] [--batches 1,16] [--threads 1,2]
           [--rounds 5] [--seconds 0.5] [--compiled] [--instruction-set NAME] [--device cuda] [--markdown FILE]

Training steps (forward pass, softmax cross-entropy, backward pass, AdamW) are measured beside PyTorch as it is called
by default, with --compiled also beside torch.compile with a fused AdamW; inference beside onnxruntime, and on a GPU
(--device cuda) beside PyTorch without TF32. Needs torch, torchvision, transformers, onnx, onnxscript and onnxruntime.
The default is twelve models of real size; peer_models.py has others by kind and small ones, peer_layers.py single
layers. Each is exported once into the cache folder, where compiled kernels are kept, too.

Both sides compute the same first, and their losses or outputs are compared (peer_measure.py says with what tolerance
and why). Then they take turns: in each round `gensyn-run bench --wait` makes a number of runs, then the other side as
many, so that other work on the machine hurts both alike. A round's time is its fastest run. A row has the fastest run
of all rounds of each side, their ratio (theirs / ours), the lowest and highest ratio of a round, and the share of a run
of ours that kernels of the baseline schedule take. A model that cannot be measured is a row that says why.

Ends with 1 if a ratio is below its goal, the baseline takes more than 2 %, or a model was not measured. The goal is
1.0, and 0.8 with --instruction-set x86-64-v3, since the other side keeps the instructions that it chooses itself.
torch.compile has no goal on CPUs; on GPUs it is 0.85, and PyTorch by default has none.
"""

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

MODELS = ["resnet18", "resnet50", "mobilenet-v3-large", "efficientnet-b0", "convnext-tiny", "unet", "vit-b-16", "swin-t",
          "bert-base", "gpt2-124m", "llama-160m", "lstm"]
GOALS = {"eager": 1.0, "onnxruntime": 1.0}
BASELINE = 0.02
GOALS_V3 = {"eager": 0.8, "onnxruntime": 0.8}
GOALS_GPU = {"compiled": 0.85}
TITLES = {"train": "training step", "infer": "inference"}
PACKAGES = {"train": ("torch",), "infer": ("onnxruntime",)}
HEAD = ("| model | batch | threads | ours, ms | other | ms | ratio | of a round | baseline |\n"
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |")


def listed(text):
    return text.split(",")


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "unknown processor"


def graphics_processor():
    import torch
    return torch.cuda.get_device_name()


def version(package):
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {package}"


def measure(given, model, kind):
    """The rows of a model, as they come. It has a process of its own, since one that crashes or needs too much memory
    must not end the others."""
    command = [sys.executable, Path(__file__).with_name("peer_measure.py"), given.tool, model, kind, given.cache,
               given.batches or "", given.threads, "--rounds", str(given.rounds), "--seconds", str(given.seconds),
               "--device", given.device]
    command += ["--compiled"] * given.compiled
    if given.instruction_set:
        command += ["--instruction-set", given.instruction_set]
    log = given.cache / f"{model}-{kind}.log"
    with open(log, "w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        for line in process.stdout:
            yield json.loads(line)
    if process.wait():
        last = (log.read_text().strip().splitlines() or ["no output"])[-1]
        yield {"model": model, "kind": kind, "batch": "", "threads": "",
               "error": f"ended with {process.returncode}: {last}"}


def is_slow(row, goals):
    return row["ratio"] < goals.get(row["rival"], 0)


def misses(row, goals):
    return "error" in row or is_slow(row, goals) or row["baseline"] > BASELINE


def emphasize(text, is_missed):
    return f"**{text}**" if is_missed else text


def show(row, goals):
    at = f"| {row['model']} | {row['batch']} | {row['threads']} |"
    if "error" in row:
        return f"{at} | not measured: {row['error'].replace('|', '/')} | | | | |"
    return (f"{at} {row['ours'] * 1e3:.2f} | {row['rival']} | {row['theirs'] * 1e3:.2f} | "
            f"{emphasize(format(row['ratio'], '.2f'), is_slow(row, goals))} | "
            f"{row['lowest']:.2f} to {row['highest']:.2f} | "
            f"{emphasize(format(row['baseline'] * 100, '.1f') + ' %', row['baseline'] > BASELINE)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=Path)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "gensyn-peers")
    parser.add_argument("--kinds", type=listed, default=["train", "infer"])
    parser.add_argument("--models", type=listed, default=MODELS)
    parser.add_argument("--batches", help="default: those of the model")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long a round of one side lasts")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--instruction-set")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--markdown", type=Path, help="append the tables to this file")
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    on_gpu = given.device == "cuda"
    goals = GOALS_GPU if on_gpu else GOALS_V3 if given.instruction_set == "x86-64-v3" else GOALS
    behind, tables = [], []
    for kind in given.kinds:
        machine = graphics_processor() if on_gpu else f"{processor()}, {os.cpu_count()} processors"
        packages = ["torch"] if on_gpu else PACKAGES[kind]
        title = (f"{TITLES[kind]}, {machine}, {', '.join(map(version, packages))}"
                 f"{', ours for ' * bool(given.instruction_set)}{given.instruction_set or ''}; the fastest of {given.rounds} rounds by turns")
        tables += [title, "", *HEAD.splitlines()]
        print(f"{title}\n\n{HEAD}", flush=True)
        for model in given.models:
            for row in measure(given, model, kind):
                tables.append(show(row, goals))
                print(tables[-1], flush=True)
                if misses(row, goals):
                    behind.append(row)
        tables.append("")
        print(flush=True)
    if given.markdown:
        with open(given.markdown, "a") as file:
            file.write("\n".join(tables) + "\n")
    for row in behind:
        print(f"misses a goal: {show(row, goals)}")
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
