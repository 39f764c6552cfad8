#!/usr/bin/env python3
"""Gives gensyn-run models that were made to crash a compiler.

  hostile_models.py TOOL FOLDER

Each command must end within a minute and 2 GiB: with exit code 0, or in one line
`gensyn-run: error: FILE: ...` and exit code 3, 4 or 6, whatever becomes of the
compiler's process. Exit 1 otherwise.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

# What is said of a file, where it matters which of the errors it is.
EXPECTED = {
    "max-empty-operand.onnx": "operand 'data_0' may not be absent",
    "einsum-dots.onnx": "equation '..a->a' is not of terms with letters",
    "reduce-2e56.onnx": "float32[72057594037927936], expected at most 2^40 elements",
    "resize-2e50.onnx": "float32[1,1,33554432,33554432], expected at most 2^40 elements",
}


def complaint(command, path):
    """Nothing, or in words what is wrong with the way the tool ended."""
    try:
        done = subprocess.run([*command, "--compiler-memory", "2G"], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "does not end"
    lines = done.stderr.splitlines()
    if done.returncode == 0:
        return None if path.name not in EXPECTED or "info" in command else "is accepted"
    if done.returncode not in (3, 4, 6):
        return f"exit code {done.returncode}: {done.stderr[-200:]}"
    if not lines or not lines[0].startswith("gensyn-run: error: ") or path.name not in lines[0]:
        return f"the first line is not an error that names the file: {lines[:1]}"
    if len(lines) > 2 or any(not line.startswith("note: ") for line in lines[1:]):
        return f"more than a line and a note: {lines}"
    if any(word in lines[0] for word in ("the compiler ran", "the compiler took")):
        return f"ends the compiler: {lines[0]}"
    if (expected := EXPECTED.get(path.name)) and expected not in lines[0]:
        return f"another error than expected: {lines[0]}"
    return None


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    runs = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        for path in sorted(folder.glob("*.onnx")):
            for command in ([tool, "info", path],
                            [tool, "compile", path, "--target", "reference", "-o", out],
                            [tool, "compile", path, "--target", "cpu", "--no-cache", "-o", out]):
                runs += 1
                if text := complaint(command, path):
                    failed += 1
                    print(f"{' '.join(map(str, command[1:5]))}: {text}")
    print(f"{runs - failed} of {runs} runs end as they should")
    return 1 if failed or not runs else 0


sys.exit(main())
