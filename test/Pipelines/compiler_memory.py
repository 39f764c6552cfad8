#!/usr/bin/env python3
"""Measures what a model's bytes take on the way to the compiler and back.

  compiler_memory.py TOOL FOLDER

The same Gather runs with small weights and with large ones; the larger of gensyn-run and
the compiler's process is what is measured, and its growth is counted in copies of the
weights. On the reference three copies may be there at once: the message in shared memory,
its parsed form, and the tensor that the interpreter reads. On the CPU there is no
interpreter, and weights in a file of their own are mapped. Exit 1 where there are more.
"""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MIB = 1 << 20
# In a process of its own, so that its only children are these.
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
sys.exit(done.returncode)
"""
# Backend, location of the weights, MiB of the two sizes and the maximum of copies. Half a copy of the first is room for
# what allocators keep. On the CPU 1.4 to 1.6 copies were measured of weights in the file, and less than one of external
# data; one copy more exceeds either.
RUNS = [("reference", "embedded", 8, 72, 3.5), ("cpu", "embedded", 16, 272, 1.8), ("cpu", "external", 16, 272, 1.3)]


def peak(tool, backend, place, size):
    weight = np.zeros((size * MIB // 1024, 256), np.float32)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["w", "i"], ["y"])], "g",
        [helper.make_tensor_value_info("i", TensorProto.INT64, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 256])],
        [numpy_helper.from_array(weight, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    for name in ("gather.onnx", "gather.data"):
        if os.path.exists(name):
            os.remove(name)
    onnx.save(model, "gather.onnx", save_as_external_data=place == "external", location="gather.data")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, tool, "infer", "gather.onnx", "--inputs", "i.npz", "--outputs", "y.npz",
         "--backend", backend], stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout)


def main():
    tool = os.path.abspath(sys.argv[1]) if os.path.exists(sys.argv[1]) else sys.argv[1]
    os.makedirs(sys.argv[2])
    os.chdir(sys.argv[2])
    np.savez("i.npz", i=np.array([0, 1]))
    good = 0
    for backend, place, small, large, most in RUNS:
        copies = (peak(tool, backend, place, large) - peak(tool, backend, place, small)) / ((large - small) * MIB)
        good += copies < most
        print(f"{backend}, {place}: {copies:.2f} copies of a weight, {'less' if copies < most else 'and not less'} than {most}")
    print(f"{good} of {len(RUNS)} runs have no more copies of a weight than they need")
    return good != len(RUNS)


if __name__ == "__main__":
    sys.exit(main())
