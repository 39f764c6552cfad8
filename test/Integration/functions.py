#!/usr/bin/env python3
"""All functions on the same inputs, in several ways that must agree to the bit.

  functions.py TOOL HARD_INPUTS SCRATCH

TOOL is gensyn-run, HARD_INPUTS the header that lists inputs whose results nearly are
ties. Further inputs: both neighbours of each power of two, special values, and bit
patterns at random. Exit 1 where two ways differ.
"""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

OPERATORS = ["Exp", "Log", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh",
             "Atanh", "Sigmoid", "Erf"]
LEVELS = {"x86-64": "sse2", "x86-64-v3": "avx2", "x86-64-v4": "avx512f"}  # and a flag that says the processor has it


def inputs(header):
    lists = re.findall(r"kHard\w+\[\] = \{(.*?)\};", header.read_text(), re.S)
    hard = [int(x, 16) for text in lists for x in re.findall(r"0x[0-9A-F]{8}", text)]
    powers = [(e << 23) + d & 0x7FFFFFFF for e in range(256) for d in (-1, 0, 1)]
    special = [0x7FC00000, 0x7F800001, 0x7FFFFFFF, 0xFF812345, 0xFF800000, 0x80000000, 0x80000001, 0x807FFFFF]
    draws = np.random.default_rng(7).integers(0, 1 << 32, 1500)
    bits = hard + powers + [x | 0x80000000 for x in powers] + special + list(draws)
    return np.array(bits, np.uint64).astype(np.uint32).view(np.float32)


def main():
    tool, header, scratch = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    x = inputs(header)
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)
    graph = helper.make_graph([helper.make_node(op, ["x"], [op.lower()]) for op in OPERATORS], "functions",
                              [value("x")], [value(op.lower()) for op in OPERATORS])
    model, given, found = scratch / "functions.onnx", scratch / "x.safetensors", scratch / "y.safetensors"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), model)
    save(given, {"x": x})

    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    flags = set(flags.group(1).split()) if flags else set()
    ways = ["--backend=reference", *(f"--backend=cpu --instruction-set={name}" for name, flag in LEVELS.items() if flag in flags),
            "--backend=ptx-sim", "--backend=ptx-sim --sm=75"]
    first = None
    for way in ways:
        subprocess.run([tool, "infer", model, "--inputs", given, "--outputs", found, *way.split(), "--quiet",
                        "--no-cache"], check=True, timeout=300)
        results = {name: tensor.view(np.uint32) for name, tensor in load(found).items()}
        first = results if first is None else first
        for name, bits in results.items():
            for i in np.flatnonzero(bits != first[name])[:4]:
                print(f"{way}: {name} of {x.view(np.uint32)[i]:08x} is {bits[i]:08x}, not {first[name][i]:08x}")
            if not np.array_equal(bits, first[name]):
                return 1
    print(f"{len(first)} functions of {x.size} inputs have one result in {len(ways)} ways")
    return 0


if __name__ == "__main__":
    sys.exit(main())
