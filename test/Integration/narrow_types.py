#!/usr/bin/env python3
"""ONNX models with floats of 8 bits and less and integers of 4 and less.

  narrow_types.py TOOL SCRATCH

Casts, quantisation and packed initialisers, run on the reference interpreter, on the CPU
and on the PTX simulator. The outputs must be bit-equal to each other and to what
ml_dtypes makes of the same numbers, but for NaNs, of which there is one here and one for
each sign there. Exit 1 where they are not.
"""

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper

from limits import seconds

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

WAYS = ["--backend=reference", "--backend=cpu", "--backend=ptx-sim", "--backend=ptx-sim --sm=75"]
EIGHT = {"FLOAT8E4M3FN": ml_dtypes.float8_e4m3fn, "FLOAT8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
         "FLOAT8E5M2": ml_dtypes.float8_e5m2, "FLOAT8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz}
FEWER = {"FLOAT6E2M3": ml_dtypes.float6_e2m3fn, "FLOAT6E3M2": ml_dtypes.float6_e3m2fn,
         "FLOAT4E2M1": ml_dtypes.float4_e2m1fn}
INTEGERS = {"INT4": ml_dtypes.int4, "UINT4": ml_dtypes.uint4, "INT2": ml_dtypes.int2, "UINT2": ml_dtypes.uint2}


def numbers():
    """f32 of few digits, so that there are ties, both neighbours of them, and special values."""
    scale = np.float32(2) ** np.arange(-20, 20)
    ties = (np.arange(1, 65, dtype=np.float32)[:, None] / 32 * scale).ravel()
    near = np.concatenate([ties, np.nextafter(ties, np.float32(0)), np.nextafter(ties, np.float32(np.inf))])
    special = np.array([0, np.inf, 1e-45, 1e-39, 3e38, 464, 448, 240, 57344, 61440], np.float32)
    positive = np.concatenate([near, special])
    all_of_them = np.concatenate([positive, -positive, [np.float32(np.nan)] * 2])
    return np.resize(all_of_them, len(all_of_them) + (-len(all_of_them)) % 8).astype(np.float32)


def narrowed(x, dtype, saturate):
    """What x becomes by ml_dtypes, its NaNs as the rules have them."""
    if saturate:
        limit = np.float32(ml_dtypes.finfo(dtype).max)
        x = np.clip(x, -limit, limit)
    y = x.astype(dtype)
    bits = y.view(np.uint8)
    sole = {ml_dtypes.float8_e4m3fn: 0x7F, ml_dtypes.float8_e5m2: 0x7E}.get(dtype, 0x80)
    if ml_dtypes.finfo(dtype).bits == 8:
        return np.where(np.isnan(y), np.uint8(sole), bits)
    return np.where(np.isnan(x), np.uint8(1 << (ml_dtypes.finfo(dtype).bits - 1)), bits)


def scaled(x, saturate, mode):
    """x as a power of two, by its digits."""
    fraction, exponent = np.frexp(x.astype(np.float64))  # fraction in [1/2, 1)
    above = {"up": fraction > 0.5, "nearest": fraction >= 0.75, "down": np.zeros(x.shape, bool)}[mode]
    exponent = np.where(np.isinf(x), 1000, np.where(x == 0, -1000, exponent - 1 + above))
    low, high = (0, 0xFE) if saturate else (0xFF, 0xFF)
    bits = np.where(exponent < -127, low, np.where(exponent > 127, high, exponent + 127))
    return np.where((x < 0) | np.isnan(x), 0xFF, bits).astype(np.uint8)


class Model:
    """Nodes on the input x, with what each output should be."""

    def __init__(self, opset, x):
        self.opset, self.x = opset, x
        self.nodes, self.initializers, self.outputs, self.wanted = [], [], [], {}

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs.split(), [output], **attributes))

    def packed(self, name, kind, shape, raw):
        tensor = TensorProto(name=name, data_type=getattr(TensorProto, kind), dims=shape, raw_data=bytes(raw))
        self.initializers.append(tensor)

    def expect(self, name, kind, wanted):
        """`wanted` is an array of the output's bits, of its shape."""
        self.outputs.append(helper.make_tensor_value_info(name, getattr(TensorProto, kind), wanted.shape))
        self.wanted[name] = wanted.ravel()

    def build(self):
        x = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.x.shape)]
        graph = helper.make_graph(self.nodes, "narrow", x, self.outputs, self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10)


def casts(x):
    model = Model(28, x)
    for kind, dtype in {**EIGHT, **FEWER}.items():
        for saturate in (0, 1):
            name = f"{kind.lower()}_{saturate}"
            model.node("Cast", "x", name, to=getattr(TensorProto, kind), saturate=saturate)
            bits = narrowed(x, dtype, saturate and kind in EIGHT)
            model.expect(name, kind, bits)
            model.node("Cast", name, name + "_back", to=TensorProto.FLOAT)
            back = bits.view(dtype).astype(np.float32)
            model.expect(name + "_back", "FLOAT", np.where(np.isnan(back), np.float32(np.nan), back).view(np.uint32))
    for mode in ("up", "nearest", "down"):
        for saturate in (0, 1):
            name = f"scale_{mode}_{saturate}"
            model.node("Cast", "x", name, to=TensorProto.FLOAT8E8M0, saturate=saturate, round_mode=mode)
            model.expect(name, "FLOAT8E8M0", scaled(x, saturate, mode))
    for kind, dtype in INTEGERS.items():
        info = ml_dtypes.iinfo(dtype)
        whole = np.trunc(np.clip(np.nan_to_num(x, nan=0, posinf=1e9, neginf=-1e9), info.min, info.max))
        model.node("Cast", "x", kind.lower(), to=getattr(TensorProto, kind))
        model.node("Cast", kind.lower(), kind.lower() + "_back", to=TensorProto.INT32)
        model.expect(kind.lower() + "_back", "INT32", whole.astype(np.int32))
    return "casts", model


def quantization(x):
    """The same numbers in blocks, each with its scale; and back."""
    x = np.clip(np.nan_to_num(x, nan=1.5), -1e6, 1e6).reshape(-1, 8).astype(np.float32)
    model = Model(28, x)
    scales = np.float32(2) ** np.arange(-3, 5, dtype=np.float32)[None, ::4]  # two blocks of four a row
    scales = np.broadcast_to(scales, (x.shape[0], 2)).astype(np.float32)
    model.initializers.append(onnx.numpy_helper.from_array(scales, "s"))
    wide = np.repeat(scales, 4, axis=1)
    for kind, low, high in (("INT4", -8, 7), ("UINT4", 0, 15), ("INT2", -2, 1), ("UINT2", 0, 3)):
        name = kind.lower()
        model.node("QuantizeLinear", "x s", name, axis=1, block_size=4, output_dtype=getattr(TensorProto, kind))
        model.node("DequantizeLinear", f"{name} s", name + "_back", axis=1, block_size=4)
        model.expect(name + "_back", "FLOAT",
                     ((np.clip(np.rint(x / wide), low, high) + np.float32(0)) * wide).astype(np.float32).view(np.uint32))
    for kind, dtype in {**EIGHT, "FLOAT4E2M1": FEWER["FLOAT4E2M1"]}.items():
        name = kind.lower()
        model.node("QuantizeLinear", "x s", name, axis=1, block_size=4, output_dtype=getattr(TensorProto, kind))
        model.node("DequantizeLinear", f"{name} s", name + "_back", axis=1, block_size=4)
        bits = narrowed(x / wide, dtype, True)
        model.expect(name, kind, bits)
        model.expect(name + "_back", "FLOAT", (bits.view(dtype).astype(np.float32) * wide).view(np.uint32))
    # The division is rounded to the requested precision.
    with np.errstate(over="ignore"):
        half = (x.astype(np.float16) / np.float16(3)).astype(np.float32)
    model.initializers.append(onnx.numpy_helper.from_array(np.float32(3), "three"))
    model.node("QuantizeLinear", "x three", "half", output_dtype=TensorProto.FLOAT8E4M3FN, precision=TensorProto.FLOAT16)
    model.expect("half", "FLOAT8E4M3FN", narrowed(half, EIGHT["FLOAT8E4M3FN"], True))
    return "quantization", model


def packed(x):
    """Initialisers of which several elements share a byte, the first in its low bits."""
    model = Model(28, x[:8])
    small = {"INT4": (4, np.arange(-8, 8)), "UINT4": (4, np.arange(16)), "INT2": (2, np.array([-2, -1, 0, 1, 1, 0])),
             "UINT2": (2, np.array([3, 2, 1, 0, 3])),
             "FLOAT4E2M1": (4, np.array([0, .5, 1, 1.5, 2, 3, 4, 6, -6], ml_dtypes.float4_e2m1fn)),
             "FLOAT6E3M2": (6, np.array([0, 0.0625, -28, 5, 7], ml_dtypes.float6_e3m2fn))}
    for kind, (width, values) in small.items():
        patterns = (values.view(np.uint8) if values.dtype.kind == "V" else values).astype(np.int64) & ((1 << width) - 1)
        stream = np.zeros(-(-len(patterns) * width // 8) * 8, np.uint8)
        for i, pattern in enumerate(patterns):
            for bit in range(width):
                stream[i * width + bit] = pattern >> bit & 1
        model.packed(kind.lower(), kind, [len(values)], np.packbits(stream, bitorder="little"))
        model.node("Cast", kind.lower(), kind.lower() + "_f", to=TensorProto.FLOAT)
        model.expect(kind.lower() + "_f", "FLOAT", values.astype(np.float32).view(np.uint32))
    # Too large for a constant of the program: an input with these initial values.
    many = np.resize(np.arange(16), 4096)
    model.packed("many", "UINT4", [4096], (many[0::2] | many[1::2] << 4).astype(np.uint8))
    model.node("Cast", "many", "many_f", to=TensorProto.FLOAT)
    model.expect("many_f", "FLOAT", many.astype(np.float32).view(np.uint32))
    model.node("Neg", "x", "used")
    model.expect("used", "FLOAT", (-x[:8]).view(np.uint32))
    return "packed initialisers", model


def bits_of(array):
    return np.ascontiguousarray(array).ravel().view({1: np.uint8, 2: np.uint16, 4: np.uint32}[array.dtype.itemsize])


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    given, found, file = scratch / "x.safetensors", scratch / "y.safetensors", scratch / "m.onnx"
    wrong = total = 0
    for title, model in (make(numbers()) for make in (casts, quantization, packed)):
        onnx.save(model.build(), file)
        save(given, {"x": model.x})
        for way in WAYS:
            run = subprocess.run([tool, "infer", file, "--inputs", given, "--outputs", found, *way.split(), "--quiet",
                                  "--no-cache"], capture_output=True, text=True, timeout=seconds(300))
            if run.returncode:
                print(f"{title} {way}: {run.stderr}")
                return 1
            results = load(found)
            for name, wanted in model.wanted.items():
                total += 1
                bits, wanted = bits_of(results[name]), bits_of(wanted)
                differ = np.flatnonzero(bits != wanted)
                wrong += differ.size != 0
                for i in differ[:4]:
                    print(f"{title} {way}: {name}[{i}] is {bits[i]:x}, not {wanted[i]:x}")
    print(f"{total - wrong} of {total} results are as they should be")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
