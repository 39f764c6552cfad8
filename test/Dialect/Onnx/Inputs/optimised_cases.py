"""Every model under CASES through the passes of the onnx dialect: all types are static
then, and what comes back computes the same bits in onnxruntime.

    optimised_cases.py CASES WORK
"""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

PASSES = ["--onnx-infer-shapes", "--onnx-simplify", "--onnx-infer-shapes", "--cse", "--canonicalize"]
SIZE = 2  # of every symbolic dimension of an input


def run(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    # Fusions would see other graphs before and after.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    random = np.random.default_rng(7)
    feed = {}
    for i in session.get_inputs():
        shape = [d if isinstance(d, int) else SIZE for d in i.shape]
        is_float = i.type == "tensor(float)"
        feed[i.name] = (random.standard_normal(shape, dtype=np.float32) if is_float
                        else random.integers(0, 2, shape).astype(np.int64))
    return [o.tobytes() for o in session.run(None, feed)]


def passes(before, after, text):
    """Runs the passes; what is wrong, or nothing."""
    names = {d.dim_param for i in onnx.load(str(before), load_external_data=False).graph.input
             for d in i.type.tensor_type.shape.dim if d.dim_param}
    dims = [x for name in sorted(names) for x in ("--dim", f"{name}={SIZE}")]
    subprocess.run(["gensyn-translate", "--onnx-to-mlir", *dims, "--mlir-print-debuginfo", str(before),
                    "-o", str(text)], check=True)
    imported = text.rename(text.with_suffix(".imported"))  # an output is truncated before it is read
    subprocess.run(["gensyn-opt", *PASSES, "--mlir-print-debuginfo", str(imported), "-o", str(text)], check=True)
    if re.search(r"tensor<\?|x\?x|!onnx\.(unknown|seq)", text.read_text()):
        return "has a type that is not static"
    subprocess.run(["gensyn-translate", "--mlir-to-onnx", str(text), "-o", str(after)], check=True)
    onnx.checker.check_model(str(after), full_check=True)
    return None if run(before) == run(after) else "computes other bits"


def main():
    cases, work = Path(sys.argv[1]), Path(sys.argv[2])
    models, failures = sorted(cases.glob("*/model.onnx")), 0
    for before in models:
        name = before.parent.name
        fault = passes(before, work / f"{name}.onnx", work / f"{name}.mlir")
        if fault:
            failures += 1
            print(f"{name}: {fault}")
    print(f"{len(models) - failures} of {len(models)} models are static and keep their bits")
    return failures


if __name__ == "__main__":
    sys.exit(bool(main()))
