"""Writes a model with a branch, a loop with a flag, a counted loop and a large gradient, and a recipe with microbatches.

make_control.py FOLDER"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors import save

folder = Path(sys.argv[1])
random = np.random.default_rng(3)
# So many that the norm of the gradient is summed part by part.
CLASSES = 22000
FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def tensor(name, *shape):
    return numpy_helper.from_array((0.3 * random.standard_normal(shape)).astype(np.float32), name)


def value(name, kind=FLOAT, shape=()):
    return helper.make_tensor_value_info(name, kind, shape)


def constant(name, number):
    return numpy_helper.from_array(np.asarray(number), name)


# Doubles the largest input until it is more than 20: as often as the samples say.
double = helper.make_graph(
    [helper.make_node("Mul", ["a", "two"], ["twice"]), helper.make_node("Less", ["twice", "enough"], ["again"])],
    "double", [value("i", INT64), value("c", BOOL), value("a")], [value("again", BOOL), value("twice")])
# A recurrence that is long enough not to be written out.
turn = helper.make_graph(
    [helper.make_node("MatMul", ["h", "w"], ["hw"]), helper.make_node("Add", ["hw", "x"], ["sum"]),
     helper.make_node("Tanh", ["sum"], ["next"]), helper.make_node("Identity", ["d"], ["go"])],
    "turn", [value("j", INT64), value("d", BOOL), value("h", FLOAT, ("n", 12))],
    [value("go", BOOL), value("next", FLOAT, ("n", 12))])
branches = [
    helper.make_graph([helper.make_node(op, ["y"], [op])], op, [], [value(op, FLOAT, ("n", 12))])
    for op in ("Sigmoid", "Tanh")]
# Neither reads anything nor computes.
factors = [
    helper.make_graph([helper.make_node("Constant", [], [name], value=constant(name, np.float32([number] * 12)))], name, [],
                      [value(name, FLOAT, (12,))])
    for name, number in (("half", 0.5), ("third", 0.375))]
nodes = [
    helper.make_node("ReduceMax", ["x"], ["most"], keepdims=0),
    helper.make_node("Loop", ["limit", "yes", "most"], ["scale"], name="doubling", body=double),
    helper.make_node("Loop", ["turns", "yes", "x"], ["r"], name="recurrence", body=turn),
    helper.make_node("Div", ["r", "scale"], ["y"], name="divide"),
    helper.make_node("ReduceSum", ["x"], ["all"], keepdims=0),
    helper.make_node("Greater", ["all", "none"], ["positive"]),
    helper.make_node("If", ["positive"], ["z"], name="choice", then_branch=branches[0], else_branch=branches[1]),
    helper.make_node("If", ["positive"], ["factor"], name="factors", then_branch=factors[0], else_branch=factors[1]),
    helper.make_node("Mul", ["z", "factor"], ["scaled"], name="scaling"),
    helper.make_node("Gemm", ["scaled", "v", "b"], ["out"], name="last", transB=1),
]
graph = helper.make_graph(
    nodes, "control", [value("x", FLOAT, ("n", 12))], [value("out", FLOAT, ("n", CLASSES))],
    [tensor("w", 12, 12), tensor("v", CLASSES, 12), tensor("b", CLASSES), constant("two", np.float32(2)),
     constant("enough", np.float32(20)), constant("limit", np.int64(30)), constant("turns", np.int64(40)),
     constant("yes", True), constant("none", np.float32(0))])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.save(model, folder / "model.onnx")
recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": -1}, "optimizer": {"kind": "SGD", "lr": 0.1},
          "epochs": 2, "batch_size": 4, "seed": 5,
          "clip": {"norm": 1.0}, "frozen": ["two", "enough", "none"]}
(folder / "recipe.json").write_text(json.dumps(recipe))
(folder / "accumulate.json").write_text(json.dumps({**recipe, "accumulate": 3}))
save(folder / "data.safetensors", {"x": random.standard_normal((24, 12)).astype(np.float32),
                                   "target": random.integers(0, CLASSES, 24)})
