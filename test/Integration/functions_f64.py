#!/usr/bin/env python3
"""A second implementation of the functions in f64, written from docs/Numerics.md alone, which gives the coefficients.

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


def parts(x, e):
    """k, r and y of exp."""
    z = min(max(x, -746.0), 710.0)
    k = fma(z, number("0x1.71547652b82fep0"), R) - R
    f = fma(k, -L1, z)
    r = fma(k, -L2, f)
    p = dd((r, fma(k, -L2, f - r)), [(1.0, 0.0), (1.0, 0.0), (0.5, 0.0)], poly(r, e))
    return k, r, fast(*p)


def scaled(x, k):
    """x 2^k in two steps; 2^1024 is beyond Python's powers."""
    h = (k * 0.5 + R) - R
    return (x * 2.0**h) * 2.0 ** (k - h)


def exp(x, e):
    k, _, (high, low) = parts(x, e)
    if k < -1021 and high < 2.0 ** (-1022 - k):
        m = 2.0 ** (-1022 - k)
        w = fast(m, high)
        high = (w[0] + (w[1] + low)) - m
    return scaled(high, k)


def logarithm(x, g, rest):
    if x < 0:
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
    return w[0] + (w[1] + rest(fma(k, L2, p[1])))


def log(x, g):
    return logarithm(x, g, lambda low: low)


def expm1(x, e):
    if x == 0:
        return x
    k, r, (high, low) = parts(x, e)
    if k == 0:
        return fma(r * r, fma(r, poly(r, e), 0.5), r)
    h, low = scaled(high, k), scaled(low, k)
    if math.isinf(h):
        return h
    s = fast(h, -1.0) if k > 0 else fast(-1.0, h)
    return s[0] + (s[1] + low)


def log1p(x, g):
    if x == 0:
        return x
    u = fast(x, 1.0) if abs(x) > 1 else fast(1.0, x)
    return logarithm(u[0], g, lambda low: low + u[1] / u[0])


def sigmoid(x, e):
    y = exp(-abs(x), e)
    return (y if x < 0 else 1.0) / (1 + y)


def tanh(x, e):
    w = min(abs(x), 22.0)
    y = expm1(w + w, e)
    return math.copysign(y / (y + 2), x)


def erf(x, e, s, c):
    if abs(x) < 1:
        return fma(x, poly(x * x, s), x)
    w = min(abs(x), 6.0)
    t = (w - 2.5) / (w + 2.5)
    return math.copysign(1 - exp(-(w * w), e) * poly(t, c), x)


def elu(x, e):
    return expm1(x, e) if x < 0 else x


def softplus(x, e, g):
    return max(x, 0.0) + log1p(exp(-abs(x), e), g)


def main():
    tool, text, scratch = sys.argv[1], Path(sys.argv[2]).read_text(encoding="utf-8"), Path(sys.argv[3])
    e, g, s, c = ([number(c) for c in re.findall(r"-?0x\S+", lines)] for lines in re.search(
        r"\n    E  (0x.*?)\n    G  (0x.*?)\n    S  (0x.*?)\n    C  (-?0x.*?)\n\n", text, re.S).groups())
    functions = {
        "Exp": lambda x: exp(x, e), "Log": lambda x: log(x, g), "Sigmoid": lambda x: sigmoid(x, e),
        "Tanh": lambda x: tanh(x, e), "Erf": lambda x: erf(x, e, s, c),
        "Elu": lambda x: elu(x, e), "Softplus": lambda x: softplus(x, e, g),
    }
    x = doubles()
    scratch.mkdir(parents=True, exist_ok=True)
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.DOUBLE, x.shape)
    graph = helper.make_graph([helper.make_node(op, ["x"], [op.lower()]) for op in functions], "functions",
                              [value("x")], [value(op.lower()) for op in functions])
    model, given, found = scratch / "f64.onnx", scratch / "x.safetensors", scratch / "y.safetensors"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), model)
    save(given, {"x": x})
    subprocess.run([tool, "infer", model, "--inputs", given, "--outputs", found, "--backend=reference", "--quiet",
                    "--no-cache"], check=True, timeout=seconds(300))
    results = load(found)
    for op, function in functions.items():
        name = op.lower()
        want = np.array([math.nan if math.isnan(v) else function(v) for v in x.tolist()])
        want[np.isnan(want)] = np.nan
        differ = want.view(np.uint64) != results[name].view(np.uint64)
        differ = np.flatnonzero(differ & ~np.isnan(x) if op == "Elu" else differ)  # which passes a NaN on
        for i in differ[:4]:
            print(f"{name} of {float(x[i]).hex()} is {float(results[name][i]).hex()}, not {float(want[i]).hex()}")
        if differ.size:
            return 1
    print(f"{len(functions)} functions of {x.size} numbers are what the text says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
