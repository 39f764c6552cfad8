"""Writes what compare-replay.test trains on: replay_inputs.py FOLDER.

dropout.onnx has two dropouts in training mode, narrow.onnx the same nodes with another ratio of the second one;
data.safetensors has 12 samples, other.safetensors another sixth one. A second use flips a bit near the end of a file:
replay_inputs.py flip FILE.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def write_model(path, ratio):
    random = np.random.default_rng(3)
    tensors = {"w1": random.normal(size=(6, 8)), "b1": random.normal(size=8), "w2": random.normal(size=(8, 3)),
               "b2": random.normal(size=3)}
    initializers = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in tensors.items()]
    initializers += [numpy_helper.from_array(np.float32(value), name)
                     for name, value in {"low": 0.25, "high": ratio}.items()]
    initializers.append(numpy_helper.from_array(np.array(True), "train"))
    nodes = [helper.make_node("Dropout", ["x", "low", "train"], ["x1"], "drop1"),
             helper.make_node("Gemm", ["x1", "w1", "b1"], ["h"], "fc1"),
             helper.make_node("Relu", ["h"], ["a"], "relu"),
             helper.make_node("Dropout", ["a", "high", "train"], ["d"], "drop2"),
             helper.make_node("Gemm", ["d", "w2", "b2"], ["y"], "fc2")]
    of = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "dropout", [of("x", TensorProto.FLOAT, ["batch", 6])],
                              [of("y", TensorProto.FLOAT, ["batch", 3])], initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), path)


def write_tensors(path, tensors):
    header, body = {}, b""
    for name, values in tensors.items():
        kind = {"float32": "F32", "int64": "I64"}[str(values.dtype)]
        end = len(body) + values.nbytes
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [len(body), end]}
        body += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def flip(path):
    data = bytearray(path.read_bytes())
    data[-3] ^= 4
    path.write_bytes(data)


if sys.argv[1] == "flip":
    flip(Path(sys.argv[2]))
    sys.exit()
folder = Path(sys.argv[1])
write_model(folder / "dropout.onnx", 0.5)
write_model(folder / "narrow.onnx", 0.75)
x = np.random.default_rng(5).normal(size=(12, 6)).astype(np.float32)
target = np.arange(12, dtype=np.int64) % 3
write_tensors(folder / "data.safetensors", {"x": x, "target": target})
x[5, 2] += 1
write_tensors(folder / "other.safetensors", {"x": x, "target": target})
