#!/usr/bin/env python3
"""Makes models and inputs of values that are rounded, ordered or compared in special ways:

  special_values.py FOLDER [--points N] [--longest ROW]

Writes a folder per model, of the form of a test case (model.onnx, inputs.safetensors, case.json). Inputs are NaNs of
many payloads, infinities, zeros of both signs, subnormals, numbers beside powers of two and halves of integers, all
patterns of 16 bits, and N patterns of 32 and 64 bits by a fixed generator. Models are a function each of elements, of
pairs, of rows and columns, chains of ops, functions of functions, and conversions between types. Nothing is expected
of their results but that all ways of computing them agree.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, save_model

from safetensors import save

UNARY = ["Abs", "Neg", "Ceil", "Floor", "Round", "Sqrt", "Exp", "Log", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan",
         "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Erf", "Sigmoid", "Softplus", "Softsign", "Relu",
         "LeakyRelu", "Elu", "Selu", "HardSigmoid", "HardSwish", "Mish", "Gelu", "Sign", "Reciprocal"]
BINARY = ["Add", "Sub", "Mul", "Div", "Max", "Min", "Pow", "Equal", "Less", "Greater", "LessOrEqual"]
INTEGERS = ["Add", "Sub", "Mul", "Div", "Max", "Min", "Mod", "Equal", "Less", "Greater"]
F64 = {"Abs", "Neg", "Ceil", "Floor", "Round", "Sqrt", "Relu", "LeakyRelu", "HardSigmoid", "HardSwish", "Sign",
       "Reciprocal", "Softsign", "Exp", "Log", "Tanh", "Erf", "Sigmoid", "Softplus", "Elu", "Selu", "Mish",
       "Gelu"}  # the others are computed in f32 only
REDUCTIONS = ["ReduceMax", "ReduceMin", "ReduceSum", "ReduceProd", "ReduceMean", "ReduceL1", "ReduceL2",
              "ReduceLogSumExp", "ReduceSumSquare"]
ALONG = ["ArgMax", "ArgMin", "Softmax", "LogSoftmax", "Hardmax"]
FLOATS = {"f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16, "f32": TensorProto.FLOAT,
          "f64": TensorProto.DOUBLE}
WIDTHS = {"i8": TensorProto.INT8, "u8": TensorProto.UINT8, "i16": TensorProto.INT16, "u16": TensorProto.UINT16,
          "i32": TensorProto.INT32, "u32": TensorProto.UINT32, "i64": TensorProto.INT64, "u64": TensorProto.UINT64}
NUMPY = {"f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64, "i8": np.int8, "u8": np.uint8,
         "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64}
TYPES = {**FLOATS, **WIDTHS}


def special(kind):
    """Values of a type at which something may go wrong."""
    if kind in WIDTHS:
        limits = np.iinfo(NUMPY[kind])
        near = [limits.min, limits.min + 1, limits.max, limits.max - 1, limits.max // 2, 0, 1, 2, 3, 7, 85, 127]
        return np.array(near + ([-1, -2, -3, -7, -128] if limits.min else [128, 255]), NUMPY[kind])
    bits, mantissa, word = {"f16": (16, 10, np.uint16), "bf16": (32, 23, np.uint32), "f32": (32, 23, np.uint32),
                            "f64": (64, 52, np.uint64)}[kind]
    low = (1 << mantissa) - 1
    top = ((1 << (bits - 1 - mantissa)) - 1) << mantissa  # of infinity
    patterns = [0, 1, 2, low, low + 1, low + 2, top, top - 1, top | 1, top | (low >> 1), top | (low + 1) >> 1, top | low]
    values = np.array(patterns + [p | 1 << (bits - 1) for p in patterns], word).view(NUMPY[kind])
    with np.errstate(over="ignore"):
        plain = np.array([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 10, 127.5, 128, 255, 256, 65504, 65520, 2**31, 2**32, 2**63,
                          88.72, -103.97, 1 / 3, 1e-3, 3.1415927, 1e30]).astype(NUMPY[kind])
    return np.concatenate([values, plain, -plain])


def patterns(kind, points):
    """Special values and patterns of bits, of any exponent and of moderate ones."""
    generator = np.random.Generator(np.random.PCG64(list(NUMPY).index(kind)))
    size = np.dtype(NUMPY[kind]).itemsize
    if kind == "bf16":
        return (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
    if size <= 2:
        return np.arange(1 << (8 * size), dtype=f"u{size}").view(NUMPY[kind])
    raw = generator.integers(0, 256, (points, size), np.uint8).view(NUMPY[kind])[:, 0]
    if kind in WIDTHS:
        return np.concatenate([special(kind), raw])
    moderate = (generator.standard_normal(points) * np.exp2(generator.integers(-8, 8, points))).astype(NUMPY[kind])
    return np.concatenate([special(kind), raw, moderate])


class Model:
    """A model whose inputs are arrays, and whose nodes all have results of the model."""

    def __init__(self, folder, name):
        self.folder, self.name = folder / name, name
        self.nodes, self.outputs, self.arrays, self.kinds = [], [], {}, {}

    def input(self, name, kind, array):
        """Takes bf16 as the f32 of equal value."""
        self.arrays[name] = array
        self.kinds[name] = "f32" if kind == "bf16" else kind
        return self.cast(name, kind, name + "_bf16") if kind == "bf16" else name

    def node(self, op, operands, output, **attributes):
        self.nodes.append(helper.make_node(op, operands, [output], name=output, **attributes))
        return output

    def cast(self, operand, kind, output):
        return self.node("Cast", [operand], output, to=TYPES[kind])

    def result(self, op, operands, output, kind, **attributes):
        """Results of bf16 leave as f32."""
        made = self.node(op, operands, output, **attributes)
        if kind == "bf16":
            made, kind = self.cast(made, "f32", output + "_f32"), "f32"
        self.outputs.append((made, TensorProto.BOOL if kind == "bool" else TYPES[kind]))

    def write(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        inputs = [helper.make_tensor_value_info(name, TYPES[kind], self.arrays[name].shape)
                  for name, kind in self.kinds.items()]
        outputs = [helper.make_tensor_value_info(name, kind, None) for name, kind in self.outputs]
        graph = helper.make_graph(self.nodes, self.name, inputs, outputs)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=12)
        save_model(model, self.folder / "model.onnx")
        save(self.folder / "inputs.safetensors", self.arrays)
        facts = {"name": self.name, "parts": ["infer"], "known": False, "inputs": list(self.arrays), "dims": {}}
        (self.folder / "case.json").write_text(json.dumps(facts, indent=2) + "\n")


def compares(op):
    return op in ("Equal", "Less", "Greater", "LessOrEqual")


def elements(folder, kind, points):
    model = Model(folder, f"elements-{kind}")
    x = model.input("x", kind, patterns(kind, points))
    for op in UNARY:
        if kind == "f64" and op not in F64:
            continue
        model.result(op, [x], op.lower(), kind)
    model.write()


def pairs(folder, kind):
    values = patterns(kind, 0) if kind in ("i8", "u8") else special(kind)
    if kind == "bf16":
        values = values[(values.view(np.uint32) & 0xFFFF) == 0]
    model = Model(folder, f"pairs-{kind}")
    x = model.input("x", kind, np.repeat(values, len(values)))
    y = model.input("y", kind, np.tile(values, len(values)))
    for op in BINARY if kind in FLOATS else INTEGERS:
        if op == "Pow" and kind == "f64":  # computed in f32 only
            continue
        divisor = y
        if kind in WIDTHS and op in ("Div", "Mod"):  # a division by zero, or of the least by -1, is a fault
            positive = np.where(model.arrays["y"] > 0, model.arrays["y"], 3)
            divisor = model.input(f"{op}_divisor".lower(), kind, positive.astype(values.dtype))
        model.result(op, [x, divisor], op.lower(), "bool" if compares(op) else kind)
    if kind in FLOATS:
        model.result("Mod", [x, y], "mod", kind, fmod=1)
    model.write()


def rows(folder, kind, length):
    """Rows of special values, of few different ones, and of all: [24, length]."""
    generator = np.random.Generator(np.random.PCG64(length))
    some = special(kind)
    table = generator.choice(some, (24, length))
    if kind in FLOATS:
        zeros = np.array([0.0, -0.0], some.dtype)
        table[:4] = generator.choice(zeros, (4, length))
        finite = some[np.isfinite(some)]
        table[4:12] = generator.choice(finite, (8, length))
        table[12:16] = generator.standard_normal((4, length))
    model = Model(folder, f"rows-{kind}-{length}")
    x = model.input("x", kind, table)
    for axis in (0, 1):
        model.node("Constant", [], f"axes_{axis}", value_ints=[axis])
        for op in REDUCTIONS if kind in FLOATS else ["ReduceMax", "ReduceMin", "ReduceSum"]:
            if op == "ReduceSum" and kind in ("i8", "u8"):  # not in ONNX
                continue
            model.result(op, [x, f"axes_{axis}"], f"{op}_{axis}".lower(), kind, keepdims=0)
        for op in ALONG if kind in FLOATS else ["ArgMax", "ArgMin"]:
            model.result(op, [x], f"{op}_{axis}".lower(), "i64" if op.startswith("Arg") else kind, axis=axis)
    if kind in FLOATS:
        model.node("Constant", [], "first", value_ints=[min(length, 5)])
        model.node("TopK", [x, "first"], "top", axis=1)
        model.nodes[-1].output.append("positions")
        model.result("Identity", ["top"], "greatest", kind)
        model.result("Identity", ["positions"], "where", "i64")
        model.node("Constant", [], "last", value_int=1)
        model.result("CumSum", [x, "last"], "sums", kind)
    model.write()


def chains(folder, kind):
    """Values that pass several ops: a NaN keeps its bits through selects and moves, and only there."""
    some = special(kind)
    some = np.concatenate([some, some[::-1]])[:64]
    model = Model(folder, f"chains-{kind}")
    x = model.input("x", kind, np.resize(some, (48, 64)))
    y = model.input("y", kind, np.resize(np.roll(some, 5), (48, 64)))
    for name, number in (("zero", 0.0), ("six", 6.0)):
        model.node("Constant", [], name + "_f32", value_float=number)
        model.cast(name + "_f32", kind, name)
    model.node("Transpose", [y], "across", perm=[1, 0])
    sources = {"itself": x, "across": "across"}
    for op, operands in (("Neg", [x]), ("Abs", [x]), ("Mul", [x, y]), ("Add", [x, y]), ("Sqrt", [x]), ("Max", [x, y]),
                         ("MatMul", [x, "across"])):
        sources[op.lower()] = model.node(op, operands, op.lower())
    for source, value in sources.items():
        relu = model.node("Relu", [value], f"relu_{source}")
        model.result("Identity", [relu], f"relu_of_{source}", kind)
        model.result("Neg", [relu], f"neg_relu_{source}", kind)
        model.result("Clip", [value, "zero", "six"], f"clip_{source}", kind)
        model.result("ThresholdedRelu", [value], f"thresholded_{source}", kind)
        model.node("Less", [value, "six"], f"less_{source}")
        model.result("Where", [f"less_{source}", value, "six"], f"lesser_{source}", kind)
        model.result("Where", [f"less_{source}", "six", value], f"greater_{source}", kind)
        model.result("ReduceMax", [relu], f"greatest_{source}", kind)
        model.result("ArgMax", [relu], f"greatest_at_{source}", "i64", axis=1)
        model.result("Softmax", [relu], f"softmax_{source}", kind, axis=1)
    model.write()


def compositions(folder, kind):
    """Functions and comparisons of results whose sign or range a compiler can tell, if it forgets NaNs."""
    some = special(kind)
    if kind == "bf16":
        some = some[(some.view(np.uint32) & 0xFFFF) == 0]
    model = Model(folder, f"compositions-{kind}")
    x = model.input("x", kind, some)
    for name, number in (("minus", -1.0), ("zero", 0.0), ("one", 1.0), ("six", 6.0)):
        model.node("Constant", [], name + "_f32", value_float=number)
        model.cast(name + "_f32", kind, name)
    sources = {"abs": model.node("Abs", [x], "abs"), "square": model.node("Mul", [x, x], "square"),
               "max": model.node("Max", [x, "zero"], "max"), "min": model.node("Min", [x, "zero"], "min"),
               "clip": model.node("Clip", [x, "minus", "six"], "clip"), "sqrt": model.node("Sqrt", [x], "sqrt"),
               "neg_abs": model.node("Neg", ["abs"], "neg_abs")}
    model.node("Less", [x, "one"], "below")
    sources["either"] = model.node("Where", ["below", "abs", "six"], "either")
    sources["neither"] = model.node("Where", ["below", "neg_abs", "minus"], "neither")
    if kind != "f64":
        sources["exp"] = model.node("Exp", [x], "exp")
        sources["tanh"] = model.node("Tanh", [x], "tanh")
        model.node("Add", ["abs", "one"], "abs_one")
        sources["log1p"] = model.node("Log", ["abs_one"], "log1p")
    for source, value in sources.items():
        for op in UNARY:
            if kind != "f64" or op in F64:
                model.result(op, [value], f"{op}_of_{source}".lower(), kind)
        for op in ("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"):
            for bound in ("minus", "zero", "one"):
                name = f"{op}_of_{source}_{bound}".lower()
                model.node(op, [value, bound], name + "_holds")
                model.result("Where", [name + "_holds", "one", value], name, kind)
    model.write()


def negations(folder, kind):
    """The least integer has no negative; ONNX has both functions of signed integers."""
    model = Model(folder, f"negations-{kind}")
    x = model.input("x", kind, patterns(kind, 64))
    for name, number in (("zero", 0), ("three", 3)):
        model.node("Constant", [], name + "_i64", value_int=number)
        model.cast(name + "_i64", kind, name)
    sources = {}
    for name, op, operand in (("negative", "Neg", x), ("magnitude", "Abs", x), ("below", "Neg", "magnitude"),
                              ("again", "Abs", "negative")):
        sources[name] = model.node(op, [operand], name)
    model.node("Less", ["zero", x], "positive")
    for source, value in sources.items():
        model.result("Identity", [value], f"{source}_itself", kind)
        for other in (other for other in ("i64", "i32", "f32") if other != kind):
            model.result("Cast", [value], f"{source}_as_{other}", other, to=TYPES[other])
        for op in ("Less", "Greater"):
            model.result(op, [value, "zero"], f"{source}_{op}".lower(), "bool")
        for op in ("Max", "Min", "Div", "Mod"):
            model.result(op, [value, "zero" if op in ("Max", "Min") else "three"], f"{source}_{op}".lower(), kind)
        model.result("Where", ["positive", value, x], f"{source}_where", kind)
    model.write()


def conversions(folder, kind, points):
    """From a type to all others; floats to integers only where both can say the value."""
    values = patterns(kind, points)
    model = Model(folder, f"conversions-{kind}")
    x = model.input("x", kind, values)
    for other in TYPES:
        if other == kind or (kind in FLOATS and other in WIDTHS):
            continue
        model.result("Cast", [x], f"to_{other}", other, to=TYPES[other])
    if kind in FLOATS:
        exact = np.where(np.isfinite(values), values, values.dtype.type(3)).astype(np.float64)
        for other in WIDTHS:
            limits = np.iinfo(NUMPY[other])
            inside = (exact > limits.min + 1) & (exact < limits.max * 0.99)
            small = np.where(inside, exact, 1.5).astype(values.dtype)
            y = model.input(f"for_{other}", kind, small)
            model.result("Cast", [y], f"to_{other}", other, to=TYPES[other])
    model.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--points", type=int, default=1 << 18)
    parser.add_argument("--longest", type=int, default=20000, help="rows are no longer than this; default: 20000")
    given = parser.parse_args()
    for kind in FLOATS:
        elements(given.folder, kind, given.points)
        chains(given.folder, kind)
        compositions(given.folder, kind)
        for length in (1, 3, 33, 1000, 20000):
            if length <= given.longest:
                rows(given.folder, kind, length)
    for kind in ("i8", "u8", "i32", "i64"):  # in ONNX no others are reduced
        rows(given.folder, kind, 1000)
    for kind in ("i8", "i16", "i32", "i64"):
        negations(given.folder, kind)
    for kind in TYPES:
        pairs(given.folder, kind)
        conversions(given.folder, kind, given.points)
    print(f"{len(list(given.folder.glob('*/case.json')))} models in {given.folder}")


if __name__ == "__main__":
    main()
