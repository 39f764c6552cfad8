"""Measures what a call of a program from Python costs: python_calls.py [CALLS]

PYTHONPATH has the package; onnx is needed. Prints the microseconds of a call, the least of 7 rounds, and how much the
memory of the process grows over 100,000 calls.
"""

import os
import sys
import tempfile
import time
import timeit

import gensyn
import numpy
from onnx import TensorProto, helper


def save(path, count):
    """y0 = x0 + x0, ...: as many inputs as outputs, of one element."""
    nodes = [helper.make_node("Add", [f"x{i}", f"x{i}"], [f"y{i}"]) for i in range(count)]
    inputs = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, [1]) for i in range(count)]
    outputs = [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, [1]) for i in range(count)]
    graph = helper.make_graph(nodes, "main", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    return path


def microseconds(call, calls):
    return min(timeit.repeat(call, number=calls, repeat=7)) / calls * 1e6


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        program = gensyn.compile(save(os.path.join(folder, "one.onnx"), 1), threads=1)
        print(f"compile             {(time.perf_counter() - start) * 1e3:8.1f} ms")
        x, double = numpy.ones(1, "float32"), numpy.ones(1)
        print(f"float32             {microseconds(lambda: program(x), calls):8.2f} us")
        print(f"by name             {microseconds(lambda: program(x0=x), calls):8.2f} us")
        print(f"float64, converted  {microseconds(lambda: program(double), calls):8.2f} us")
        try:
            import torch

            tensor = torch.ones(1)
            print(f"a PyTorch tensor    {microseconds(lambda: program(tensor), calls):8.2f} us")
        except ImportError:
            pass
        ten = gensyn.compile(save(os.path.join(folder, "ten.onnx"), 10), threads=1)
        print(f"10 inputs, outputs  {microseconds(lambda: ten(*[x] * 10), calls):8.2f} us")
        before = resident()
        for _ in range(100_000):
            program(x)
        print(f"memory of 100,000 calls {(resident() - before) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
