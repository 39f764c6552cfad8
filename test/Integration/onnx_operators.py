"""Runs ONNX's own tests of operators: what is supported gives ONNX's results, everything else is refused by name.

usage: onnx_operators.py GENSYN_RUN [--every N] [--from N] [--only TEXT] [--list] [--arguments "--backend=cpu"]
                         [--same "--backend=ptx-sim --sm=75"]... [--assemble PTXAS]

Each test is a model of one node (or its function body) with inputs and results. ONNX's own tolerances are used
(relative 1e-3, absolute 1e-7, where a test has no other): its results are numpy's, not correctly rounded ones.
Every way of --same must have the first one's bits, and refuse what that refuses.
With --assemble the PTX of each test goes through the auditor and NVIDIA's assembler, for the GPU generations in turn.
Ends with `N agree, N refused, N differ`; exit 1 where one differs or fails otherwise than by exit code 4.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import warnings

import ml_dtypes
import numpy as np
import onnx

import onnx_cases
from gpu_generations import GENERATIONS
from limits import seconds

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "KnownResults"))
import safetensors  # noqa: E402

warnings.filterwarnings("ignore")
# Random operators: results are not a function of the inputs alone.
RANDOM = ("bernoulli", "dropout", "randomuniform", "multinomial")
# ONNX's own expectation is wrong for these: its inference gives STFT all bins, even if only half are requested. For the
# others its reference disagrees with all runtimes: docs/decisions/2026-11-22-onnx-as-runtimes-read-it.md.
WRONG = ("test_stft", "test_resize_downsample_scales_linear_align_corners", "test_resize_downsample_scales_cubic_align_corners",
         "test_maxunpool_export_with_output_shape")
# Results are compared as bit patterns.
safetensors.CODES.update({
    np.dtype(ml_dtypes.bfloat16): "BF16", np.dtype(ml_dtypes.float8_e4m3fn): "F8_E4M3",
    np.dtype(ml_dtypes.float8_e4m3fnuz): "F8_E4M3FNUZ", np.dtype(ml_dtypes.float8_e5m2): "F8_E5M2",
    np.dtype(ml_dtypes.float8_e5m2fnuz): "F8_E5M2FNUZ", np.dtype(ml_dtypes.float8_e8m0fnu): "F8_E8M0"})
# Operands that configure a node, although they are floats.
PARAMETERS = ("scales", "roi")


def plain(value):
    """As numpy has it; None for sequences, optionals, strings and types that files of tensors lack."""
    if not isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, (int, float, bool)):
        return None
    value = np.asarray(value)
    return value if value.dtype in safetensors.CODES else None


def is_parameter(name, array):
    """What may be a constant: sizes, axes, scales and the like."""
    return (array.dtype in (np.int64, np.int32) or array.size <= 1 or array.dtype == bool and array.ndim == 0
            or name in PARAMETERS)


def prepare(case, given, expected, path):
    """Writes the model with everything as a constant that is not in `given`."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for value, data in zip(list(model.graph.input), case.data_sets[0][0]):
        if value.name not in given:
            model.graph.initializer.append(onnx.numpy_helper.from_array(plain(data), value.name))
            model.graph.input.remove(value)
    # Sizes that depend on data are declared.
    for value, want in zip(model.graph.output, expected):
        for dim, size in zip(value.type.tensor_type.shape.dim, want.shape):
            dim.dim_value = size
    onnx.save(model, path + ".onnx")
    safetensors.save(path + ".in", given)


def infer(tool, path, way):
    """The exit code, what is said, and the outputs."""
    command = [tool, "infer", path + ".onnx", "--inputs", path + ".in", "--outputs", path + ".out", "--quiet"]
    done = subprocess.run(command + way, capture_output=True, text=True, timeout=seconds(300))
    return done.returncode, done.stderr.strip(), safetensors.load(path + ".out") if done.returncode == 0 else {}


def difference(case, have, want):
    """What a result is off by; empty where it is near enough."""
    if have is None or have.shape != want.shape:
        return f"is {None if have is None else have.shape}, expected {want.shape}"
    if have.dtype != want.dtype:  # a narrow float, read as its bits
        have = have.view(want.dtype)
    exact, want = have.astype(np.float64), want.astype(np.float64)
    # If terms cancel, as in transforms and norms, a float32 sum is off by roundings of its largest terms.
    finite = np.abs(want[np.isfinite(want)]) if want.size else np.zeros(0)
    cancelling = 8 * 2.0**-24 * finite.max(initial=0.0) if have.dtype.kind == "f" else 0
    if have.dtype == np.float16:  # one rounding; ONNX's values have one after each operation
        cancelling = 2.0**-11 * finite.max(initial=0.0)
    if have.dtype == ml_dtypes.bfloat16:
        cancelling = 2.0**-7 * finite.max(initial=0.0)
    if np.allclose(exact, want, rtol=case.rtol or 1e-3, atol=max(case.atol or 1e-7, cancelling), equal_nan=True):
        return ""
    return f"is off by {np.nanmax(np.abs(exact - want)):.2e}"


def assemble(tool, path, ptxas, target):
    """What the auditor or the assembler has against the PTX of the model."""
    beside = os.path.dirname(tool)
    for command in ([os.path.join(beside, "gensyn-translate"), "--onnx-to-ptx", "--kind=infer", f"--sm={target}",
                     path + ".onnx", "-o", path + ".ptx"],
                    [os.path.join(beside, "gensyn-ptx"), "audit", path + ".ptx"],
                    [ptxas, f"-arch=sm_{target}", path + ".ptx", "-o", path + ".cubin"]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds(300))
        if done.returncode:
            return f"{os.path.basename(command[0])} for sm_{target}: {(done.stdout + done.stderr).strip()[:300]}"
    return ""


def run(case, tool, ways, folder, ptxas, target):
    """'agree', 'refused' or 'differ', and why."""
    inputs, outputs = case.data_sets[0]
    every = {i.name: plain(value) for i, value in zip(case.model.graph.input, inputs)}
    expected = [plain(value) for value in outputs]
    if any(value is None for value in every.values()) or any(value is None for value in expected):
        return "refused", "the test's own values are not supported by numpy"
    path = os.path.join(folder, case.name)
    few = {name: value for name, value in every.items() if not is_parameter(name, value)}
    # A program without inputs is folded at compile time, so targets are compared on inputs that are not constants where
    # possible.
    forms = [every, few] if len(ways) > 1 and len(few) < len(every) else [few]
    for given in forms:
        prepare(case, given, expected, path)
        code, said, found = infer(tool, path, ways[0])
        if code == 0 or given is forms[-1]:
            break
    if code not in (0, 4):
        return "differ", f"exit {code}: {said[:300]}"
    for name, want in zip([o.name for o in case.model.graph.output] if code == 0 else [], expected):
        if why := difference(case, found.get(name), want):
            return "differ", f"'{name}' {why}"
    for way in ways[1:]:
        other = infer(tool, path, way)
        if other[0] != code:
            return "differ", f"by {' '.join(way)}: exit {other[0]}, not {code}: {other[1][:300]}"
        for name, first in found.items():
            second = other[2].get(name)
            if second is None or first.shape != second.shape or first.tobytes() != second.tobytes():
                return "differ", f"'{name}' has other bits by {' '.join(way)}"
    if ptxas and code == 0 and (why := assemble(tool, path, ptxas, target)):
        return "differ", why
    for suffix in (".onnx", ".in", ".out", ".ptx", ".cubin"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    return ("agree", "") if code == 0 else ("refused", said.splitlines()[0].split(".onnx: ", 1)[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--arguments", default="--backend=reference")
    parser.add_argument("--same", action="append", default=[])
    parser.add_argument("--assemble", default="")
    options = parser.parse_args()
    ways = [way.split() for way in [options.arguments, *options.same]]
    nodes, models = onnx_cases.load()
    # Derivatives belong to graphs, so their tests are with those of models.
    gradients = [case for case in models if case.name.startswith("test_gradient")]
    cases = [case for case in [*nodes, *gradients]
             if options.only in case.name and not any(word in case.name for word in RANDOM + WRONG)]
    cases = sorted(cases, key=lambda case: case.name)[options.first :: options.every]
    count = collections.Counter()
    reasons = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(case.name, pool.submit(run, case, options.tool, ways, folder, options.assemble,
                                        GENERATIONS[i % len(GENERATIONS)])) for i, case in enumerate(cases)]
        for name, job in jobs:
            what, why = job.result()
            count[what] += 1
            if what == "refused":
                reasons[re.sub(r"'[^']*'", "'..'", why)] += 1
            if what == "differ" or options.list and what == "refused":
                print(f"{what} {name}: {why}")
    for why, number in reasons.most_common():
        print(f"{number:5} refused: {why}")
    print(f"{count['agree']} agree, {count['refused']} refused, {count['differ']} differ")
    return 1 if count["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
