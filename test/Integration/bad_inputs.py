#!/usr/bin/env python3
"""Gives gensyn-run every malformed file, in every command that reads such a file.

  bad_inputs.py TOOL FOLDER

Each run must end within a minute with exit code 3 (bad model or data), 4
(unsupported) or 5 (cannot be read), say so in one line `gensyn-run: error: FILE:
...` with at most one `note:` after it, and leave nothing behind. Exit 1 otherwise.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from limits import seconds

GOOD = {"ok.onnx", "unsorted.onnx"}  # the nodes of the second one are only out of order
LISTED = {"unknown-op.onnx", "unknown-domain.onnx"}  # errors that `info` reports as its result
RECIPE = {"loss": {"kind": "mse", "prediction": "y", "target": "target"}, "optimizer": {"kind": "SGD", "lr": 0.1},
          "epochs": 1, "batch_size": 1}


def complaint(command, path, scratch):
    """Nothing, or in words what is wrong with the way the tool ended."""
    before = set(scratch.rglob("*"))
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds(60))
    except subprocess.TimeoutExpired:
        return "does not end"
    lines = done.stderr.splitlines()
    if done.returncode not in (3, 4, 5):
        return f"exit code {done.returncode}: {done.stderr[-200:]}"
    if not lines or not lines[0].startswith("gensyn-run: error: ") or path.name not in lines[0]:
        return f"the first line is not an error that names the file: {lines[:1]}"
    if len(lines) > 2 or any(not line.startswith("note: ") for line in lines[1:]):
        return f"more than a line and a note: {lines}"
    if done.stdout:
        return f"writes to stdout: {done.stdout[:80]}"
    if left := set(scratch.rglob("*")) - before:
        return f"leaves {sorted(str(p) for p in left)}"
    return None


def commands(tool, model, data, recipe, scratch):
    """What reads a model and data, each with its results in a folder that is not there yet."""
    out = scratch / "out"
    yield "infer", [tool, "infer", model, "--inputs", data, "--outputs", out]
    yield "grad", [tool, "grad", model, "--recipe", recipe, "--inputs", data, "--outputs", out]
    yield "train", [tool, "train", model, "--recipe", recipe, "--data", data, "-o", out]


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    runs = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        recipe = scratch / "recipe.json"
        recipe.write_text(json.dumps(RECIPE))
        cases = []
        for model in sorted(folder.glob("*.onnx")):
            if model.name in GOOD:
                continue
            cases += [(model, *c) for c in commands(tool, model, folder / "ok.safetensors", recipe, scratch)]
            if model.name not in LISTED:
                cases.append((model, "info", [tool, "info", model]))
        for data in sorted(folder.glob("st-*.safetensors")):
            cases += [(data, *c) for c in commands(tool, folder / "ok.onnx", data, recipe, scratch)]
        for path, name, command in cases:
            runs += 1
            if wrong := complaint([str(word) for word in command], path, scratch):
                failed += 1
                print(f"{name} {path.name}: {wrong}")
    print(f"{runs - failed} of {runs} runs end as they should")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
