#!/usr/bin/env python3
"""Bad input of ranks: one line, once, with the documented exit code, and nothing is written.

  rank_errors.py TOOL CASES BUILD SCRATCH LAUNCHER...

Each LAUNCHER is a command that takes a number of ranks and a program. Several commands are joined by its `:`. Prints a
line for each case; exit 1 where one fails.
"""

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ranks import Trial

# Stands for the output of a trial.
OUT = "OUT"


def main():
    tool, cases, build, scratch = sys.argv[1], *map(Path, sys.argv[2:5])
    launchers = [word.split() for word in sys.argv[5:]]
    shutil.rmtree(scratch, ignore_errors=True)
    trial = Trial(cases, scratch, "lenet-digits", 2, batch_size=2, accumulate=4)
    model, folder = trial.case / "model.onnx", trial.folder
    recipe = json.loads((folder / "recipe.json").read_text())
    (folder / "other.json").write_text(json.dumps(recipe | {"seed": 4}))
    (folder / "one.json").write_text(json.dumps(recipe | {"accumulate": 1}))
    # The loss of the first step is finite, its result is not.
    large = {"optimizer": {"kind": "SGD", "lr": 3e38, "weight_decay": 1e30, "momentum": 0.9}}
    (folder / "large.json").write_text(json.dumps(recipe | large))
    package = scratch / "lenet.gxe"
    words = [tool, "compile", model, "--recipe", folder / "recipe.json", "--target", "cpu", "-o", package, "--quiet"]
    trial.run(words, "compile")

    def train(*more, model=model, recipe="recipe.json", data="data.safetensors"):
        given = [] if model == package else ["--recipe", folder / recipe]
        return [tool, "train", model, *given, "--data", folder / data, "-o", OUT, "--quiet", *more]

    def parallel(text):
        return "--parallel", text

    def with_plugin(file):
        return ["env", f"GENSYN_MPI_PLUGIN={file}", *train()]

    resnet = cases / "resnet-tiny" / "model.onnx"
    wrong = build / "test" / "lib" / "Ranks" / "libgensyn-wrong-transport.so"
    rank = r"rank \d+ \(\S+\): "
    differs = r"rank 1 \(\S+\) has another {} than rank 0 \(\S+\)"
    trials = [
        ("too many ranks", [(5, train())], 2, rank + r".*recipe.json: 'accumulate' is 4, too few microbatches for 5"),
        ("a package", [(2, train(model=package))], 4, rank + r".*lenet.gxe: several ranks train on models"),
        ("unequal recipes", [(1, train()), (1, train(recipe="other.json"))], 3, rank + differs.format("recipe")),
        ("unequal steps", [(1, train()), (2, train("--steps", 1))], 3, rank + r"rank 1 \(\S+\) has other steps than"),
        (
            "unequal shards",
            [(1, train()), (2, train("--shard", "optimizer"))],
            3,
            rank + r"rank 1 \(\S+\) has another --",
        ),
        ("no shard", [(2, train("--shard", "half"))], 2, rank + "--shard: half not in "),
        (
            "unequal stages",
            [(1, train()), (1, train(*parallel("pipeline=2")))],
            3,
            rank + r"rank 1 \(\S+\) has another --shard or --parallel than rank 0",
        ),
        ("no pipeline", [(2, train(*parallel("stages=2")))], 2, rank + "--parallel: 'stages=2' is not of the form"),
        ("a pipeline twice", [(2, train(*parallel("pipeline=1,pipeline=2")))], 2, rank + "--parallel: 'pipeline=1,p"),
        ("no stages", [(2, train(*parallel("pipeline=0")))], 2, rank + "--parallel: 'pipeline=0' is not of the form"),
        ("no chunks", [(2, train(*parallel("pipeline=2,interleave=0")))], 2, rank + "--parallel: 'pipeline=2,interl"),
        (
            "chunks of one stage",
            [(2, train(*parallel("interleave=2")))],
            2,
            rank + "--parallel: interleave=2 needs pipeline=S, for an S of at least 2",
        ),
        (
            "unequal chunks",
            [(1, train(*parallel("pipeline=2"))), (1, train(*parallel("pipeline=2,interleave=2")))],
            3,
            rank + r"rank 1 \(\S+\) has another --shard or --parallel than rank 0",
        ),
        (
            "too many chunks",
            [(2, train(*parallel("pipeline=2,interleave=99")))],
            4,
            rank + ".* the step cannot be cut into 198 chunks, 99 for each of 2 stages: at most ",
        ),
        (
            "a rank too few",
            [(3, train(*parallel("pipeline=2")))],
            2,
            rank + "--parallel: groups of 2 need a multiple of 2 ranks, and there are 3",
        ),
        (
            "other groups",
            [(2, train(*parallel("data=3,pipeline=2")))],
            2,
            rank + "--parallel: 3 groups of 2 need 6 ranks, and there are 2",
        ),
        (
            "a pipeline of one microbatch",
            [(2, train(*parallel("pipeline=2"), recipe="one.json"))],
            2,
            rank + ".*one.json: 'accumulate' is 1, and ranks of --parallel need several microbatches",
        ),
        ("unequal models", [(1, train()), (1, train(model=resnet))], 3, rank + ".*" + differs.format("model")),
        ("no data", [(2, train()), (1, train(data="none.npz"))], 5, r"rank 2 \(\S+\): .*none.npz: cannot be opened"),
        ("usage", [(3, train("--stepz", 1))], 2, rank + "option '--stepz' is not known"),
        ("usage of one", [(1, train()), (1, train("--stepz", 1))], 2, r"rank 1 \(\S+\): option '--stepz' is not known"),
        ("no plug-in", [(3, with_plugin("/none.so"))], 4, rank + "'/none.so' cannot be loaded"),
        ("old plug-in", [(3, with_plugin(wrong))], 4, rank + r"\S*wrong-transport.so' has version 42, expected 1"),
        ("infer", [(2, [tool, "infer", model, "--inputs", "x", "--outputs", OUT])], 2, rank + "gensyn-run infer runs"),
        (
            "unequal intervals",
            [(1, train()), (1, train("--checkpoint-every", "3"))],
            3,
            rank + differs.format("--checkpoint-every") + r".*: 3.0 steps instead of 1.0 epochs",
        ),
        # Whichever rank has the tensor.
        *(
            (
                f"an infinity, {shard}",
                [(3, train("--steps", 1, "--shard", shard, recipe="large.json"))],
                3,
                r"rank 0 \(\S+\): 'conv1.bias' has an infinity after step 1",
            )
            for shard in ("none", "optimizer", "parameters")
        ),
        # The first rank prints its profile.
        ("profile", [(2, train("--steps", 1, "--profile"))], 0, r"^profile +\d+ runs"),
    ]

    def check(case):
        """Runs a trial, and returns the line about it."""
        number, launcher, (name, parts, code, line) = case
        words, place = list(launcher[:-1]), scratch / f"run{number}"
        for index, (ranks, program) in enumerate(parts):
            words += [":"] * (index > 0) + ["-n", ranks, *program]
        words = [str(place if word == OUT else word) for word in words]
        done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=100)
        errors = re.findall("^gensyn-run: error: (.*)", done.stderr, re.MULTILINE)
        if code:
            # A run that has begun leaves its log.
            left = [*place.glob("checkpoints/*"), *place.glob("*.safetensors")]
            begun = name.startswith("an infinity")
            good = len(errors) == 1 and re.match(line, errors[0]) and not left and place.exists() == begun
        else:
            good = len(re.findall(line, done.stdout, re.MULTILINE)) == 1
        good = good and done.returncode == code
        return f"{name}: {'good' if good else f'WRONG: exit {done.returncode}: {done.stdout}{done.stderr}'}"

    everything = [(launcher, trial) for launcher in launchers for trial in trials]
    # They wait most of the time.
    with ThreadPoolExecutor(4) as pool:
        lines = list(pool.map(check, [(number, *each) for number, each in enumerate(everything)]))
    print(*lines, sep="\n")
    wrong = sum("WRONG" in line for line in lines)
    print(f"{wrong} of {len(lines)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
