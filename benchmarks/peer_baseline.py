#!/usr/bin/env python3
"""Finds models whose kernels the baseline schedule takes, without a measurement.

  peer_baseline.py GENSYN_RUN [--cache FOLDER] [--models resnet50,...] [--targets cpu:x86-64-v4,...]

Exports the models of peer_models.py once, as peers.py does, and prints the share of each training step and inference
that the baseline takes by the estimate of `gensyn-run info --kernels`, for each batch of a model. It depends on shapes
alone, so it is the same on any machine. Ends with 1 if a share is more than 2 %, or a model has none. peers.py
measures the same share. Needs torch, torchvision and transformers.
"""

import argparse
import json
import subprocess
import sys
from itertools import product
from pathlib import Path

from peer_catalog import ALL
from peer_export import export
from peer_models import MODELS
from peer_sides import recipe_of

MOST = 0.02
TARGETS = "cpu:x86-64-v4,cpu:x86-64-v3,cpu:aarch64"


def estimate(given, name, kind, batch, target):
    """The share of the baseline, and the kernels that it takes."""
    model = ALL[name]
    file = export(name, model, given.cache, batch, kind)
    command = [given.tool, "info", file, "--kernels", "--target", target, "--json"]
    if kind == "train":
        recipe = given.cache / f"{name}-baseline-recipe.json"
        recipe.write_text(json.dumps(recipe_of(model) | {"batch_size": batch}))
        command += ["--recipe", recipe]
    elif not file.stem.endswith(f"-b{batch}"):
        command += ["--dim", f"x[0]={batch}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no output"])[0])
    info = json.loads(done.stdout.strip().splitlines()[-1])
    taken = [kernel for kernel in info["kernels"] if kernel["schedule"] == "baseline"]
    taken.sort(key=lambda kernel: -kernel["flops"] - kernel["elements"])
    return info["kernel_totals"]["fused"]["baseline_share"], [kernel["name"] for kernel in taken]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "gensyn-peers")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--targets", default=TARGETS)
    given = parser.parse_args()
    failed = False
    for name in given.models.split(","):
        for kind, batch, target in product(("train", "infer"), ALL[name].batches, given.targets.split(",")):
            case = f"{name} {kind} batch {batch} {target}"
            try:
                share, kernels = estimate(given, name, kind, batch, target)
            except Exception as error:  # of whatever kind: the others are still estimated
                print(f"{case}: {str(error).splitlines()[0]}")
                failed = True
                continue
            failed = failed or share > MOST
            most = f", most of it {kernels[0]}" if kernels else ""
            print(f"{case}: {share:.2%} by the baseline{most}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
