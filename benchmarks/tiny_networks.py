#!/usr/bin/env python3
"""Writes the four networks of MLPerf Tiny as int8 ONNX files of QuantizeLinear and DequantizeLinear.

  tiny_networks.py FOLDER [--networks ad,ic,kws,vww] [--float] [--inputs]

Their forms are those of github.com/mlcommons/tiny; weights are random numbers of a fixed seed, with batch
normalizations already in them. They are quantized by onnxruntime: int8 with a scale for each channel of a weight and
one for each activation, zero points 0. Inputs are int8 as those of the benchmark's models; outputs are f32.

  ad   640 features, dense layers of 128 x 4, 8, 128 x 4 and 640     264,192 products
  ic   ResNet-8 of an image of 3 x 32 x 32                        12,501,632
  kws  DS-CNN of 49 x 10 coefficients                              2,656,768
  vww  MobileNetV1, a quarter of its width, 3 x 96 x 96            7,489,664

--float also leaves the f32 models, as NAME-f32.onnx; --inputs writes NAME.safetensors with a tensor for the input.
Needs numpy, onnx and onnxruntime (written with 2.5.1, 1.23.2 and 1.32.0), --inputs also safetensors.
"""

import argparse
import tempfile
from pathlib import Path

import numpy
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

SAMPLES = 4  # for the ranges of activations
PRODUCTS = {"ad": 264_192, "ic": 12_501_632, "kws": 2_656_768, "vww": 7_489_664}


class Network:
    """A float model for batch 1, made layer by layer; counts its products."""

    def __init__(self, name, shape):
        self.name, self.shape, self.products = name, [1, *shape], 0
        self.random = numpy.random.default_rng(list(name.encode()))
        self.nodes, self.weights = [], []
        self.value, self.extents = "input", list(shape)

    def node(self, op, inputs, **attributes):
        self.value = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [self.value], name=self.value, **attributes))

    def weight(self, shape, fan_in):
        return self.constant(self.random.normal(0, (2 / fan_in) ** 0.5, shape).astype(numpy.float32))

    def constant(self, array):
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def bias(self, count):
        return self.constant(self.random.uniform(-0.2, 0.2, count).astype(numpy.float32))

    def relu(self):
        self.node("Relu", [self.value])

    def dense(self, outputs, relu=True):
        inputs, = self.extents
        self.node("Gemm", [self.value, self.weight((outputs, inputs), inputs), self.bias(outputs)], transB=1)
        self.products += inputs * outputs
        self.extents = [outputs]
        if relu:
            self.relu()

    def conv(self, outputs, kernel, stride=1, relu=True, depthwise=False):
        """With zeros around the image as TensorFlow's padding SAME: ceil(extent / stride) results, the larger half of
        an odd number of zeros behind."""
        inputs, *image = self.extents
        groups = inputs if depthwise else 1
        results = [-(-extent // stride) for extent in image]
        zeros = [max((n - 1) * stride + k - extent, 0) for n, k, extent in zip(results, kernel, image)]
        pads = [z // 2 for z in zeros] + [z - z // 2 for z in zeros]
        taps = inputs // groups * kernel[0] * kernel[1]
        weight = self.weight((outputs, inputs // groups, *kernel), taps)
        self.node("Conv", [self.value, weight, self.bias(outputs)], group=groups, kernel_shape=kernel, pads=pads,
                  strides=[stride, stride])
        self.extents = [outputs, *results]
        self.products += taps * outputs * results[0] * results[1]
        if relu:
            self.relu()

    def separable(self, outputs, stride=1):
        self.conv(self.extents[0], [3, 3], stride, depthwise=True)
        self.conv(outputs, [1, 1])

    def classify(self, classes):
        self.node("AveragePool", [self.value], kernel_shape=self.extents[1:])
        self.node("Flatten", [self.value])
        self.extents = self.extents[:1]
        self.dense(classes, relu=False)
        self.node("Softmax", [self.value])

    def model(self):
        self.nodes[-1].output[0] = "output"
        graph = helper.make_graph(
            self.nodes, self.name, [helper.make_tensor_value_info("input", onnx.TensorProto.FLOAT, self.shape)],
            [helper.make_tensor_value_info("output", onnx.TensorProto.FLOAT, [1, *self.extents])], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="tiny_networks.py")
        model.ir_version = 8
        return onnx.shape_inference.infer_shapes(model, strict_mode=True)


def anomaly_detection():
    net = Network("ad", [640])
    for outputs in [128] * 4 + [8] + [128] * 4:
        net.dense(outputs)
    net.dense(640, relu=False)
    return net


def image_classification():
    net = Network("ic", [3, 32, 32])
    net.conv(16, [3, 3])
    for outputs, stride in (16, 1), (32, 2), (64, 2):
        before, extents = net.value, net.extents
        net.conv(outputs, [3, 3], stride)
        net.conv(outputs, [3, 3], relu=False)
        after = net.value
        if stride > 1:
            net.value, net.extents = before, extents
            net.conv(outputs, [1, 1], stride, relu=False)
            before = net.value
        net.node("Add", [before, after])
        net.relu()
    net.classify(10)
    return net


def keyword_spotting():
    net = Network("kws", [1, 49, 10])
    net.conv(64, [10, 4], 2)
    for _ in range(4):
        net.separable(64)
    net.classify(12)
    return net


def visual_wake_words():
    net = Network("vww", [3, 96, 96])
    net.conv(8, [3, 3], 2)
    for outputs, stride in [(16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2)] + [(128, 1)] * 5 + [(256, 2), (256, 1)]:
        net.separable(outputs, stride)
    net.classify(2)
    return net


MAKERS = {"ad": anomaly_detection, "ic": image_classification, "kws": keyword_spotting, "vww": visual_wake_words}


class Samples(CalibrationDataReader):
    def __init__(self, net):
        random = numpy.random.default_rng([*net.name.encode(), 1])
        self.rest = iter([{"input": random.uniform(-1, 1, net.shape).astype(numpy.float32)} for _ in range(SAMPLES)])

    def get_next(self):
        return next(self.rest, None)


def quantize(net, float_file, file):
    quantize_static(
        float_file, file, Samples(net), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QInt8,
        weight_type=QuantType.QInt8, op_types_to_quantize=["Conv", "Gemm", "Relu", "Add", "AveragePool", "Flatten"],
        extra_options={"ActivationSymmetric": True, "WeightSymmetric": True})
    model = onnx.load(file)
    take_integers(model.graph)
    fuse_relu(model.graph)
    model.graph.name = net.name
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, file)


def take_integers(graph):
    """Makes the input int8: what its QuantizeLinear would be."""
    first = next(node for node in graph.node if node.op_type == "QuantizeLinear" and node.input[0] == "input")
    for node in graph.node:
        node.input[:] = ["input" if name == first.output[0] else name for name in node.input]
    graph.node.remove(first)
    graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.INT8


def fuse_relu(graph):
    """Leaves a Relu the only rounding of what it reads: the ranges of values below 0 are of no use."""
    makers = {node.output[0]: node for node in graph.node}
    for relu in [node for node in graph.node if node.op_type == "Relu"]:
        dequantize = makers[relu.input[0]]
        quantize_before = makers[dequantize.input[0]]
        relu.input[0] = quantize_before.input[0]
        graph.node.remove(dequantize)
        graph.node.remove(quantize_before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--networks", default=",".join(MAKERS))
    parser.add_argument("--float", action="store_true")
    parser.add_argument("--inputs", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name in arguments.networks.split(","):
        net = MAKERS[name]()
        model = net.model()
        if net.products != PRODUCTS[name]:
            raise SystemExit(f"{name}: {net.products} products; the benchmark's network has {PRODUCTS[name]}")
        file = arguments.folder / f"{name}.onnx"
        with tempfile.TemporaryDirectory() as temporary:
            folder = arguments.folder if arguments.float else Path(temporary)
            float_file = folder / f"{name}-f32.onnx"
            onnx.save(model, float_file)
            quantize(net, float_file, file)
        if arguments.inputs:
            from safetensors.numpy import save_file
            random = numpy.random.default_rng([*name.encode(), 2])
            save_file({"input": random.integers(-127, 128, net.shape, dtype=numpy.int8)}, file.with_suffix(".safetensors"))
        print(f"{name}: {net.products:,} products, {file.stat().st_size:,} bytes in {file}")


if __name__ == "__main__":
    main()
