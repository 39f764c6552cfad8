#!/usr/bin/env python3
"""Ranks that train together end with the bits of one machine.

  ranks.py [--every N] TOOL THREAD_RANKS CASES SCRATCH [LAUNCHER...]

Each model is trained alone by gensyn-run and by several numbers of ranks: threads of one
process, some on other targets; or with LAUNCHERs (commands that take a number of ranks and
a program) processes under each of them in turn. Of each model's runs every Nth takes part, from another one for each
model (default 1: all). Parameters, optimizer state, state.json, commitments and the log, but
for seconds, must be equal bytes. Prints a line for each comparison; exit 1 where one fails.
"""

import argparse
import functools
import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save

CHECKPOINT = ("parameters.safetensors", "optimizer.safetensors", "state.json", "B3SUMS")
SHARDS = ("none", "optimizer", "gradients", "parameters")
# Of a pipeline, and ranks of each stage.
STAGES = (1, 2, 3)
WHOLE = (1, 1, 1)
# As gensyn-thread-ranks does.
COMMIT = ("--commit", 7)
MIXED = ["cpu:x86-64-v3", "cpu:x86-64", "ptx-sim", "reference"]


def contents(folder, step):
    files = [(folder / "checkpoints" / f"step-{step}" / name).read_bytes() for name in CHECKPOINT]
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    kept = [{key: value for key, value in row.items() if "second" not in key} for row in rows]
    whole = [(folder / name).read_bytes() for name in ("parameters.safetensors", "commitments.jsonl")]
    return [*files, *whole, json.dumps(kept)]


def draws(folder):
    """A case of a model that draws random numbers: x [batch,6] -> Gemm -> Dropout -> Gemm -> y [batch,3]."""
    normal = np.random.default_rng(1).normal
    weights = {"w1": normal(size=(6, 5)), "w2": normal(size=(5, 3)), "ratio": 0.4, "trains": True}
    types = {"trains": bool}
    value = onnx.helper.make_tensor_value_info
    nodes = [
        onnx.helper.make_node("MatMul", ["x", "w1"], ["h"]),
        onnx.helper.make_node("Dropout", ["h", "ratio", "trains"], ["d"]),
        onnx.helper.make_node("MatMul", ["d", "w2"], ["y"]),
    ]
    graph = onnx.helper.make_graph(
        nodes,
        "draws",
        [value("x", 1, ["batch", 6])],
        [value("y", 1, ["batch", 3])],
        [
            onnx.numpy_helper.from_array(np.asarray(data, types.get(name, np.float32)), name)
            for name, data in weights.items()
        ],
    )
    folder.mkdir()
    onnx.save(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8),
        folder / "model.onnx",
    )
    facts = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "frozen": ["ratio"]}
    (folder / "case.json").write_text(json.dumps(facts))
    save(
        folder / "training.safetensors",
        {
            "batches.x": normal(size=(4, 8, 6)).astype(np.float32),
            "batches.target": normal(size=(4, 8, 3)).astype(np.float32),
        },
    )


class Trial:
    """A model of the recorded cases with a recipe: prepared once, trained in several ways."""

    options = ()

    def __init__(self, cases, scratch, name, steps, batch_size=None, chunks=1, **recipe):
        self.case, self.steps, self.chunks = cases / name, steps, chunks
        facts = json.loads((self.case / "case.json").read_text())
        self.name = (
            f"{name} with {recipe.get('optimizer', facts['optimizer'])['kind']}, {recipe['accumulate']} microbatches"
        )
        batches = load(self.case / "training.safetensors")
        samples = {
            key[len("batches.") :]: value.reshape((-1, *value.shape[2:]))
            for key, value in batches.items()
            if key.startswith("batches.")
        }
        self.folder = scratch / f"{name}-{recipe['accumulate']}"
        self.folder.mkdir(parents=True)
        # Enough for an epoch of two whole steps and a shorter one.
        each = batch_size or facts_batch(batches)
        wanted = 2 * each * recipe["accumulate"] + (each + 1 if batch_size else 0)
        count = len(next(iter(samples.values())))
        index = np.arange(wanted) % count
        save(self.folder / "data.safetensors", {key: value[index] for key, value in samples.items()})
        whole = (
            {
                "loss": facts["loss"],
                "optimizer": facts["optimizer"],
                "frozen": facts["frozen"],
                "epochs": 9,
                "shuffle": True,
                "seed": 3,
            }
            | ({"batch_size": batch_size} if batch_size else {})
            | recipe
        )
        (self.folder / "recipe.json").write_text(json.dumps(whole))

    def run(self, words, what):
        done = subprocess.run([*map(str, words)], check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{self.name}, {what}: exit {done.returncode}: {done.stderr}")

    def train(self, launcher, tool, what, *options):
        out = self.folder / what.replace(" ", "-")
        self.run(
            [
                *launcher,
                tool,
                "train",
                self.case / "model.onnx",
                "--recipe",
                self.folder / "recipe.json",
                "--data",
                self.folder / "data.safetensors",
                "--output",
                out,
                "--steps",
                self.steps,
                *COMMIT,
                "--quiet",
                "--overwrite",
                *self.options,
                *options,
            ],
            what,
        )
        return contents(out, self.steps)

    def threads(self, tool, ranks, targets, what):
        out = self.folder / what.replace(" ", "-")
        self.run(
            [
                tool,
                self.case / "model.onnx",
                self.folder / "recipe.json",
                self.folder / "data.safetensors",
                out,
                ranks,
                self.steps,
                *targets,
            ],
            what,
        )
        return contents(out, self.steps)


def facts_batch(batches):
    return next(value.shape[1] for key, value in batches.items() if key.startswith("batches."))


def parallels(ranks, chunks):
    """How groups of ranks may divide a microbatch, with several ranks to a group: (stages, chunks of each, tensors)."""
    pairs = [(stages, tensors) for stages in STAGES for tensors in STAGES if ranks % (stages * tensors) == 0]
    grids = [(stages, chunks if stages > 1 else 1, tensors) for stages, tensors in pairs]
    # More stages than small models have work for.
    grids += [(ranks, 1, 1)] * (ranks > 8)
    return [grid for grid in grids if grid != WHOLE]


def written(grid):
    return [f"{name}={count}" for name, count in zip(("pipeline", "interleave", "tensor"), grid, strict=True)]


def machines(ranks, chunks):
    """As if ranks were on several machines, with several on each: how many, and how groups of them divide."""
    for per_machine in range(2, ranks // 2 + 1):
        if ranks % per_machine == 0:
            grids = [grid for grid in parallels(ranks, chunks) if per_machine % (grid[0] * grid[2]) == 0]
            yield per_machine, [WHOLE, *grids][-1 if per_machine > 2 else 0]


def ways(trial, numbers, targets, launchers, tool, thread_ranks, shards):
    """What is run, and the function that runs it.

    Ranks divide something in turn; threads of the first number everything, too. Groups divide microbatches in turn.
    """
    for index, ranks in enumerate(numbers if not launchers else numbers[:2]):
        words = [next(shards), *(SHARDS[-1:] if index == 0 and not launchers else [])]
        divided = [(words[-1], grid) for grid in parallels(ranks, trial.chunks)]
        for shard, grid in dict.fromkeys([*((word, WHOLE) for word in words), *divided]):
            what = f"{ranks} {'ranks' if launchers else 'threads'}, shard {shard}, {' '.join(written(grid))}"
            if not launchers:
                options = [f"shard={shard}", *written(grid), *targets]
                yield what, functools.partial(trial.threads, thread_ranks, ranks, options, what)
                continue
            launcher = next(launchers)
            what += f" under {next(Path(word).name for word in launcher if Path(word).name.startswith('mpi'))}"
            parallel = ",".join(written(grid))
            options = ["--shard", shard, "--parallel", parallel]
            yield what, functools.partial(trial.train, [*launcher, ranks], tool, what, *options)
        for per_machine, grid in [] if launchers else machines(ranks, trial.chunks):
            shard = next(shards)
            what = f"{ranks} threads, {per_machine} on each machine, shard {shard}, {' '.join(written(grid))}"
            options = [f"perhost={per_machine}", f"shard={shard}", *written(grid), *targets]
            yield what, functools.partial(trial.threads, thread_ranks, ranks, options, what)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    for name in ("tool", "thread_ranks"):
        parser.add_argument(name)
    for name in ("cases", "scratch"):
        parser.add_argument(name, type=Path)
    parser.add_argument("launchers", nargs="*")
    given = parser.parse_args()
    tool, thread_ranks, cases, scratch = given.tool, given.thread_ranks, given.cases, given.scratch
    # Each run has the next one.
    launchers = itertools.cycle([word.split() for word in given.launchers]) if given.launchers else None
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    draws(scratch / "draws")
    trials = [
        (Trial(cases, scratch, "lenet-digits", 5, batch_size=2, accumulate=16), (2, 3, 5, 7, 16), []),
        # Norms of tensors that are cut: blocks of sums travel.
        (
            Trial(
                cases, scratch, "bert-tiny", 2, chunks=2, accumulate=7, clip={"norm": 0.5}, optimizer={"kind": "LAMB"}
            ),
            (4,),
            [],
        ),
        # Running statistics. The first step is left out, since a gradient is infinite; the others are not.
        (
            Trial(
                cases,
                scratch,
                "resnet-tiny",
                3,
                chunks=2,
                accumulate=6,
                optimizer={"kind": "Adafactor"},
                precision={"compute": "f16", "loss_scale": "dynamic", "initial": 131072},
            ),
            (2, 5),
            [],
        ),
        (
            Trial(
                cases,
                scratch,
                "gpt2-tiny-dynamo",
                3,
                batch_size=2,
                chunks=2,
                accumulate=8,
                drop_last=True,
                ema={"decay": 0.9},
            ),
            (3, 8),
            [],
        ),
        (Trial(scratch, scratch / "runs", "draws", 4, batch_size=2, accumulate=7), (2, 5), []),
    ]
    if not launchers:
        # A model that is compiled quickly, since it is compiled for each target.
        lamb = {"clip": {"norm": 0.5}, "optimizer": {"kind": "LAMB"}}
        trial = Trial(cases, scratch, "lenet-digits", 2, batch_size=2, chunks=2, accumulate=7, **lamb)
        trials.append((trial, (4,), MIXED))
    wrong = total = 0
    shards = itertools.cycle(SHARDS)
    for number, (trial, numbers, targets) in enumerate(trials):
        if launchers:  # epochs end with evaluations
            trial.options = ["--eval-data", trial.folder / "data.safetensors"]
        alone = trial.train([], tool, "alone")
        runs = ways(trial, numbers, targets, launchers, tool, thread_ranks, shards)
        for what, run in itertools.islice(runs, number % given.every, None, given.every):
            same = run() == alone
            wrong += not same
            total += 1
            print(f"{trial.name}: {what}: {'the same' if same else 'WRONG: other bytes'}")
    print(f"{total - wrong} of {total} runs have the bytes of one machine")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
