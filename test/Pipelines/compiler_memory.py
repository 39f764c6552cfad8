#!/usr/bin/env python3
"""Measures what a model's bytes take on the way to the compiler and back.

  compiler_memory.py TOOL FOLDER

The same Gather, with weights of 8 and of 72 MiB, runs on the reference. The larger of
gensyn-run and the compiler's process may keep three copies of the weights at once: the
message in shared memory, its parsed form, and the tensor that the interpreter reads.
"""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MIB = 1 << 20
SMALL, LARGE = 8, 72
# In a process of its own, whose children are only these.
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
sys.exit(done.returncode)
"""


def peak(tool, size):
    weight = np.zeros((size * MIB // 1024, 256), np.float32)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["w", "i"], ["y"])], "g",
        [helper.make_tensor_value_info("i", TensorProto.INT64, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 256])],
        [numpy_helper.from_array(weight, "w")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "gather.onnx")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, tool, "infer", "gather.onnx", "--inputs", "i.npz", "--outputs", "y.npz",
         "--backend", "reference"], stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout)


def main():
    tool = os.path.abspath(sys.argv[1]) if os.path.exists(sys.argv[1]) else sys.argv[1]
    os.makedirs(sys.argv[2])
    os.chdir(sys.argv[2])
    np.savez("i.npz", i=np.array([0, 1]))
    copies = (peak(tool, LARGE) - peak(tool, SMALL)) / ((LARGE - SMALL) * MIB)
    # Half a copy is room for what the allocators keep.
    print(f"{'at most' if copies < 3.5 else 'more than'} three copies of a weight ({copies:.1f})")


main()
