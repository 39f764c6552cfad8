"""Writes a model with dropout and a frozen tensor, a recipe with Adam and a schedule of epochs, and data.

make_dropout.py FOLDER"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors import save

folder = Path(sys.argv[1])
random = np.random.default_rng(1)


def tensor(name, *shape):
    return numpy_helper.from_array((0.3 * random.standard_normal(shape)).astype(np.float32), name)


nodes = [
    helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], name="first", transB=1),
    helper.make_node("Relu", ["h"], ["r"], name="relu"),
    helper.make_node("Dropout", ["r", "ratio", "training"], ["d"], name="dropout"),
    helper.make_node("Gemm", ["d", "w2", "b2"], ["y"], name="second", transB=1),
]
graph = helper.make_graph(
    nodes, "dropout", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 40])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 10])],
    [tensor("w1", 300, 40), tensor("b1", 300), tensor("w2", 10, 300), tensor("b2", 10),
     numpy_helper.from_array(np.float32(0.25), "ratio"), numpy_helper.from_array(np.bool_(True), "training")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "model.onnx")
recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": -1}, "optimizer": {"kind": "Adam", "lr": 0.01},
          "epochs": 2, "batch_size": 16, "shuffle": True, "seed": 5, "frozen": ["b1"], "clip": {"norm": 1.0},
          "schedule": {"kind": "step", "step_size": 1, "gamma": 0.5, "interval": "epoch"}}
(folder / "recipe.json").write_text(json.dumps(recipe))
data = {"x": random.standard_normal((72, 40)).astype(np.float32), "target": random.integers(0, 10, 72).astype(np.int64)}
save(folder / "data.safetensors", data)
data["x"][70, 3] += 1
save(folder / "other.safetensors", data)
