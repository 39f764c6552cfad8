#!/usr/bin/env python3
"""Ranks that train together, in every combination: the long form of ranks.test.

  ranks_series.py BUILD CASES SCRATCH [PART...] [--launcher COMMAND]...

A PART is one of these; by default all:

- models: three models on 1 to 16 ranks, with each --shard, on one machine and as if on several, and with ranks
  of two instruction sets;
- optimizers: the same on one instruction set for each optimizer of recipes, with a clipped norm;
- parallel: pipelines, interleaved ones, and tensors that are divided, with each --shard;
- steps: two models for two hundred steps;
- mpi: processes under each --launcher (a command that takes a number of ranks and a program), each with one thread and
  with two.

Each run must have the bytes of one process: parameters, optimizer state, state.json, and the log but for seconds.
Prints the runs that have others, and how many have the same; exit 1 where one fails. It takes ten minutes, so
`make check-ranks` runs it and `make check` does not.
"""

import argparse
import shutil
import sys
import time
from pathlib import Path

from ranks import SHARDS, WHOLE, Trial, written

NUMBERS = (1, 2, 3, 4, 5, 7, 8, 16)
OPTIMIZERS = "SGD Adam AdamW Adamax NAdam RAdam RMSprop Adagrad Adadelta Adafactor ASGD Rprop Lion LAMB Muon"
# Ranks, and how they divide a microbatch: (stages, chunks of each, tensors).
GRIDS = ((2, (1, 1, 2)), (2, (2, 1, 1)), (4, (4, 1, 1)), (4, (1, 1, 2)), (4, (2, 2, 1)), (6, (2, 1, 3)))
CLIP = {"norm": 0.5}


class Series:
    def __init__(self, build, cases, scratch, launchers):
        self.tool, self.thread_ranks = build / "bin" / "gensyn-run", build / "bin" / "gensyn-thread-ranks"
        self.cases, self.scratch, self.launchers = cases, scratch, launchers
        self.same = self.total = 0
        # Of this processor; the second takes part where it can.
        self.targets = [name for name in ("cpu:x86-64-v3", "cpu:x86-64-v4") if self.runs(name)]

    def runs(self, target):
        flags = Path("/proc/cpuinfo").read_text()
        return {"cpu:x86-64-v3": " avx2 ", "cpu:x86-64-v4": " avx512vl "}[target] in flags

    def trial(self, name, steps, label="", **recipe):
        return Trial(self.cases, self.scratch / f"{name}{label}", name, steps, **recipe)

    def compare(self, trial, wanted, what, got):
        self.total += 1
        self.same += got == wanted
        if got != wanted:
            print(f"{trial.name}: {what}: WRONG: other bytes", flush=True)

    def threads(self, trial, wanted, ranks, *words):
        what = " ".join(map(str, (ranks, "threads", *words)))
        self.compare(trial, wanted, what, trial.threads(self.thread_ranks, ranks, words, what))

    def islands(self, ranks):
        """Ranks on each of several machines."""
        return [count for count in (2, 4) if ranks % count == 0 and ranks > count]

    def spread(self, trial, targets):
        """All numbers of ranks with each --shard, which alternate between targets; and on several machines."""
        wanted = trial.train([], self.tool, "alone")
        for ranks in NUMBERS:
            for shard in SHARDS:
                self.threads(trial, wanted, ranks, f"shard={shard}", *targets)
                for count in self.islands(ranks):
                    self.threads(trial, wanted, ranks, f"shard={shard}", f"perhost={count}", *targets)

    def models(self):
        self.spread(self.trial("lenet-digits", 5, batch_size=2, accumulate=16), self.targets)
        self.spread(self.trial("gpt2-tiny-dynamo", 3, batch_size=1, accumulate=16, clip=CLIP), self.targets)
        self.spread(self.trial("resnet-tiny", 2, accumulate=16), self.targets)

    def optimizers(self):
        for kind in OPTIMIZERS.split():
            optimizer = {"kind": kind}
            if kind == "Muon":  # of matrices
                optimizer = {"kind": "AdamW", "groups": [{"match": "fc*.weight", "kind": "Muon"}]}
            trial = self.trial(
                "lenet-digits", 3, f"-{kind}", batch_size=1, accumulate=16, optimizer=optimizer, clip=CLIP
            )
            self.spread(trial, ())

    def parallel(self):
        trials = [
            self.trial("gpt2-tiny-dynamo", 3, batch_size=2, chunks=2, accumulate=8, clip=CLIP),
            self.trial("llama-tiny", 3, chunks=2, accumulate=4, clip=CLIP),
        ]
        for trial in trials:
            wanted = trial.train([], self.tool, "alone")
            for ranks, grid in GRIDS:
                for shard in SHARDS:
                    self.threads(trial, wanted, ranks, f"shard={shard}", *written(grid))

    def steps(self):
        epochs = {"epochs": 400}
        trials = [
            self.trial("lenet-digits", 200, "-long", batch_size=2, accumulate=16, **epochs),
            self.trial("gpt2-tiny-dynamo", 200, "-long", batch_size=2, accumulate=8, **epochs),
        ]
        for trial in trials:
            wanted = trial.train([], self.tool, "alone")
            for ranks, shard, grid in (
                (3, "none", WHOLE),
                (8, "parameters", WHOLE),
                (7, "gradients", WHOLE),
                (4, "optimizer", (2, 1, 2)),
            ):
                self.threads(trial, wanted, ranks, f"shard={shard}", *written(grid))

    def mpi(self):
        trial = self.trial("lenet-digits", 5, "-mpi", batch_size=2, accumulate=16)
        wanted = trial.train([], self.tool, "alone")
        for launcher in self.launchers:
            for ranks in NUMBERS:
                for threads in (1, 2):
                    what = f"{ranks} processes of {threads} threads under {launcher[0]}"
                    words = ["--threads", threads, "--shard", SHARDS[ranks % len(SHARDS)]]
                    self.compare(trial, wanted, what, trial.train([*launcher, ranks], self.tool, what, *words))


PARTS = ("models", "optimizers", "parallel", "steps", "mpi")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("cases", type=Path)
    parser.add_argument("scratch", type=Path)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--launcher", action="append", default=[], type=str.split)
    arguments = parser.parse_args()
    parts = arguments.parts or [part for part in PARTS if part != "mpi" or arguments.launcher]
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"unknown part '{unknown[0]}'; the parts are {', '.join(PARTS)}")
    if "mpi" in parts and not arguments.launcher:
        parser.error("part 'mpi' needs a --launcher")
    shutil.rmtree(arguments.scratch, ignore_errors=True)
    arguments.scratch.mkdir(parents=True)
    series = Series(arguments.build.resolve(), arguments.cases, arguments.scratch, arguments.launcher)
    for part in parts:
        since, before = time.monotonic(), (series.same, series.total)
        getattr(series, part)()
        same, total = series.same - before[0], series.total - before[1]
        print(
            f"{part:12} {same} of {total} runs have the bytes of one process, {time.monotonic() - since:.0f} s",
            flush=True,
        )
    return 0 if 0 < series.total == series.same else 1


if __name__ == "__main__":
    sys.exit(main())
