"""Writes a model of strange names, and one without nodes: strange.py NAMES EMPTY."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

NAMES = ["</script><script>throw 1</script>", "'\"><b onclick=\"throw 2\">", "two\nlines\t\u202e\x1b[31m", "n" * 10000,
         "/" + "a/" * 3000 + "Relu", ".".join("b" * 3000), "__proto__", "constructor", "\u2028 ${throw 3}"]


def save(path, nodes, before, weights):
    port = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 4]) for name in ("x", before)]
    graph = helper.make_graph(nodes, "g", port[:1], port[1:], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)


nodes, weights, before = [], [], "x"
for number, name in enumerate(NAMES):
    weights.append(numpy_helper.from_array(numpy.ones((4, 4), "float32"), name + ".w"))
    nodes.append(helper.make_node("MatMul", [before, name + ".w"], [f"m{number}"], name=name))
    nodes.append(helper.make_node("Tanh", [f"m{number}"], [f"v{number}"], name=name + " again"))
    before = f"v{number}"
save(sys.argv[1], nodes, before, weights)
save(sys.argv[2], [], "x", [])
