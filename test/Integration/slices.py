#!/usr/bin/env python3
"""Contractions of --accuracy sliced, beside slices_r1 of docs/Numerics.md in numpy's integers.

  slices.py TOOL SCRATCH [--instruction-set NAME] [--figures]

Matrix products of f32 and f16, a batch of them, heads of an attention and a convolution, of numbers of several
distributions and of rows with infinities, NaNs, zeros, subnormal and huge numbers: on the reference, the CPU and the
PTX simulator, or an instruction set of the CPU alone, each result has the bits of the rule, its error is in the bound
that is stated there, and where rows are ordinary it is less than that of `fast`, root mean square. --figures prints
the errors, relative to the sum of the terms' absolute values, as powers of two. Exit 1 where something differs.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parent / "KnownResults"))
from safetensors import load, save

TARGETS = (("reference",), ("cpu",), ("ptx-sim",))
M, N, K = 9, 7, 200


def slices(rows, narrow):
    """The slices of rows of f32, the most significant first, and the rows' exponents."""
    count, b = (3, 22) if narrow else (4, 30)
    pattern = np.abs(rows).max(axis=-1, keepdims=True).view(np.int32)
    e = np.maximum((pattern + (1 << 16)) >> 23, 1)
    with np.errstate(all="ignore"):
        # Exact: 52 bits, of which f32 has 24, and no exponent is out of range.
        integers = np.rint(rows.astype(np.float64) * np.exp2((b + 127 - e).astype(np.float64)))
    integers = np.where(np.isfinite(integers), integers, 0).astype(np.int64)
    found = []
    for _ in range(count):
        low = ((integers + 128) & 255) - 128
        found.append(low)
        integers = (integers - low) >> 8
    return found[::-1], e, ~np.isfinite(np.abs(rows).max(axis=-1, keepdims=True))


def contract(left, right, narrow):
    """The products of all rows of [..., m, k] and [..., n, k], by the rule."""
    b, count = (22, 3) if narrow else (30, 4)
    (x, e, odd), (y, f, odd_too) = slices(left, narrow), slices(right, narrow)
    turned = lambda array: np.swapaxes(array, -1, -2)
    total = np.zeros((1,), np.int64)
    for p in range(count):
        for q in range(count):
            if p + q <= 3:
                total = total + (x[p] @ turned(y[q])) * np.int64(256 ** (3 - p - q))
    power = np.clip(e + turned(f) - 254 - 2 * b + 8 * (2 * count - 5), -252, 252)
    half = power >> 1
    with np.errstate(all="ignore"):
        result = (
            total.astype(np.float32) * np.exp2(half.astype(np.float32)) * np.exp2((power - half).astype(np.float32))
        )
    return np.where(odd | turned(odd_too), np.float32(np.nan), result + np.float32(0)).astype(np.float32)


def bound(left, right, point_error, result):
    """By slices_r1: of the result's rounding, and of each point."""
    with np.errstate(all="ignore"):
        largest = lambda rows: np.maximum(np.abs(rows.astype(np.float64)).max(axis=-1, keepdims=True), 2.0**-126)
        rows = largest(left) * np.swapaxes(largest(right), -1, -2)
    return np.abs(result) * 2.0**-24 + 2.0**-150 + left.shape[-1] * point_error * rows


def distributions(rng):
    """name -> the rows of both operands, and whether they are ordinary, so that `fast` is worse."""
    normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    heavy = lambda *shape: rng.standard_t(3, shape).astype(np.float32)
    yield "normal", normal(M, K), normal(N, K), True
    yield "heavy tails", heavy(M, K), heavy(N, K), True
    left, right = normal(M, K), normal(N, K)
    left[:, K // 2 :], right[:, K // 2 :] = left[:, : K // 2], -right[:, : K // 2] * 1.001
    yield "cancelling", left, right, True
    left = normal(M, K)
    left[:, 3] *= 1000
    yield "one large column", left, normal(N, K), True
    left = normal(M, K)
    left[2] *= 1e6
    yield "one large row", left, normal(N, K), True
    integers = rng.integers(-100, 101, (M, K)).astype(np.float32)
    # Both exact.
    yield "integers", integers, rng.integers(-100, 101, (N, K)).astype(np.float32), False
    yield "huge and tiny", normal(M, K) * np.float32(1e30), normal(N, K) * np.float32(1e-35), True
    # -128 in all slices but the first, and in the right operand's too: the products that are left out have one sign.
    far = np.full((2, K), -0x808080 * 2.0**-30, np.float32)
    far[0, 0] = far[1, 1] = 1
    yield "far off", far[:1], far[1:], False
    odd = normal(M, K)
    odd[0], odd[1, 5], odd[2, 6], odd[3] = 0, np.inf, np.nan, odd[3] * np.float32(1e-42)
    odd[4, 7], odd[5] = np.finfo(np.float32).max, odd[5] * np.float32(1e37)
    # Elements whose first slice would be 128 if exponents were not rounded up.
    odd[6], odd[7, ::2] = np.float32(1 - 2**-24), np.float32(-0.9999)
    other = normal(N, K)
    other[0, 9], other[1], other[2] = -np.inf, other[1] * np.float32(1e-40), other[2] * np.float32(1e38) / 5
    yield "odd rows", odd, other, False


def model(kind, element, left, right):
    """x and w of these shapes -> y, and the element type of all."""
    attributes = {"Conv": {"pads": [2, 2]}, "Einsum": {"equation": "bthd,bshd->bhts"}}
    node = helper.make_node(kind, ["x", "w"], ["y"], **attributes.get(kind, {}))
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node], "g", [value("x", element, left), value("w", element, right)], [value("y", element, None)]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


class Checks:
    def __init__(self, tool, scratch, targets, figures):
        self.tool, self.scratch, self.targets, self.figures = tool, scratch, targets, figures
        self.good = self.total = 0

    def infer(self, name, accuracy, *options):
        words = [
            self.tool,
            "infer",
            f"{name}.onnx",
            "--inputs",
            f"{name}.st",
            "--outputs",
            "y.st",
            "--accuracy",
            accuracy,
            *options,
        ]
        done = subprocess.run(words, check=False, cwd=self.scratch, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
        return load(self.scratch / "y.st")["y"]

    def point_error(self, name):
        """Of the one contraction of a model, as `info` prints it."""
        words = [self.tool, "info", f"{name}.onnx", "--accuracy", "sliced", "--orders", "--kernels", "--json"]
        done = subprocess.run(words, check=True, cwd=self.scratch, capture_output=True, text=True)
        facts = json.loads(done.stdout)
        (order,) = facts["orders"]
        (same,) = (order for kernel in facts["kernels"] for order in kernel["orders"])
        self.check(f"{name}: other bounds of the kernel than of the program", order == same)
        return order["point_error"]

    def check(self, what, good):
        self.total += 1
        self.good += bool(good)
        if not good:
            print(f"WRONG: {what}")

    def run(self, name, kind, x, w, rule, element=TensorProto.FLOAT):
        """`rule` is the expected result; all targets must have its bits."""
        onnx.save(model(kind, element, x.shape, w.shape), self.scratch / f"{name}.onnx")
        save(self.scratch / f"{name}.st", {"x": x, "w": w})
        for target in self.targets:
            got = self.infer(name, "sliced", "--backend", *target)
            same = (got.view(np.uint8) == rule.view(np.uint8)).all()
            self.check(f"{name} on {target[-1]}: other bits than the rule's", same)

    def products(self):
        rng = np.random.default_rng(7)
        for number, (what, left, right, is_ordinary) in enumerate(distributions(rng)):
            rule = contract(left, right, narrow=False)
            name = f"product{number}"
            self.run(name, "MatMul", left, np.ascontiguousarray(right.T), rule)
            with np.errstate(all="ignore"):
                true = left.astype(np.float64) @ right.T.astype(np.float64)
                terms = np.abs(left).astype(np.float64) @ np.abs(right.T).astype(np.float64)
                known = np.isfinite(rule) & np.isfinite(true)
                error = np.abs(rule - true)
                most = bound(left, right, self.point_error(name), true)
            self.check(f"{what}: error above the bound", (error <= most)[known].all())
            if what == "far off":
                self.check("a bound that nothing is near", (error > most / 2).all())
            if not is_ordinary:
                continue
            fast = np.abs(self.infer(name, "fast") - true)
            root = lambda error, terms=terms: np.sqrt(((error / terms) ** 2).mean())
            self.check(f"{what}: error not below that of fast", root(error) < root(fast))
            if self.figures:
                print(f"{what:18} fast 2^{np.log2(root(fast)):.1f}, sliced 2^{np.log2(root(error)):.1f}")

    def others(self):
        rng = np.random.default_rng(8)
        normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
        x, w = normal(3, M, K), normal(3, K, N)
        self.run("batch", "MatMul", x, w, contract(x, np.ascontiguousarray(np.swapaxes(w, 1, 2)), narrow=False))
        x, w = normal(M, K).astype(np.float16), normal(N, K).astype(np.float16)
        wide = contract(x.astype(np.float32), w.astype(np.float32), narrow=True)
        self.run("half", "MatMul", x, np.ascontiguousarray(w.T), wide.astype(np.float16), TensorProto.FLOAT16)
        true = x.astype(np.float64) @ w.T.astype(np.float64)
        within = np.abs(wide - true) <= bound(x, w, self.point_error("half"), true)
        self.check("f16: error above the bound", within.all())
        # Two slices of 127: an i32 has no room for the sum of both products of 70,000 points, nor for one of 140,000.
        for points in (70_000, 140_000):
            x, w = (np.full((2, points), 127 / 64 + 127 / 16384, np.float32) for _ in range(2))
            w[1] = normal(points)
            self.run(f"long{points}", "MatMul", x, np.ascontiguousarray(w.T), contract(x, w, narrow=False))
        # Heads of an attention: rows are in another order than in the result.
        x, w = normal(2, 11, 3, 80), normal(2, 5, 3, 80)
        rule = contract(*(np.ascontiguousarray(np.swapaxes(y, 1, 2)) for y in (x, w)), narrow=False)
        self.run("heads", "Einsum", x, w, rule)
        # A row of the first operand is an image: all its windows have its exponent.
        x, w = normal(2, 20, 11), normal(4, 20, 5)
        padded = np.pad(x, ((0, 0), (0, 0), (2, 2)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, 5, axis=2)  # [2, 20, 11, 5]
        rows = windows.transpose(0, 2, 1, 3).reshape(2, 11, 100)
        rule = np.stack([self.of_image(rows[i], x[i], w.reshape(4, 100)) for i in range(2)])
        self.run("convolution", "Conv", x, w, np.ascontiguousarray(np.swapaxes(rule, 1, 2)))

    @staticmethod
    def of_image(rows, image, weights):
        """Rows with the exponent of their image: it is appended to each, times zeros."""
        flat = np.broadcast_to(image.ravel(), (len(rows), image.size))
        zeros = np.zeros((len(weights), image.size), np.float32)
        return contract(
            np.ascontiguousarray(np.concatenate([rows, flat], 1)), np.concatenate([weights, zeros], 1), narrow=False
        )


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    targets = TARGETS
    if "--instruction-set" in sys.argv:
        name = sys.argv[sys.argv.index("--instruction-set") + 1]
        targets = (("cpu", "--instruction-set", name),)
    checks = Checks(tool, scratch, targets, "--figures" in sys.argv)
    checks.products()
    checks.others()
    print(f"{checks.good} of {checks.total} checks passed")
    return 0 if 0 < checks.total == checks.good else 1


if __name__ == "__main__":
    sys.exit(main())
