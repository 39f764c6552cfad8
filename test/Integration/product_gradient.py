"""Gradients of ReduceProd where factors are zero, on three targets: product_gradient.py GENSYN-RUN FOLDER.

The factors are small integers, so every product is exact, and the gradient must be the product of the other
factors, as PyTorch's is: with one zero in a row only it has a gradient, with two none has.
"""

import json
import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

run, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
generator = np.random.default_rng(3)
x = generator.integers(1, 4, (5, 2, 3, 2)).astype(np.float32) * generator.choice([-1, 1], (5, 2, 3, 2)).astype(np.float32)
x[1, 0, 1, 0] = 0  # one zero in a product
x[2, 0, 0, :] = 0  # one in each
x[3, :, 2, 1] = 0  # two
x[4] = 0
weight = np.arange(1, 11, dtype=np.float32).reshape(5, 2)

nodes = [
    helper.make_node("ReduceProd", ["x", "axes"], ["p"], keepdims=0),
    helper.make_node("Mul", ["p", "weight"], ["q"]),
    helper.make_node("ReduceSum", ["q"], ["loss"], keepdims=0),
]
graph = helper.make_graph(
    nodes, "product", [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
    [helper.make_tensor_value_info("loss", TensorProto.FLOAT, [])],
    [numpy_helper.from_array(np.array([1, 2], dtype=np.int64), "axes"), numpy_helper.from_array(weight, "weight")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
model.ir_version = 8
onnx.save(model, f"{folder}/model.onnx")
with open(f"{folder}/recipe.json", "w") as file:
    json.dump({"loss": {"kind": "graph_output", "output": "loss"}}, file)
header = json.dumps({"x": {"dtype": "F32", "shape": x.shape, "data_offsets": [0, x.nbytes]}}).encode()
with open(f"{folder}/x.safetensors", "wb") as file:
    file.write(len(header).to_bytes(8, "little") + header + x.tobytes())

want = np.zeros_like(x)
for place in np.ndindex(x.shape):
    row = x[place[0], :, :, place[3]].copy()
    row[place[1], place[2]] = 1
    want[place] = weight[place[0], place[3]] * np.prod(row)

for backend in ("reference", "cpu", "ptx-sim"):
    subprocess.run(
        [run, "grad", f"{folder}/model.onnx", "--recipe", f"{folder}/recipe.json", "--inputs", f"{folder}/x.safetensors",
         "--outputs", f"{folder}/{backend}.safetensors", "--backend", backend, "--no-cache", "--quiet"], check=True)
    with open(f"{folder}/{backend}.safetensors", "rb") as file:
        data = file.read()
    size = int.from_bytes(data[:8], "little")
    begin, end = json.loads(data[8:8 + size])["x"]["data_offsets"]
    got = np.frombuffer(data[8 + size + begin:8 + size + end], dtype=np.float32).reshape(x.shape)
    # A product with a zero may be -0.
    if not np.array_equal(got, want):
        sys.exit(f"{backend}: at {np.argwhere(got != want)[:4].tolist()}: {got[got != want][:4]}, not {want[got != want][:4]}")
    print(backend, "equal,", int(np.count_nonzero(want)), "of", want.size, "not zero")
