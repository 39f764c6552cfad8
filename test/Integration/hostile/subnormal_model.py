"""Writes a model that works on subnormals and ties, constants and data alike: subnormal_model.py MODEL INPUTS."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

model_path, inputs_path = sys.argv[1:]
generator = np.random.default_rng(5)
shape = (7, 19)
# Magnitudes from the smallest subnormal up to about 2^-120, and some around 1.
x = (generator.integers(1, 2**23, shape, dtype=np.int64)).astype(np.uint32).view(np.float32)
x[3:] = generator.standard_normal((4, 19)).astype(np.float32) * np.float32(2.0**-70)
w = generator.standard_normal((19, 5)).astype(np.float32) * np.float32(2.0**-60)
tiny = np.array([np.float32(1.5 * 2.0**-127)], dtype=np.float32)
third = np.array([1.0 / 3.0], dtype=np.float32)

nodes = [
    helper.make_node("Mul", ["tiny", "third"], ["folded"]),  # constants: computed when compiling
    helper.make_node("Add", ["x", "folded"], ["a"]),
    helper.make_node("Mul", ["a", "third"], ["b"]),
    helper.make_node("Exp", ["b"], ["e"]),
    helper.make_node("MatMul", ["a", "w"], ["c"]),
    helper.make_node("ReduceSum", ["b"], ["s"]),
    helper.make_node("Cast", ["b"], ["h"], to=TensorProto.FLOAT16),
]
graph = helper.make_graph(
    nodes, "subnormal",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
    [helper.make_tensor_value_info(name, kind, None) for name, kind in
     (("b", TensorProto.FLOAT), ("e", TensorProto.FLOAT), ("c", TensorProto.FLOAT), ("s", TensorProto.FLOAT),
      ("h", TensorProto.FLOAT16))],
    [numpy_helper.from_array(value, name) for name, value in (("w", w), ("tiny", tiny), ("third", third))])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(onnx.shape_inference.infer_shapes(model), model_path)

header = f'{{"x":{{"dtype":"F32","shape":[{shape[0]},{shape[1]}],"data_offsets":[0,{x.nbytes}]}}}}'.encode()
header += b" " * (-len(header) % 8)
with open(inputs_path, "wb") as file:
    file.write(len(header).to_bytes(8, "little") + header + x.tobytes())
