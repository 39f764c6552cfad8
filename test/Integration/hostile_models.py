#!/usr/bin/env python3
"""Gives the tools models that were made to crash a compiler.

  hostile_models.py BIN FOLDER

BIN has gensyn-run, gensyn-translate and gensyn-opt. Each command must end within a
minute and 2 GiB: with exit code 0, or in one line `TOOL: error: FILE: ...` that names
the node, and exit code 3, 4 or 6. gensyn-run compiles in a process of its own; how that
one ends is looked at too. Exit 1 otherwise.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from limits import seconds

# What is said of a file, where it matters which of the errors it is.
EXPECTED = {
    "conv-empty-weight.onnx": "operand 'W' is float32[0], expected rank 4, that of 'X'",
    "dequantize-axis.onnx": "operand 'x_zero_point' is int4[3], expected rank 0, that of 'x_scale'",
    "function-constants.onnx": "more than 1048576 nodes",
    "gatherelements-scalar.onnx": "operand 'data' is float32[], expected rank 1 or more",
    "loss-scalar-labels.onnx": "operand 'labels' is int64[], expected rank 1, 1 less than that of 'scores'",
    "max-empty-operand.onnx": "operand 'data_0' may not be absent",
    "maxunpool-declared-scalar.onnx": "result 'output' is float32[], expected rank 4, that of 'X'",
    "einsum-dots.onnx": "equation '..a->a' is not of terms with letters",
    "reduce-2e56.onnx": "float32[72057594037927936], expected at most 2^40 elements",
    "resize-2e50.onnx": "float32[1,1,33554432,33554432], expected at most 2^40 elements",
    "reversesequence-axis.onnx": "time_axis 63 is out of range for rank 2",
    "scatternd-huge-tuples.onnx": "tuples of 2147483648 indices, expected at most 1",
}
# Whose error is one of sizes.
TOO_LARGE = {"function-constants.onnx", "reduce-2e56.onnx", "resize-2e50.onnx"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--memory", type=int, default=2048, help="MiB that a process may take; 0 for any number")
    return parser.parse_args()


OPTIONS = parse_arguments()


def limit():
    if OPTIONS.memory:
        resource.setrlimit(resource.RLIMIT_DATA, (OPTIONS.memory << 20, OPTIONS.memory << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=seconds(60),
                          preexec_fn=limit, **more)


def complaint(command, path):
    """Nothing, or in words what is wrong with the way the command ended."""
    tool = Path(command[0]).name
    try:
        done = run(command)
    except subprocess.TimeoutExpired:
        return "does not end"
    if path.name in TOO_LARGE and done.returncode != 6:
        return f"exit code {done.returncode}, expected 6"
    lines = done.stderr.splitlines()
    if done.returncode == 0:
        return None if path.name not in EXPECTED or "info" in command else "is accepted"
    if done.returncode not in (3, 4, 6):
        return f"exit code {done.returncode}: {done.stderr[-200:]}"
    if not lines or not lines[0].startswith(f"{tool}: error: ") or path.name not in lines[0]:
        return f"the first line is not an error that names the file: {lines[:1]}"
    if len(lines) > 2 or any(not line.startswith("note: ") for line in lines[1:]):
        return f"more than a line and a note: {lines}"
    if any(word in lines[0] for word in ("the compiler ran", "the compiler took", "the compiler stopped")):
        return f"ends the compiler: {lines[0]}"
    if (expected := EXPECTED.get(path.name)) and expected not in lines[0]:
        return f"another error than expected: {lines[0]}"
    return None


def converted(tools, path, scratch):
    """The same for the passes alone, on the text of what can be imported."""
    text = scratch / "model.mlir"
    try:
        if run([tools / "gensyn-translate", "--onnx-to-mlir", path, "-o", text]).returncode:
            return None  # the command that writes PTX says why
        done = run([tools / "gensyn-opt", "--gensyn-onnx-pipeline", text, "-o", scratch / "out.mlir"])
    except subprocess.TimeoutExpired:
        return "does not end"
    # Errors and exit code are MLIR's own here: 1, and more than a line.
    return None if done.returncode in (0, 1) else f"exit code {done.returncode}: {done.stderr[-200:]}"


def main():
    tools, folder = OPTIONS.tools, OPTIONS.folder
    run_tool, translate = tools / "gensyn-run", tools / "gensyn-translate"
    runs = failed = 0
    for name in sorted((EXPECTED.keys() | TOO_LARGE) - {path.name for path in folder.glob("*.onnx")}):
        failed += 1
        print(f"{name}: there is no such file")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        out = scratch / "out"
        for path in sorted(folder.glob("*.onnx")):
            commands = [[run_tool, "info", path, "--compiler-memory", "2G"],
                        [run_tool, "compile", path, "--target", "reference", "-o", out],
                        [run_tool, "compile", path, "--target", "cpu", "--no-cache", "-o", out],
                        [translate, "--onnx-to-ptx", "--sm=90", path, "-o", out]]
            texts = [(command[1], complaint(command, path)) for command in commands]
            texts.append(("passes", converted(tools, path, scratch)))
            for what, text in texts:
                runs += 1
                if text:
                    failed += 1
                    print(f"{path.name}: {what}: {text}")
    print(f"{runs - failed} of {runs} runs end as they should")
    return 1 if failed or not runs else 0


sys.exit(main())
