"""Trains as one process, or as one of several that a launcher started, and prints what all must have.

train_ranks.py EXAMPLES FOLDER [--shard WHAT] [--parallel NAME=COUNT...] [--wrong batches|end|script|call|none]
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import gensyn
import numpy
from tensor_files import read_tensors


def digest_of(state):
    """Of all tensors of a state, and its position but for seconds."""
    text = hashlib.sha256(state["position"].encode())
    for part in ("model", "optimizer"):
        for name, array in sorted(state[part].items()):
            text.update(name.encode() + numpy.ascontiguousarray(array).tobytes())
    return text.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shard", default="none")
    parser.add_argument("--parallel", nargs="*", default=[])
    parser.add_argument("--wrong", default="none")
    options = parser.parse_args()
    digits = options.examples / "digits"
    recipe = json.loads((digits / "recipe.json").read_text())
    recipe |= {"epochs": 2, "batch_size": 4, "accumulate": 6, "clip": {"norm": 1.0}}
    parallel = {name: int(count) for name, count in (word.split("=") for word in options.parallel)}
    rank = gensyn.rank()

    def make(**more):
        return gensyn.Trainer(digits / "lenet.onnx", recipe, threads=1, shard=options.shard, parallel=parallel, **more)

    train, test = read_tensors(digits / "train.safetensors"), read_tensors(digits / "test.safetensors")
    batches = [{name: array[24 * i : 24 * i + 24] for name, array in train.items()} for i in range(4)]
    if options.wrong == "batches" and rank == 1:
        batches[2] = batches[3]
    if options.wrong == "end" and rank == 1:
        batches.pop()
    trainer = make(folder=options.folder / "run", overwrite=True)
    if options.wrong == "script" and rank == 1:
        raise ValueError("no data here")
    if options.wrong == "call" and rank == 1:
        trainer.evaluate(test)
    if options.wrong != "none":
        trainer.fit(batches)
        return

    lines = []
    result = trainer.fit({name: array[:96] for name, array in train.items()}, test, epochs=1)
    lines.append(f"samples {result.steps} {result.digest} {result.history[-1]['loss']!r}")
    lines.append(f"batches {trainer.fit(batches, max_steps=7).digest}")
    lines.append(f"step {trainer.step(batches[0])!r} {trainer.steps}")
    lines.append(f"evaluation {trainer.evaluate(test)['eval_loss']!r}")
    state = trainer.state_dict()
    lines.append(f"state {digest_of(state)} {trainer.digest}")
    trainer.save(options.folder / "saved")
    lines.append(f"step {trainer.step(batches[1])!r}")
    again = trainer.digest
    trainer.load_state_dict(state)
    lines.append(f"again {trainer.step(batches[1])!r} {trainer.digest == again}")
    other = make()
    other.load(options.folder / "saved")
    lines.append(f"loaded {other.step(batches[1])!r} {other.digest == again}")
    (options.folder / f"lines-{rank}").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
