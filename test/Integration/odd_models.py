#!/usr/bin/env python3
"""Small models with something odd in them, by onnx.helper, against onnx.reference.

  odd_models.py TOOL SCRATCH

Each is run on the reference interpreter, on the CPU and on the PTX simulator: the
outputs must be near those of onnx.reference, and bit-equal to each other. Exit 1 where
they are not.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from limits import seconds

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

WAYS = ["--backend=reference", "--backend=cpu", "--backend=ptx-sim"]


def model(nodes, inputs, outputs, initializers=None, opset=17):
    """`inputs` and `outputs` are names and shapes of float tensors."""
    values = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in of.items()]
              for of in (inputs, outputs)]
    tensors = [numpy_helper.from_array(np.asarray(a), name) for name, a in (initializers or {}).items()]
    graph = helper.make_graph([helper.make_node(*words, **more) for words, more in nodes], "odd", *values, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def node(op, inputs, outputs, **attributes):
    return (op, inputs.split(), outputs.split()), attributes


def declaring(proto, **shapes):
    """With the shapes of integers that the nodes pass on."""
    for name, shape in shapes.items():
        proto.graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.INT64, shape))
    return proto


def ramp(*shape):
    return np.linspace(-2, 3, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def models():
    """Name and model of each."""
    i64 = lambda *values: np.array(values, np.int64)
    one = np.float32(1)
    # The strides of a buffer without elements are not unique.
    yield "no elements in the last dimension", model(
        [node("Relu", "x", "r"), node("ReduceSum", "r axes", "s", keepdims=0), node("Concat", "r w", "c", axis=1)],
        {"x": [2, 0]}, {"r": [2, 0], "s": [2], "c": [2, 3]}, {"axes": i64(1), "w": ramp(2, 3)})
    yield "nothing to multiply", model(
        [node("MatMul", "x w", "y")], {"x": [3, 0]}, {"y": [3, 2]}, {"w": np.zeros((0, 2), np.float32)})
    # PyTorch drops the window that begins in the padding at the end, for older operator sets too.
    for opset in (10, 13, 22):
        yield f"ceil_mode at opset {opset}", model(
            [node("MaxPool", "x", "m", kernel_shape=[2, 2], strides=[3, 2], pads=[1, 1, 1, 1], ceil_mode=1),
             node("AveragePool", "x", "a", kernel_shape=[2, 2], strides=[3, 2], pads=[1, 1, 1, 1], ceil_mode=1)],
            {"x": [1, 2, 5, 4]}, {"m": [1, 2, 2, 3], "a": [1, 2, 2, 3]}, opset=opset)
    # Sizes that depend on data, as declared.
    yield "positions of what is not zero", declaring(model(
        [node("NonZero", "x", "i"), node("Transpose", "i", "t", perm=[1, 0]), node("GatherND", "x t", "y"),
         node("Compress", "x c", "z", axis=1)],
        {"x": [2, 3]}, {"y": [5], "z": [2, 2]}, {"c": np.array([True, False, True])}), i=[2, 5])
    yield "each value once", declaring(model(
        [node("Unique", "x", "y"), node("Concat", "x x", "xx", axis=0), node("Unique", "xx", "r i n c", axis=0),
         node("Cast", "c", "counts", to=TensorProto.FLOAT)],
        {"x": [2, 3]}, {"y": [6], "r": [2, 3], "counts": [2]}), c=[2])
    yield "boxes", declaring(model(
        [node("NonMaxSuppression", "boxes x most overlap", "s"), node("Cast", "s", "y", to=TensorProto.FLOAT)],
        {"x": [1, 2, 4]}, {"y": [4, 3]},
        {"boxes": np.array([[[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3], [0, 2.1, 1, 3]]], np.float32), "most": i64(3),
         "overlap": np.array([0.5], np.float32)}), s=[4, 3])
    yield "determinants", model([node("Det", "x", "y")], {"x": [3, 4, 4]}, {"y": [3]}, opset=22)
    yield "an input and a constant as outputs, a value twice", model(
        [node("Neg", "x", "y"), node("Identity", "y", "z"), node("Identity", "w", "v"), node("Identity", "x", "u")],
        {"x": [3]}, {"y": [3], "z": [3], "v": [2], "u": [3]}, {"w": ramp(2)})
    yield "a weight used twice, one not at all", model(
        [node("MatMul", "x w", "h"), node("Transpose", "w", "t", perm=[1, 0]), node("MatMul", "h t", "y")],
        {"x": [2, 3]}, {"y": [2, 3]}, {"w": ramp(3, 4), "unused": ramp(7)})
    yield "scalars", model(
        [node("Mul", "x k", "h"), node("ReduceMax", "h", "y", keepdims=0), node("Unsqueeze", "y zero", "z")],
        {"x": []}, {"y": [], "z": [1]}, {"k": one * 3, "zero": i64(0)})
    yield "one bound of Clip", model(
        [node("Clip", "x low", "y"), (("Clip", ["x", "", "high"], ["z"]), {}), node("Clip", "x", "w")],
        {"x": [4]}, {"y": [4], "z": [4], "w": [4]}, {"low": one * -1, "high": one})
    yield "axes that are an empty list", model(
        [node("ReduceSum", "x none", "y", keepdims=1), node("ReduceSum", "x none", "z", noop_with_empty_axes=1)],
        {"x": [2, 3]}, {"y": [1, 1], "z": [2, 3]}, {"none": i64()})
    yield "slices from the end", model(
        [node("Slice", "x start end axes steps", "y")],
        {"x": [4, 5]}, {"y": [4, 3]}, {"start": i64(-1, 2**63 - 1), "end": i64(-100, -(2**63) + 1),
                                       "axes": i64(0, -1), "steps": i64(-1, -2)})
    yield "a step past the end", model(
        [node("Slice", "x one end zero step", "y")], {"x": [5]}, {"y": [1]},
        {"one": i64(1), "end": i64(9), "zero": i64(0), "step": i64(2**63 - 1)})
    # Nothing declares the shapes of values before the outputs.
    yield "an element by all its indices", model(
        [node("GatherND", "x i", "e"), node("Neg", "e", "y")], {"x": [2, 3]}, {"y": []}, {"i": i64(1, 2)})
    yield "groups of channels", model(
        [node("GroupNormalization", "x s b", "g", num_groups=2), node("Neg", "g", "y")],
        {"x": [2, 4, 3]}, {"y": [2, 4, 3]}, {"s": ramp(4), "b": ramp(4)}, opset=21)
    yield "a pooling undone to a given size", model(
        [node("MaxUnpool", "x i n", "u", kernel_shape=[2], strides=[2]), node("Neg", "u", "y")],
        {"x": [1, 1, 2]}, {"y": [1, 1, 5]}, {"i": i64(0, 3).reshape(1, 1, 2), "n": i64(1, 1, 5)})
    # More operands than a concat reads at once, and than one GPU launch has pointers.
    many = {f"x{i}": [2, 1 + i % 3] for i in range(100)}
    yield "a concat of many", model(
        [(("Concat", list(many), ["c"]), dict(axis=1)), node("Exp", "c", "e"), node("ReduceSum", "e axes", "y", keepdims=0)],
        many, {"c": [2, 199], "y": [2]}, {"axes": i64(1)})
    many = {f"x{i}": [3] for i in range(520)}
    yield "a sum and a maximum of many", model(
        [(("Sum", list(many), ["s"]), {}), (("Max", list(many), ["m"]), {})], many, {"s": [3], "m": [3]})
    yield "a batch of one channel", model(
        [node("BatchNormalization", "x s s s v", "y")], {"x": [4]}, {"y": [4]}, {"s": ramp(1), "v": abs(ramp(1))})


def run(tool, scratch, way, path, inputs):
    given, results = scratch / "inputs.safetensors", scratch / "outputs.safetensors"
    save(given, inputs)
    done = subprocess.run([tool, "infer", path, "--inputs", given, "--outputs", results, way, "--quiet", "--no-cache"],
                          capture_output=True, text=True, timeout=seconds(120))
    if done.returncode:
        raise ValueError(f"exit code {done.returncode}: {done.stderr.strip()}")
    return load(results)


def complaint(tool, scratch, proto):
    """Nothing, or in words what is wrong."""
    path = scratch / "model.onnx"
    onnx.save(proto, path)
    inputs = {i.name: ramp(*(d.dim_value for d in i.type.tensor_type.shape.dim)) + np.float32(number / 8)
              for number, i in enumerate(proto.graph.input)}
    first = None
    for way in WAYS:
        found = run(tool, scratch, way, path, inputs)
        first = found if first is None else first
        for name, value in found.items():
            if value.shape != first[name].shape or value.tobytes() != first[name].tobytes():
                return f"{way}: '{name}' has other bits"
    declared = {o.name: tuple(d.dim_value for d in o.type.tensor_type.shape.dim) for o in proto.graph.output}
    for name, value in zip(declared, ReferenceEvaluator(proto).run(None, inputs)):
        if first[name].shape != declared[name]:
            return f"'{name}' is {first[name].shape}, not {declared[name]}"
        # onnx.reference computes one window more for the older pooling operators.
        if value.shape == declared[name] and not np.allclose(first[name], value, rtol=1e-5, atol=1e-6):
            return f"'{name}' is {first[name]}, not {value}"
    return None


def miscounted(tool, scratch):
    """Of a size that is declared but not found: nothing where every way faults, or in words what is wrong."""
    path = scratch / "model.onnx"
    onnx.save(model([node("Unique", "x", "y")], {"x": [2, 3]}, {"y": [5]}), path)
    for way in WAYS:
        try:
            run(tool, scratch, way, path, {"x": ramp(2, 3)})
            return f"{way}: a wrong size is not noticed"
        except ValueError as problem:
            if "result of Unique, 5, is not the number of elements found" not in str(problem):
                return f"{way}: {problem}"
    return None


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    count = failed = 0
    for name, proto in models():
        count += 1
        try:
            wrong = complaint(tool, scratch, proto)
        except (ValueError, subprocess.TimeoutExpired) as problem:
            wrong = str(problem)
        if wrong:
            failed += 1
            print(f"{name}: {wrong}")
    if wrong := miscounted(tool, scratch):
        failed += 1
        print(wrong)
    print(f"{count - failed} of {count} models compute what they should")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
