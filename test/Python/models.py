"""Small ONNX models for the tests of the Python package."""

import numpy
from onnx import TensorProto, helper, numpy_helper


def save(path, nodes, inputs, outputs, initializers=()):
    """Writes a model; inputs and outputs are (name, type, shape)."""
    graph = helper.make_graph(
        nodes,
        "main",
        [helper.make_tensor_value_info(*each) for each in inputs],
        [helper.make_tensor_value_info(*each) for each in outputs],
        [numpy_helper.from_array(array, name) for name, array in initializers],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    path.write_bytes(model.SerializeToString())
    return str(path)


def identity(path, kind=TensorProto.FLOAT, shape=("n",)):
    """y = x."""
    return save(path, [helper.make_node("Identity", ["x"], ["y"])], [("x", kind, shape)], [("y", kind, shape)])


def linear(path):
    """y = x W, of 3 to 4 features, and s = the sum of y."""
    weight = (numpy.arange(12, dtype="float32").reshape(3, 4) - 5) / 7
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"]), helper.make_node("ReduceSum", ["y"], ["s"], keepdims=0)]
    outputs = [("y", TensorProto.FLOAT, ["batch", 4]), ("s", TensorProto.FLOAT, [])]
    return save(path, nodes, [("x", TensorProto.FLOAT, ["batch", 3])], outputs, [("w", weight)])


def subtract(path):
    """y = a - b, whose first dimensions have one name."""
    inputs = [("a", TensorProto.FLOAT, ["n", 2]), ("b", TensorProto.FLOAT, ["n", 2])]
    return save(path, [helper.make_node("Sub", ["a", "b"], ["y"])], inputs, [("y", TensorProto.FLOAT, ["n", 2])])


def total(path):
    """y = the sum of x."""
    node = helper.make_node("ReduceSum", ["x"], ["y"], keepdims=0)
    return save(path, [node], [("x", TensorProto.FLOAT, ["n"])], [("y", TensorProto.FLOAT, [])])


def gather(path):
    """y = rows of a table of 4 rows, by an index of n numbers."""
    table = numpy.arange(8, dtype="float32").reshape(4, 2)
    node = helper.make_node("Gather", ["t", "i"], ["y"], name="rows")
    inputs, outputs = [("i", TensorProto.INT64, ["n"])], [("y", TensorProto.FLOAT, ["n", 2])]
    return save(path, [node], inputs, outputs, [("t", table)])


def language(path):
    """Logits of 16 tokens after each token: rows of a table, times a matrix."""
    rng = numpy.random.default_rng(3)
    tables = [(name, rng.random((16, 16), "float32")) for name in ("table", "w")]
    nodes = [helper.make_node("Gather", ["table", "ids"], ["rows"]), helper.make_node("MatMul", ["rows", "w"], ["y"])]
    inputs, outputs = [("ids", TensorProto.INT64, ["n", "t"])], [("y", TensorProto.FLOAT, ["n", "t", 16])]
    return save(path, nodes, inputs, outputs, tables)
