"""Writes models of PyTorch's newer exporter whose calls or operands were merged, with their notes, into a folder.

default_exports_calls.py FOLDER, where default_exports.py wrote its files
"""

import json
import pathlib
import sys

import numpy
from onnx import TensorProto, helper

from default_exports import OTHER, WEIGHT, Graph

NORM = "_native_batch_norm_legit_no_training"


def merged_calls(last, given, users=1):
    """linear(x, a) and linear(x, b) are one node, and b has another use; `users` read linear(x, a)."""
    g = Graph(["a", "b", "o"])
    g.store("a", WEIGHT)
    g.store("o", OTHER)
    g.call("linear", "", ["a"], [("Gemm", ["x", "a"], "linear", {"transB": 1})], users=users)
    g.call("tanh", "", [], [("Tanh", ["linear"], "tanh", {})], "linear")
    g.call("matmul", "", ["b"], [("MatMul", ["tanh", "a"], "matmul", {})], "tanh")
    g.call("add", "", [], [("Add", ["matmul", "linear"], "add", {})], "matmul, %" + given)
    g.call("linear", "", ["o"], [("Gemm", ["add", "o"], last, {"transB": 1})], "add")
    g.nodes[-1].output[0] = "y"
    return g


def statistics(merged):
    """A batch normalization whose statistics are like its scale and shift."""
    parameters, buffers = ["n.weight", "n.bias"], ["n.running_mean", "n.running_var"]
    g = Graph(parameters, buffers)
    for name, value in zip(parameters + ([] if merged else buffers), (1, 0, 0, 1)):
        g.store(name, numpy.full(4, value))
    read = ["n.weight", "n.bias", "n.bias", "n.weight"] if merged else parameters + buffers
    g.call(NORM, "n", parameters + buffers, [("BatchNormalization", ["x", *read], "y", {})])
    return g


def zeros_twice(merged):
    """Two calls of a layer whose zero bias was left out."""
    g = Graph(["l.weight", "l.bias"])
    g.store("l.weight", WEIGHT)
    if not merged:
        g.store("l.bias", numpy.zeros(4))
    for before, value in (("x", "linear"), ("linear", "y")):
        g.call("linear", "l", ["l.weight", "l.bias"],
               [("Gemm", [before, "l.weight"] + ([] if merged else ["l.bias"]), value, {"transB": 1})], before)
    return g


def unclear():
    """A choice between two tensors that are one, of which the second has another use."""
    g = Graph(["a", "b"])
    g.store("a", WEIGHT[0])
    g.nodes.append(helper.make_node("Cast", ["x"], ["mask"], to=TensorProto.BOOL))
    g.call("where", "", ["a", "b"], [("Where", ["mask", "a", "a"], "where", {})], "mask")
    g.call("mul", "", ["b"], [("Mul", ["where", "a"], "y", {})], "where")
    return g


def unnoted():
    """Two equal tensors, and a node without a call that reads one of them."""
    g = Graph(["a", "b"])
    g.store("a", WEIGHT[0])
    g.call("mul", "", ["a"], [("Mul", ["x", "a"], "mul", {})], "x")
    g.call("mul", "", ["b"], [("Mul", ["mul", "a"], "mul_1", {})], "mul")
    g.nodes.append(helper.make_node("Add", ["mul_1", "a"], ["y"], name="node_add"))
    return g


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, graph in (("calls-gone", merged_calls("linear_2", "linear_1")), ("calls-kept", merged_calls("linear_1", "linear", 2)),
                        ("calls-through", merged_calls("linear_2", "dropout")),
                        ("calls-dropout", merged_calls("linear_1", "dropout")), ("calls-users", merged_calls("linear_2", "dropout", 2)),
                        ("statistics", statistics(False)), ("statistics-merged", statistics(True)),
                        ("zeros", zeros_twice(False)), ("zeros-merged", zeros_twice(True)), ("unclear", unclear()),
                        ("unnoted", unnoted())):
        graph.save(folder / f"{name}.onnx")
    recipe = json.loads((folder / "recipe.json").read_text())
    (folder / "both.json").write_text(json.dumps(recipe | {"frozen": ["a", "b"]}))


if __name__ == "__main__":
    main()
