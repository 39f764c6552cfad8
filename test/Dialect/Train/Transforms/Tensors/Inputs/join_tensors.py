#!/usr/bin/env python3
"""Divides the training steps of recorded models over ranks, and computes them.

  join_tensors.py CASES SCRATCH NAME:STAGES[*CHUNKS]xRANKS,...

All functions of all ranks, put together by test-join-tensors, must compute the bits of the microbatch from
the inputs of --check-bits, with the cuts that cost least and with random ones. Prints what ranks compute,
read and get as train-cut-tensors reports it.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

STAGES = Path(__file__).parents[2] / "Stages/Inputs/cut_models.py"
SPEC = importlib.util.spec_from_file_location("cut_models", STAGES)
cut_models = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(cut_models)


def join(step, pipeline, ranks, seed, out):
    """Whether the ranks together compute the bits of the microbatch."""
    passes = f"builtin.module(test-join-tensors{{{pipeline} ranks={ranks} seed={seed}}})"
    command = ["gensyn-wrong-opt", str(step), "--check-bits=all", "--check-bits-work=0", "--check-bits-trials=3"]
    done = subprocess.run(
        [*command, f"--pass-pipeline={passes}", "-o", str(out)], check=False, capture_output=True, text=True
    )
    if done.returncode or done.stderr:
        return f"exit {done.returncode}: {done.stderr[:400]}"
    return "bit-equal"


def figures(step, pipeline, ranks, out):
    passes = f"train-cut-stages{{{pipeline}}},train-cut-tensors{{ranks={ranks} exchange-bytes=0}}"
    _, remarks = cut_models.run(
        "gensyn-opt", str(step), f"--pass-pipeline=builtin.module({passes})", "--remarks-filter=tensors", "-o", str(out)
    )
    return [
        {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", line)}
        for line in remarks.splitlines()
        if "CutTensors |" in line
    ]


def main():
    cases, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    for word in sys.argv[3:]:
        name, grids = word.split(":")
        step = scratch / f"{name}.mlir"
        passes = "builtin.module(train-split-step{microbatches=2})"
        cut_models.run(
            "gensyn-opt", f"--pass-pipeline={passes}", "-o", str(step), given=cut_models.frozen_step(cases / name)
        )
        for grid in grids.split(","):
            stages, ranks = grid.split("x")
            _, pipeline = cut_models.pipeline_of(stages)
            found = {join(step, pipeline, ranks, seed, scratch / "joined.mlir") for seed in (0, 1)}
            rows = figures(step, pipeline, ranks, scratch / "cut.mlir")
            operations = [row["Operations"] for row in rows]
            even = sum(row["Operations"] for row in figures(step, pipeline, 1, scratch / "cut.mlir")) / len(rows)
            print(
                f"{name} {grid}: {', '.join(sorted(found))}, largest {max(operations) / even:.2f} of an even share,",
                f"{'+'.join(str(int(row['ReceivedBytes'])) for row in rows)} bytes travel,",
                f"{'+'.join(str(int(row['ParameterBytes'])) for row in rows)} bytes of parameters,",
                f"{'+'.join(str(int(row['Phases'])) for row in rows)} phases",
            )


if __name__ == "__main__":
    sys.exit(main())
