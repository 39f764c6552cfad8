"""Writes a model of nested modules and of more nodes than one picture has: blocks.py FILE."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

nodes, weights, before = [], [], "x"


def add(scope, operator, *more):
    global before
    number = len(nodes) + 1
    node = helper.make_node(operator, [before, *more], [f"v{number}"], name=f"node_{number}")
    entry = node.metadata_props.add()
    names = ["", *(".".join(scope[:depth + 1]) for depth in range(len(scope)))]
    entry.key, entry.value = "namespace", "/".join(f"{name}: Class" for name in [*names, "op"])
    nodes.append(node)
    before = node.output[0]


def weight(name, *shape):
    values = numpy.linspace(-1, 1, int(numpy.prod(shape)), dtype=numpy.float32).reshape(shape)
    weights.append(numpy_helper.from_array(values, name))
    return name


for stage in ("first", "second"):
    for block in "01":
        scope = [stage, block]
        add([*scope, "fc"], "MatMul", weight(".".join([*scope, "fc.weight"]), 8, 8))
        add([*scope, "act"], "Relu")
# An activation that is called twice.
add(["second", "1", "out"], "MatMul", weight("second.1.out.weight", 8, 8))
add(["second", "1", "act"], "Relu")
# A long chain without modules of its own.
for step in range(150):
    add(["tail"], "Tanh" if step % 2 else "Neg")
add(["head"], "MatMul", weight("head.weight", 8, 4))
graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 8])],
                          [helper.make_tensor_value_info(before, TensorProto.FLOAT, ["batch", 4])], weights)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), sys.argv[1])
