#!/usr/bin/env python3
"""A second implementation of exp and log in f64, written from docs/Numerics.md alone, which gives the coefficients.

  functions_f64.py TOOL NUMERICS SCRATCH

TOOL is gensyn-run, NUMERICS docs/Numerics.md. Exit 1 where a bit differs.
"""

import ctypes
import ctypes.util
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from limits import seconds

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from functions import doubles  # noqa: E402
from safetensors import load, save  # noqa: E402

library = ctypes.CDLL(ctypes.util.find_library("m"))
fma = library.fma
fma.argtypes, fma.restype = [ctypes.c_double] * 3, ctypes.c_double

number = float.fromhex
R = 1.5 * 2.0**52
L1, L2 = number("0x1.62e42fefa38p-1"), number("0x1.ef35793c7673p-45")
TWO_THIRDS = (number("0x1.5555555555555p-1"), number("0x1.5555555555555p-55"))


def fast(a, b):
    s = a + b
    return s, b - (s - a)


def times(a, b):
    p = a[0] * b[0]
    return p, fma(a[1], b[0], fma(a[0], b[1], fma(a[0], b[0], -p)))


def dd(x, coefficients, t):
    s = fast(coefficients[-1][0], t * x[0])
    p = s[0], s[1] + coefficients[-1][1]
    for c in reversed(coefficients[:-1]):
        u = times(p, x)
        s = fast(c[0], u[0])
        p = s[0], s[1] + (u[1] + c[1] if c[1] else u[1])
    return p


def poly(x, coefficients):
    p = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        p = fma(p, x, c)
    return p


def exp(x, e):
    if math.isnan(x):
        return math.nan
    z = min(max(x, -746.0), 710.0)
    k = fma(z, number("0x1.71547652b82fep0"), R) - R
    f = fma(k, -L1, z)
    r = fma(k, -L2, f)
    p = dd((r, fma(k, -L2, f - r)), [(1.0, 0.0), (1.0, 0.0), (0.5, 0.0)], poly(r, e))
    high, low = fast(*p)
    if k < -1021 and high < 2.0 ** (-1022 - k):
        m = 2.0 ** (-1022 - k)
        w = fast(m, high)
        high = (w[0] + (w[1] + low)) - m
    h = (k * 0.5 + R) - R
    return (high * 2.0**h) * 2.0 ** (k - h)


def log(x, g):
    if math.isnan(x) or x < 0:
        return math.nan
    if x == 0 or x == math.inf:
        return x if x else -math.inf
    tiny = x < 2.0**-1022
    v, k = math.frexp(x * 2.0**54 if tiny else x)  # 1/2 <= v < 1
    if v < number("0x1.6a09e667f3bcdp-1"):
        v, k = 2 * v, k - 1
    k = float(k - 54 if tiny else k)
    f = v - 1
    d = fast(2.0, f)
    b = float(np.float32(1) / np.float32(d[0]))
    e = fma(-d[0], b, 1.0)
    i = fma(b, fma(e, e, e), b)
    q = f * i
    s = q, fma(-q, d[1], fma(-q, d[0], f)) * i
    z = q * q
    p = times(s, dd((z, fma(q + q, s[1], fma(q, q, -z))), [(2.0, 0.0), TWO_THIRDS], poly(z, g)))
    w = fast(k * L1, p[0])
    return w[0] + (w[1] + fma(k, L2, p[1]))


def main():
    tool, text, scratch = sys.argv[1], Path(sys.argv[2]).read_text(encoding="utf-8"), Path(sys.argv[3])
    e, g = ([number(c) for c in re.findall(r"0x\S+", lines)]
            for lines in re.search(r"\n    E  (0x.*?)\n    G  (0x.*?)\n\n", text, re.S).groups())
    x = doubles()
    scratch.mkdir(parents=True, exist_ok=True)
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.DOUBLE, x.shape)
    graph = helper.make_graph([helper.make_node("Exp", ["x"], ["exp"]), helper.make_node("Log", ["x"], ["log"])],
                              "functions", [value("x")], [value("exp"), value("log")])
    model, given, found = scratch / "f64.onnx", scratch / "x.safetensors", scratch / "y.safetensors"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), model)
    save(given, {"x": x})
    subprocess.run([tool, "infer", model, "--inputs", given, "--outputs", found, "--backend=reference", "--quiet",
                    "--no-cache"], check=True, timeout=seconds(300))
    results = load(found)
    for name, function, coefficients in (("exp", exp, e), ("log", log, g)):
        want = np.array([function(float(v), coefficients) for v in x])
        want[np.isnan(want)] = np.nan
        differ = np.flatnonzero(want.view(np.uint64) != results[name].view(np.uint64))
        for i in differ[:4]:
            print(f"{name} of {float(x[i]).hex()} is {float(results[name][i]).hex()}, not {float(want[i]).hex()}")
        if differ.size:
            return 1
    print(f"exp and log of {x.size} numbers are what the text says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
