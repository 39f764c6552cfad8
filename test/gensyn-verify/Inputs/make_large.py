"""Writes a small model whose samples have 1 MiB each, a recipe, and 1,100 samples, mostly zeros that take no disk:
make_large.py FOLDER"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = Path(sys.argv[1])
SAMPLES, WIDTH, USED = 1100, 1 << 18, 8
random = np.random.default_rng(1)
weight = numpy_helper.from_array(random.standard_normal((3, USED)).astype(np.float32), "w")
ends = [numpy_helper.from_array(np.int64([at]), name) for name, at in (("begin", 0), ("end", USED), ("axis", 1))]
graph = helper.make_graph(
    [helper.make_node("Slice", ["x", "begin", "end", "axis"], ["part"]),
     helper.make_node("Gemm", ["part", "w"], ["y"], name="last", transB=1)],
    "large", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", WIDTH])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])], [weight, *ends])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "model.onnx")
recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": -1}, "optimizer": {"kind": "SGD", "lr": 0.1},
          "epochs": 1, "batch_size": 4, "shuffle": True, "seed": 5}
(folder / "recipe.json").write_text(json.dumps(recipe))
size = SAMPLES * WIDTH * 4
header = json.dumps({
    "x": {"dtype": "F32", "shape": [SAMPLES, WIDTH], "data_offsets": [0, size]},
    "target": {"dtype": "I64", "shape": [SAMPLES], "data_offsets": [size, size + 8 * SAMPLES]}}).encode()
header += b" " * (-len(header) % 8)
with open(folder / "data.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header)
    start = file.tell()
    for sample in range(SAMPLES):
        file.seek(start + sample * WIDTH * 4)
        file.write(random.standard_normal(USED).astype(np.float32).tobytes())
    file.truncate(start + size + 8 * SAMPLES)
