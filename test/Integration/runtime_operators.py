"""Operators where ONNX's text leaves something open, against onnxruntime: runtime_operators.py GENSYN-RUN FOLDER.

All variants of an operator are nodes of one graph over one input, whose dimensions have names: sizes of results are
decided by gensyn-run and by onnxruntime, each for itself. What only moves elements must be equal. Else the bound is
32 float32 roundings of the largest element: a sum of at most 16 products, whose weights have magnitudes that add up
to less than 2.3 (cubic in two dimensions), and the weights' own roundings.
Ends with a line for each operator.
"""

import itertools
import os
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "KnownResults"))
import safetensors  # noqa: E402

BOUND = 32 * 2.0**-24
COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
# float32 products with 10 and 9 that are integers, a little less, and neither.
SCALES = ((0.7, 0.7), (0.6, 0.3), (1.3, 2.3), (0.1, 3.1), (2.0, 1.0), (1.05, 0.9), (1.05, 1.05))
SIZES = ((7, 6), (1, 17), (13, 1), (23, 5))
MODES = [("nearest", dict(nearest_mode=rounding)) for rounding in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")]
MODES += [("linear", {}), ("cubic", {}), ("cubic", dict(cubic_coeff_a=-0.5, exclude_outside=1))]


class Variants:
    """A graph of nodes of one operator; what a node has beside the shared inputs are initializers."""

    def __init__(self, operator, opset, **inputs):
        self.operator, self.opset, self.inputs = operator, opset, inputs
        self.nodes, self.constants, self.exact = [], [], []

    def add(self, operands, exact, **attributes):
        names = []
        for operand in operands:
            if isinstance(operand, np.ndarray):
                self.constants.append(numpy_helper.from_array(operand, f"c{len(self.constants)}"))
                operand = self.constants[-1].name
            names.append(operand)
        self.nodes.append(helper.make_node(self.operator, names, [f"y{len(self.nodes)}"], **attributes))
        self.exact.append(exact)

    def save(self, path):
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}{i}" for i in range(value.ndim)])
                  for name, value in self.inputs.items()]
        results = [helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None) for node in self.nodes]
        graph = helper.make_graph(self.nodes, self.operator, values, results, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)])
        model.ir_version = 8
        onnx.save(model, path)

    def compare(self, tool, folder):
        path = os.path.join(folder, self.operator)
        self.save(path + ".onnx")
        safetensors.save(path + ".in", self.inputs)
        dims = [word for name, value in self.inputs.items() for i, size in enumerate(value.shape)
                for word in ("--dim", f"{name}{i}={size}")]
        subprocess.run([tool, "infer", path + ".onnx", "--inputs", path + ".in", "--outputs", path + ".out", "--quiet", *dims],
                       check=True)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(path + ".onnx", options, providers=["CPUExecutionProvider"])
        wanted, found = session.run(None, self.inputs), safetensors.load(path + ".out")
        differ = 0
        for node, exact, want in zip(self.nodes, self.exact, wanted):
            have = found[node.output[0]]
            scale = max(np.max(np.abs(value), initial=0) for value in self.inputs.values())
            off = np.max(np.abs(have - want), initial=0) / scale if have.shape == want.shape else np.inf
            if off > (0 if exact else BOUND):
                differ += 1
                operands = [numpy_helper.to_array(each).tolist() for each in self.constants if each.name in node.input]
                attributes = {each.name: helper.get_attribute_value(each) for each in node.attribute}
                print(f"{self.operator} {attributes} {operands}: {have.shape} is off by {off:.1e} of {want.shape}")
        print(f"{self.operator}: {len(self.nodes) - differ} agree, {differ} differ")


def numbers(*shape, seed):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def resize():
    x = numbers(1, 2, 10, 9, seed=1)
    variants = Variants("Resize", 19, x=x)
    for (mode, options), coordinates in itertools.product(MODES, COORDINATES):
        options = dict(options, mode=mode, coordinate_transformation_mode=coordinates)
        for scales in SCALES:
            variants.add(["x", "", np.array((1, 1, *scales), np.float32)], mode == "nearest", **options)
        for sizes in SIZES:
            variants.add(["x", "", "", np.array((1, 2, *sizes), np.int64)], mode == "nearest", **options)
    for policy, size in itertools.product(("not_larger", "not_smaller"), (4, 7, 25)):
        variants.add(["x", "", "", np.array((size, size + 3), np.int64)], False, mode="linear", axes=[2, 3],
                     keep_aspect_ratio_policy=policy)
    # Regions that end at the last element, before it and behind it.
    for (low, high), size in itertools.product(((0, 1), (0.3, 1), (0.25, 0.75), (-0.2, 1), (0.5, 1.4), (1, 0)), (4, 7, 1)):
        roi = np.array((0, 0, low, low, 1, 1, high, 1), np.float32)
        for mode, options in MODES[:1] + MODES[4:6]:
            variants.add(["x", roi, "", np.array((1, 2, size, size + 1), np.int64)], mode == "nearest", mode=mode,
                         coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=-7.5, **options)
    # onnxruntime leaves out an element at the front if the kernel extends past it, unless elements outside are
    # excluded.
    for mode, size in itertools.product(("linear", "cubic"), (3, 7, 14)):
        variants.add(["x", "", "", np.array((1, 2, size, size + 1), np.int64)], False, mode=mode, antialias=1, exclude_outside=1)
    return variants


def grid_sample():
    grid = np.concatenate([np.random.default_rng(3).uniform(-1.7, 1.7, (1, 6, 5, 2)),
                           np.broadcast_to([[-1.0, 1.0], [1.0, -1.0], [0.0, 3.0], [-5.0, 0.5], [1.0, 1.0]], (1, 1, 5, 2))], 1)
    variants = Variants("GridSample", 16, x=numbers(1, 2, 5, 8, seed=2), grid=grid.astype(np.float32))
    for mode, padding, aligned in itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (0, 1)):
        variants.add(["x", "grid"], mode == "nearest", mode=mode, padding_mode=padding, align_corners=aligned)
    return variants


def average_pool():
    variants = Variants("AveragePool", 19, x=numbers(2, 3, 9, 10, seed=4))
    # onnxruntime 1.23 counts asymmetric pads with the wrong ones: values/windows.mlir has those.
    for pads, counts, ceils, strides in itertools.product(
            ((0, 0, 0, 0), (1, 0, 2, 1), (0, 2, 1, 0), (1, 1, 1, 1)), (0, 1), (0, 1), ((1, 1), (2, 3))):
        if not counts or pads[:2] == pads[2:]:
            variants.add(["x"], False, kernel_shape=[3, 3], pads=pads, count_include_pad=counts, ceil_mode=ceils, strides=strides)
    return variants


def conv_transpose():
    # Weights whose magnitudes add up to about 1 for an element.
    variants = Variants("ConvTranspose", 11, x=numbers(1, 2, 5, 4, seed=5))
    for sizes, strides, pads in itertools.product(
            ((3, 3), (5, 4), (6, 2), (9, 9), (11, 8)), ((1, 1), (2, 2), (2, 1)), ("NOTSET", "SAME_UPPER", "SAME_LOWER")):
        full = [(extent - 1) * stride + kernel for extent, stride, kernel in zip((5, 4), strides, (3, 2))]
        if all(size <= most for size, most in zip(sizes, full)):
            variants.add(["x", numbers(2, 3, 3, 2, seed=6) / 12], False, output_shape=sizes, strides=strides, auto_pad=pads)
    return variants


def main():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for variants in (resize(), grid_sample(), average_pool(), conv_transpose()):
        variants.compare(tool, folder)


if __name__ == "__main__":
    main()
