"""Writes small models of integers for blocks, and inputs: block_models.py FOLDER [--lenet]."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(60)


def integers(*shape):
    return random.integers(-128, 128, shape).astype(np.int8)


def write(name, nodes, input_type, input_shape, output_type, weights):
    made = helper.make_graph(nodes, name, [helper.make_tensor_value_info("x", input_type, input_shape)],
                             [helper.make_tensor_value_info("y", output_type, None)],
                             [numpy_helper.from_array(array, key) for key, array in weights.items()])
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(onnx.shape_inference.infer_shapes(model), FOLDER / f"{name}.onnx")
    x = integers(*input_shape) if input_type == TensorProto.INT8 else random.normal(size=input_shape).astype(np.float32)
    save(FOLDER / f"{name}.safetensors", {"x": x})


def convolution(x, w, y, **more):
    return helper.make_node("ConvInteger", [x, w], [y], **more)


# Extents that are no multiples of 8, rows that begin within a word.
write("product", [helper.make_node("MatMulInteger", ["x", "w"], ["y"])], TensorProto.INT8, [21, 37], TensorProto.INT32,
      {"w": integers(37, 29)})
write("batch", [helper.make_node("MatMulInteger", ["x", "w"], ["y"])], TensorProto.INT8, [3, 16, 40],
      TensorProto.INT32, {"w": integers(3, 40, 9)})
write("padded", [convolution("x", "w", "y", pads=[1, 2, 1, 0], strides=[1, 2])], TensorProto.INT8, [1, 3, 13, 11],
      TensorProto.INT32, {"w": integers(10, 3, 3, 3)})
write("channels", [convolution("x", "w", "y", pads=[1, 1, 1, 1], group=6)], TensorProto.INT8, [1, 6, 9, 9],
      TensorProto.INT32, {"w": integers(6, 1, 3, 3)})
# Two layers that the host scales in between, each larger than a tile.
SCALES = {f"s{i}": np.float32(0.02) for i in range(4)}
ZEROS = {f"z{i}": np.int8(0) for i in range(4)}
write("layers", [
    helper.make_node("QuantizeLinear", ["x", "s0", "z0"], ["q"]),
    helper.make_node("QLinearConv", ["q", "s0", "z0", "w1", "s1", "z1", "s2", "z2", "b1"], ["h"], pads=[1, 1, 1, 1]),
    helper.make_node("QLinearConv", ["h", "s2", "z2", "w2", "s3", "z3", "s2", "z2", "b2"], ["o"], strides=[2, 2]),
    helper.make_node("DequantizeLinear", ["o", "s2", "z2"], ["y"]),
], TensorProto.FLOAT, [1, 16, 40, 40], TensorProto.FLOAT,
    {**SCALES, **ZEROS, "w1": integers(48, 16, 3, 3), "b1": np.arange(48, dtype=np.int32) * 9,
     "w2": integers(24, 48, 1, 1), "b2": np.arange(24, dtype=np.int32)})


def write_lenet():
    """LeNet of the examples, quantized, and one of its digits."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    digits = pathlib.Path(__file__).parents[2] / "examples/digits"
    images = load(digits / "test.safetensors")["x"]

    class Images(CalibrationDataReader):
        def __init__(self):
            self.left = [{"x": image[None]} for image in images[:16]]

        def get_next(self):
            return self.left.pop() if self.left else None

    quantize_static(digits / "lenet.onnx", FOLDER / "lenet.onnx", Images(), quant_format=QuantFormat.QDQ,
                    per_channel=True, activation_type=QuantType.QInt8, weight_type=QuantType.QInt8,
                    extra_options={"ActivationSymmetric": True, "WeightSymmetric": True})
    save(FOLDER / "lenet.safetensors", {"x": images[:1]})


if "--lenet" in sys.argv[2:]:
    write_lenet()
