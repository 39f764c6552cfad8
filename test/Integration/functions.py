#!/usr/bin/env python3
"""All functions on the same inputs, in several ways that must agree to the bit.

  functions.py TOOL HARD_INPUTS SCRATCH

TOOL is gensyn-run, HARD_INPUTS the header that lists inputs whose results nearly are
ties. Further inputs: both neighbours of each power of two, special values, and bit
patterns at random. pow takes them with exponents that bring the power into range and
with each other, some also numbers of 64 bits. Exit 1 where two ways differ.
"""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from limits import seconds

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

OPERATORS = ["Exp", "Log", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh",
             "Atanh", "Sigmoid", "Erf"]
WIDE = ["Exp", "Log", "Tanh", "Sigmoid", "Erf", "Elu", "Softplus"]  # Elu is expm1 below 0, Softplus has log1p
LEVELS = {"x86-64": "sse2", "x86-64-v3": "avx2", "x86-64-v4": "avx512f"}  # and a flag that says the processor has it


def inputs(header):
    lists = re.findall(r"kHard\w+\[\] = \{(.*?)\};", header.read_text(), re.S)
    hard = [int(x, 16) for text in lists for x in re.findall(r"0x[0-9A-F]{8}", text)]
    powers = [(e << 23) + d & 0x7FFFFFFF for e in range(256) for d in (-1, 0, 1)]
    special = [0x7FC00000, 0x7F800001, 0x7FFFFFFF, 0xFF812345, 0xFF800000, 0x80000000, 0x80000001, 0x807FFFFF]
    draws = np.random.default_rng(7).integers(0, 1 << 32, 1500)
    bits = hard + powers + [x | 0x80000000 for x in powers] + special + list(draws)
    return np.array(bits, np.uint64).astype(np.uint32).view(np.float32)


def exponents(x):
    """Half of them so that the power is within 2^-160 to 2^140, the others any."""
    draws = np.random.default_rng(8)
    with np.errstate(all="ignore"):
        y = (draws.uniform(-160, 140, x.size) / np.log2(np.abs(x.astype(np.float64)))).astype(np.float32)
    y[::8] = np.round(y[::8])
    y[1::2] = draws.permutation(x)[1::2]
    return y


def doubles():
    draws = np.random.default_rng(9)
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
               709.78, 709.79, -708.3, -708.4, -745.13, -745.14]
    parts = [special, draws.uniform(-746, 710, 1500), draws.uniform(-8, 8, 1500), draws.uniform(-746, -707, 500), draws.uniform(0, 3, 1500),
             draws.integers(0, 1 << 63, 1500).astype(np.uint64).view(np.float64)]
    return np.concatenate([np.array(part, np.float64) for part in parts])


def main():
    tool, header, scratch = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    x = inputs(header)
    y, wide = exponents(x), doubles()
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)
    double = lambda name: helper.make_tensor_value_info(name, TensorProto.DOUBLE, wide.shape)
    nodes = [helper.make_node(op, ["x"], [op.lower()]) for op in OPERATORS]
    nodes += [helper.make_node("Pow", ["x", "y"], ["pow"])]
    nodes += [helper.make_node(op, ["wide"], [op.lower() + "64"]) for op in WIDE]
    graph = helper.make_graph(nodes, "functions", [value("x"), value("y"), double("wide")],
                              [*(value(op.lower()) for op in OPERATORS), value("pow"), *(double(op.lower() + "64") for op in WIDE)])
    model, given, found = scratch / "functions.onnx", scratch / "x.safetensors", scratch / "y.safetensors"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), model)
    save(given, {"x": x, "y": y, "wide": wide})

    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    flags = set(flags.group(1).split()) if flags else set()
    ways = ["--backend=reference", *(f"--backend=cpu --instruction-set={name}" for name, flag in LEVELS.items() if flag in flags),
            "--backend=ptx-sim", "--backend=ptx-sim --sm=75"]
    first = None
    for way in ways:
        subprocess.run([tool, "infer", model, "--inputs", given, "--outputs", found, *way.split(), "--quiet",
                        "--no-cache"], check=True, timeout=seconds(300))
        results = {name: tensor.view(f"u{tensor.itemsize}") for name, tensor in load(found).items()}
        first = results if first is None else first
        for name, bits in results.items():
            for i in np.flatnonzero(bits != first[name])[:4]:
                of = wide.view(np.uint64)[i] if name.endswith("64") else x.view(np.uint32)[i]
                print(f"{way}: {name} of {of:08x} is {bits[i]:08x}, not {first[name][i]:08x}")
            if not np.array_equal(bits, first[name]):
                return 1
    print(f"{len(first)} functions of {x.size} inputs have one result in {len(ways)} ways")
    return 0


if __name__ == "__main__":
    sys.exit(main())
