#!/usr/bin/env python3
"""Gives the tools models that were made to crash a compiler.

  hostile_models.py BIN FOLDER

BIN has gensyn-run, gensyn-translate and gensyn-opt. Each command must end within a
minute of processor time and 2 GiB: with exit code 0 where the model is in ACCEPTED, else
in one line `TOOL: error: FILE: ...` that names the node, and exit code 3, 4 or 6; where
info can read the model, it lists that as unsupported. gensyn-run compiles in a process
of its own; how that one ends is looked at too. Exit 1 otherwise.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from limits import seconds

# The error of each file that is refused.
EXPECTED = {
    "concat-empty-operand.onnx": "operand 'inputs' may not be absent",
    "conv-empty-weight.onnx": "operand 'W' is float32[0], expected rank 4, that of 'X'",
    "dequantize-axis.onnx": "operand 'x_zero_point' is int4[3], expected rank 0, that of 'x_scale'",
    "dequantize-blocked-zero-point.onnx":
        "operand 'x_zero_point' is uint8[1,3,3,2], expected the shape of 'x_scale', float32[1,2,3,2]",
    "dequantize-zero-point-rank.onnx":
        "operand 'x_zero_point' is int2[1,2,3,4], expected rank 0, that of 'x_scale'",
    "einsum-dots.onnx": "equation '..a->a' is not of terms with letters",
    "einsum-empty-operand.onnx": "operand 'Inputs' may not be absent",
    "function-constants.onnx": "more than 1048576 nodes",
    "gatherelements-scalar.onnx": "operand 'data' is float32[], expected rank 1 or more",
    "instancenormalization-scalar.onnx": "operand 'input' is float32[], expected rank 2 or more",
    "loss-scalar-labels.onnx": "operand 'labels' is int64[], expected rank 1, 1 less than that of 'scores'",
    "loss-scalar-scores.onnx": "operand 'scores' is float32[], expected rank 2 or more",
    "matmul-2e53.onnx": "walks over 9007199254740992 points, the most is 4503599627370496",
    "max-empty-middle.onnx": "operand 'data_0' may not be absent",
    "max-empty-operand.onnx": "operand 'data_0' may not be absent",
    "maxunpool-declared-scalar.onnx": "result 'output' is float32[], expected rank 4, that of 'X'",
    "mean-empty-operand.onnx": "operand 'data_0' may not be absent",
    "min-empty-operand.onnx": "operand 'data_0' may not be absent",
    "reduce-2e56.onnx": "float32[72057594037927936], expected at most 2^40 elements",
    "resize-2e50.onnx": "float32[1,1,33554432,33554432], expected at most 2^40 elements",
    "resize-table-5e6.onnx": "needs a table of 5000000 elements, the most is 4194304",
    "reversesequence-axis.onnx": "time_axis 63 is out of range for rank 2",
    "reversesequence-huge-axis.onnx": "time_axis -9223372036854775806 is out of range for rank 2",
    "reversesequence-huge-batch-axis.onnx": "batch_axis 6214700737338065467 is out of range for rank 2",
    "reversesequence-negative-axis.onnx": "time_axis -3 is out of range for rank 2",
    "scatternd-huge-tuples.onnx": "tuples of 2147483648 indices, expected at most 1",
    "scatternd-scalar.onnx": "operand 'data' is float32[], expected rank 1 or more",
    "split-declared-first-scalar.onnx": "result 'outputs' is float32[], expected rank 1, that of 'input'",
    "split-declared-scalar.onnx": "result 'outputs' is float32[], expected rank 1, that of 'input'",
    "split-unranked-output.onnx": "result 'outputs' is float32[], expected rank 1, that of 'input'",
    "sum-empty-operand.onnx": "operand 'data_0' may not be absent",
}
# Files whose error is about a size.
TOO_LARGE = {"function-constants.onnx", "matmul-2e53.onnx", "reduce-2e56.onnx", "resize-2e50.onnx",
             "resize-table-5e6.onnx"}
# These are valid: an operand of 2^31 elements, and tuples of no index, each of which means all of `data`.
ACCEPTED = {"averagepool-2e31.onnx", "scatternd-empty-tuples.onnx"}


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
    resource.setrlimit(resource.RLIMIT_CPU, (seconds(60), seconds(60) + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=seconds(600),
                          preexec_fn=limit, **more)


def complaint(command, path):
    """Nothing, or in words what is wrong with the way the command ended."""
    tool = Path(command[0]).name
    try:
        done = run(command)
    except subprocess.TimeoutExpired:
        return "does not end"
    lines, expected = done.stderr.splitlines(), EXPECTED.get(path.name)
    if done.returncode == 0 and "info" in command and expected:
        # Files that can be read, but not converted, are listed.
        listed = [line for line in done.stdout.splitlines() if line.startswith("unsupported ")]
        return None if len(listed) == 1 and expected in listed[0] else f"is accepted: {listed}"
    if path.name in TOO_LARGE and done.returncode != 6:
        return f"exit code {done.returncode}, expected 6"
    if done.returncode == 0:
        return "is accepted" if expected else None
    if path.name in ACCEPTED:
        return f"is refused: {lines[:1]}"
    if done.returncode not in (3, 4, 6):
        return f"exit code {done.returncode}: {done.stderr[-200:]}"
    if not lines or not lines[0].startswith(f"{tool}: error: ") or path.name not in lines[0]:
        return f"the first line is not an error that names the file: {lines[:1]}"
    if len(lines) > 2 or any(not line.startswith("note: ") for line in lines[1:]):
        return f"more than a line and a note: {lines}"
    if any(word in lines[0] for word in ("the compiler ran", "the compiler took", "the compiler stopped")):
        return f"ends the compiler: {lines[0]}"
    if expected and expected not in lines[0]:
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
    # Errors and exit code are MLIR's own here: 1, and more than one line.
    expected = (0,) if path.name in ACCEPTED else (0, 1)
    return None if done.returncode in expected else f"exit code {done.returncode}: {done.stderr[-200:]}"


def main():
    tools, folder = OPTIONS.tools, OPTIONS.folder
    run_tool, translate = tools / "gensyn-run", tools / "gensyn-translate"
    runs = failed = 0
    there, known = {path.name for path in folder.glob("*.onnx")}, EXPECTED.keys() | ACCEPTED
    for name in sorted(there ^ known):
        failed += 1
        print(f"{name}: " + ("there is no such file" if name in known else "is neither in EXPECTED nor in ACCEPTED"))
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
