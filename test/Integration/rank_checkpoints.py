#!/usr/bin/env python3
"""Checkpoints that ranks write and read together have the bytes of one machine.

  rank_checkpoints.py TOOL CASES SCRATCH LAUNCHER...

Trains LeNet alone, and with 3 ranks for each --shard under the LAUNCHERs (commands that take a number of ranks and a
program) in turn: once all ranks see the run folder, once the second one has a folder of its own. Each run is stopped
and goes on with another number of ranks, another --shard and another --parallel. Prints a line for each way; exit 1
where a file has other bytes, or where a rank that sees the folder sends what it could write.
"""

import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

from ranks import CHECKPOINT, SHARDS, Trial

STEPS, STOP = 6, 4
# With the second rank's --output.
SEEN, UNSEEN = "all see the folder", "one does not see it"
# Of the run that goes on: ranks, --shard, --parallel.
LATER = [
    (2, "parameters", "pipeline=2,interleave=2"),
    (5, "none", "data=5"),
    (1, "none", "data=1"),
    (2, "optimizer", "tensor=2"),
]


class Runs:
    def __init__(self, tool, cases, scratch):
        self.tool, self.scratch = tool, scratch
        self.trial = Trial(cases, scratch, "lenet-digits", STEPS, batch_size=2, accumulate=8)
        self.elsewhere = scratch / "elsewhere"
        self.elsewhere.mkdir()

    def words(self, folder, steps, *options):
        return [
            *(self.tool, "train", self.trial.case / "model.onnx", "--recipe", self.trial.folder / "recipe.json"),
            *("--data", self.trial.folder / "data.safetensors", "--output", folder, "--steps", steps),
            *("--checkpoint-every", "2steps", "--json", *options),
        ]

    def run(self, words):
        """Returns the bytes that each rank has sent."""
        done = subprocess.run([*map(str, words)], check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
        rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return [rank["bytes_sent"] for row in rows if row["event"] == "ranks" for rank in row["ranks"]]

    def launch(self, launcher, ranks, folder, steps, *options, unseen=False):
        own = self.words(folder, steps, *options)
        if ranks == 1:
            return self.run(own)
        if not unseen:
            return self.run([*launcher, ranks, *own])
        other = self.words(self.elsewhere, steps, *options)
        return self.run([*launcher, 1, *own, ":", "-n", 1, *other, ":", "-n", ranks - 2, *own])


def files(folder, steps):
    found = {}
    for step in steps:
        for name in CHECKPOINT:
            found[f"step-{step}/{name}"] = (folder / "checkpoints" / f"step-{step}" / name).read_bytes()
    return found | {"parameters.safetensors": (folder / "parameters.safetensors").read_bytes()}


def differences(wanted, found):
    return [name for name in wanted if wanted[name] != found[name]]


def main():
    tool, cases, scratch = sys.argv[1:4]
    launchers = itertools.cycle([word.split() for word in sys.argv[4:]])
    scratch = Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    runs = Runs(tool, Path(cases), scratch)
    alone = []
    for steps in (STOP, STEPS):
        runs.run(runs.words(scratch / f"alone-{steps}", steps))
        alone.append(files(scratch / f"alone-{steps}", (steps - 2, steps)))
    wrong = 0
    for number, shard in enumerate(SHARDS):
        sent = {}
        launcher = next(launchers)
        for way in (SEEN, UNSEEN):
            folder = scratch / f"{shard}-{way}".replace(" ", "-")
            sent[way] = runs.launch(launcher, 3, folder, STOP, "--shard", shard, unseen=way == UNSEEN)
            first = differences(alone[0], files(folder, (STOP - 2, STOP)))
            ranks, other, parallel = LATER[(number + (way == UNSEEN)) % len(LATER)]
            options = ["--resume", "--shard", other, *(["--parallel", parallel] if ranks > 1 else [])]
            runs.launch(launcher, ranks, folder, STEPS, *options, unseen=way == UNSEEN and ranks > 2)
            second = differences(alone[1], files(folder, (STEPS - 2, STEPS)))
            left = [path.name for path in folder.iterdir() if path.name.startswith((".shared", ".step"))]
            verdict = f"WRONG: {first} {second} {left}" if first or second or left else "the same"
            wrong += verdict != "the same"
            print(f"{shard}, {way}; then {ranks} ranks, {other}, {parallel}: {verdict}")
        # Without a divided tensor nobody sends any.
        saved = sent[UNSEEN][1] - sent[SEEN][1]
        if (saved > 1000) != (shard != "none") or saved < 0 or list(runs.elsewhere.iterdir()):
            wrong += 1
            print(f"{shard}: WRONG: a rank sends {sent[SEEN]}, or {sent[UNSEEN]} where one does not see the folder")
    print("all files as of one machine" if not wrong else f"{wrong} WRONG")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
