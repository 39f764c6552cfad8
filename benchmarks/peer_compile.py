#!/usr/bin/env python3
"""Time until the first training step is done, beside torch.compile, by turns in one run.

  peer_compile.py GENSYN_RUN [--cache FOLDER] [--models resnet50,gpt2-124m] [--batch 1] [--threads 2] [--rounds 2]

Ours is the time in which `gensyn-run bench` has the program and the time of its first step. Theirs is the time of the
first step with torch.compile in a new process, whose imports and model do not count. Both have empty caches the first
time and those of the first time the second time; the fastest of all rounds counts. Ends with 1 if ours takes longer.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peer_catalog import ALL
from peer_export import export
from peer_sides import Trained, bench_command


def theirs(name, batch, threads, folder):
    done = subprocess.run([sys.executable, __file__, "--step", name, str(batch), str(threads)], capture_output=True,
                          text=True, check=True, env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": folder})
    return float(done.stdout.splitlines()[-1])


def first_step(name, batch, threads):
    step = Trained(ALL[name], batch, threads, compiled=True, device="cpu")
    start = time.perf_counter()
    step.run()
    print(time.perf_counter() - start)


def ours(command, folder):
    done = subprocess.run([*command, "--cache", folder, "--warmup", "0", "--repeat", "1", "--json"],
                          capture_output=True, text=True, check=True)
    row = json.loads(done.stdout)
    return row["load_seconds"] + row["minimum"]


def measure(given, name):
    """Cold and cached seconds of both, the fastest of all rounds."""
    model = ALL[name]
    model.name = name
    file = export(name, model, given.cache, given.batch, "train")
    command = bench_command(given.tool, file, given.cache, "train", model, given.batch, given.threads, ())
    best = {}
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            for state in ("cold", "cached"):
                for side, seconds in (("ours", ours(command, one)),
                                      ("theirs", theirs(name, given.batch, given.threads, other))):
                    best[side, state] = min(best.get((side, state), seconds), seconds)
    return best


def main():
    if sys.argv[1:2] == ["--step"]:
        return first_step(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=Path)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "gensyn-peers")
    parser.add_argument("--models", type=lambda text: text.split(","), default=["resnet50", "gpt2-124m"])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    print(f"first training step, batch {given.batch}, {given.threads} threads, seconds\n\n"
          "| model | ours | torch.compile | ratio | ours, cached | torch.compile, cached | ratio |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    slow = False
    for name in given.models:
        best = measure(given, name)
        line = f"| {name} |"
        for state in ("cold", "cached"):
            mine, other = best["ours", state], best["theirs", state]
            slow |= mine > other
            line += f" {mine:.2f} | {other:.2f} | {other / mine:.1f} |"
        print(line, flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
