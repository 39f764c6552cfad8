"""Writes a model whose nodes name their modules as PyTorch's exporter does: layer_scopes.py FILE."""

import sys

import onnx
from onnx import TensorProto, helper


def value(name, kind=TensorProto.FLOAT, shape=(2,)):
    return helper.make_tensor_value_info(name, kind, shape)


def within(node, *modules):
    entry = node.metadata_props.add()
    entry.key, entry.value = "namespace", "/".join(modules)
    return node


def branch(operator):
    return helper.make_graph([helper.make_node(operator, ["va"], [f"inner{operator}"])], operator, [],
                             [value(f"inner{operator}")])


nodes = [
    within(helper.make_node("Relu", ["x"], ["va"], name="a"),
           ": Net", "layer1: torch.nn.Sequential", "layer1.0: Block", "layer1.0.conv: Conv", "relu: aten.relu.default"),
    # The exporter's name for no module.
    within(helper.make_node("Neg", ["va"], ["vb"], name="b"), "_empty_nn_module_stack: none", "neg: aten.neg"),
    within(helper.make_node("Add", ["va", "vb"], ["vc"], name="c"), "other: Other", "add: aten.add"),
    within(helper.make_node("If", ["flag"], ["inner"], name="branch", then_branch=branch("Exp"),
                            else_branch=branch("Abs")), "alone"),
    helper.make_node("Mul", ["inner", "vc"], ["y"], name="d"),
]
graph = helper.make_graph(nodes, "g", [value("x"), value("flag", TensorProto.BOOL, ())], [value("y")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), sys.argv[1])
