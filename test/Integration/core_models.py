"""Writes a model whose layers repeat, and an input: core_models.py FOLDER.

Four equal blocks of two layers of one row, so each weight is read by one core, which fetches some of them ahead for the
next block.
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parent / "KnownResults"))
from safetensors import save  # noqa: E402

WIDTH, BLOCKS = 128, 4


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    nodes, weights, value = [], [], "x"
    for block in range(BLOCKS):
        for function in ("Tanh", "Sigmoid"):
            name = f"{function}{block}"
            weights.append(numpy_helper.from_array(random.standard_normal((WIDTH, WIDTH), np.float32), "w" + name))
            nodes.append(helper.make_node("MatMul", [value, "w" + name], ["m" + name]))
            nodes.append(helper.make_node(function, ["m" + name], [name]))
            value = name
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, WIDTH]) for name in ("x", value)]
    graph = helper.make_graph(nodes, "layers", ends[:1], ends[1:], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "layers.onnx")
    save(folder / "layers.safetensors", {"x": random.standard_normal((1, WIDTH), np.float32)})


main()
