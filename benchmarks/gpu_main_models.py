#!/usr/bin/env python3
"""The models whose kernels gpu_static_report.py looks at: gpu_main_models.py FOLDER [NAME...].

Each is one operation of an ordinary size: the large matrix product, GPT-2's
(124M, batch 8 of 1024 positions), a convolution of ResNet-50, its normalisations
and activations. Writes NAME.onnx, and prints the names.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper


def model(inputs, nodes, output, weights=None, element=TensorProto.FLOAT, result_element=None):
    values = [helper.make_tensor_value_info(name, element, shape) for name, shape in inputs.items()]
    result = helper.make_tensor_value_info(output, TensorProto.UNDEFINED, None)
    result.type.tensor_type.elem_type = result_element or element
    constants = [onnx.numpy_helper.from_array(value, name) for name, value in (weights or {}).items()]
    graph = helper.make_graph(nodes, "main", values, [result], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    return onnx.shape_inference.infer_shapes(made, strict_mode=True)


def product(m, n, k, **attributes):
    node = helper.make_node("Gemm" if attributes else "MatMul", ["a", "b"], ["c"], **attributes)
    a = (k, m) if attributes.get("transA") else (m, k)
    b = (n, k) if attributes.get("transB") else (k, n)
    return lambda: model({"a": a, "b": b}, [node], "c")


def linear_gelu(m, n, k):
    nodes = [helper.make_node("MatMul", ["a", "w"], ["h"]), helper.make_node("Add", ["h", "bias"], ["s"]),
             helper.make_node("Gelu", ["s"], ["y"], approximate="tanh")]
    return lambda: model({"a": (m, k), "w": (k, n), "bias": (n,)}, nodes, "y")


def convolution(batch, channels, size, filters, window):
    pads = [window // 2] * 4
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=pads, kernel_shape=[window, window])
    return lambda: model({"x": (batch, channels, size, size), "w": (filters, channels, window, window)}, [node], "y")


def unary(shape, *names, **attributes):
    def make():
        nodes, value = [], "x"
        for i, name in enumerate(names):
            nodes.append(helper.make_node(name, [value], [f"y{i}"], **attributes))
            value = f"y{i}"
        return model({"x": shape}, nodes, value)
    return make


def layer_norm(rows, width):
    node = helper.make_node("LayerNormalization", ["x", "scale", "bias"], ["y"], axis=-1)
    return lambda: model({"x": (rows, width), "scale": (width,), "bias": (width,)}, [node], "y")


def transpose(*shape):
    return lambda: model({"x": shape}, [helper.make_node("Transpose", ["x"], ["y"])], "y")


def sum_of(shape, axis):
    node = helper.make_node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)
    return lambda: model({"x": shape}, [node], "y", {"axes": np.array([axis], np.int64)})


def half_product(size):
    node = helper.make_node("MatMul", ["a", "b"], ["c"])
    return lambda: model({"a": (size, size), "b": (size, size)}, [node], "c", element=TensorProto.FLOAT16)


def byte_product(size, transposed=False):
    names = ["a", "t"] if transposed else ["a", "b"]
    nodes = [helper.make_node("Transpose", ["b"], ["t"], perm=[1, 0])] if transposed else []
    nodes.append(helper.make_node("MatMulInteger", names, ["c"]))
    return lambda: model({"a": (size, size), "b": (size, size)}, nodes, "c", element=TensorProto.INT8,
                         result_element=TensorProto.INT32)


def batched(count, m, n, k):
    node = helper.make_node("MatMul", ["a", "b"], ["c"])
    return lambda: model({"a": (count, m, k), "b": (count, k, n)}, [node], "c")


MODELS = {
    "matmul-4096": product(4096, 4096, 4096),
    "matmul-1024": product(1024, 1024, 1024),
    "matmul-at-4096": product(4096, 4096, 4096, transA=1),
    "matmul-bt-4096": product(4096, 4096, 4096, transB=1),
    "matmul-f16-4096": half_product(4096),
    "matmul-i8-4096": byte_product(4096),
    "matmul-i8-bt-4096": byte_product(4096, transposed=True),
    "gpt2-qkv": product(8192, 2304, 768),
    "gpt2-mlp-gelu": linear_gelu(8192, 3072, 768),
    "gpt2-logits": product(8192, 50257, 768, transB=1),
    "gpt2-attention": batched(96, 1024, 1024, 64),
    "resnet-conv3x3": convolution(32, 256, 14, 256, 3),
    "softmax-1024": unary((98304, 1024), "Softmax", axis=-1),
    "layernorm-768": layer_norm(8192, 768),
    "gelu": unary((8192, 3072), "Gelu"),
    "exp": unary((8192, 3072), "Exp"),
    "transpose": transpose(8192, 3072),
    "rowsum": sum_of((8192, 3072), 1),
    "columnsum": sum_of((8192, 3072), 0),
}


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or MODELS:
        onnx.save(MODELS[name](), folder / f"{name}.onnx")
        print(name)


if __name__ == "__main__":
    main()
