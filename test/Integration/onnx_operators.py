"""Runs ONNX's own tests of operators: what is supported gives ONNX's results, everything else is refused by name.

usage: onnx_operators.py GENSYN_RUN [--every N] [--only TEXT] [--list] [--arguments "--backend=cpu"]

Each test is a model of one node (or its function body) with inputs and results. ONNX's own tolerances are used
(relative 1e-3, absolute 1e-7, where a test has no other): its results are numpy's, not correctly rounded ones.
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

import numpy as np
import onnx

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "KnownResults"))
import safetensors  # noqa: E402

warnings.filterwarnings("ignore")
# Draws: results are not a function of the inputs alone.
RANDOM = ("bernoulli", "dropout", "randomuniform", "multinomial")
# What ONNX itself says of these is wrong: its inference gives STFT all bins, also where only half are wanted.
WRONG = ("test_stft",)
# Operands that are no data, though they are floats.
PARAMETERS = ("scales", "roi")


def plain(value):
    """As numpy has it; None for sequences, optionals, strings and types that numpy lacks."""
    if not isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, (int, float, bool)):
        return None
    value = np.asarray(value)
    return value if value.dtype in safetensors.CODES else None


def run(case, tool, arguments, folder):
    """'agree', 'refused' or 'differ', and why."""
    inputs, outputs = case.data_sets[0]
    names = [i.name for i in case.model.graph.input]
    given = {name: plain(value) for name, value in zip(names, inputs)}
    expected = [plain(value) for value in outputs]
    if any(value is None for value in given.values()) or any(value is None for value in expected):
        return "refused", "the test's own values are no numbers of numpy"
    path = os.path.join(folder, case.name)
    # What may be a constant is one: sizes, axes, scales and the like.
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for value in list(model.graph.input):
        array = given[value.name]
        if (array.dtype in (np.int64, np.int32) or array.size <= 1 or array.dtype == bool and array.ndim == 0
                or value.name in PARAMETERS):
            model.graph.initializer.append(onnx.numpy_helper.from_array(array, value.name))
            model.graph.input.remove(value)
            del given[value.name]
    # Sizes that depend on data are declared.
    for value, want in zip(model.graph.output, expected):
        for dim, size in zip(value.type.tensor_type.shape.dim, want.shape):
            dim.dim_value = size
    onnx.save(model, path + ".onnx")
    safetensors.save(path + ".in", given)
    command = [tool, "infer", path + ".onnx", "--inputs", path + ".in", "--outputs", path + ".out", "--quiet"]
    done = subprocess.run(command + arguments, capture_output=True, text=True, timeout=300)
    if done.returncode == 4:
        return "refused", done.stderr.strip().splitlines()[0].split(".onnx: ", 1)[-1]
    if done.returncode != 0:
        return "differ", f"exit {done.returncode}: {done.stderr.strip()[:300]}"
    found = safetensors.load(path + ".out")
    wanted = [name for name in (o.name for o in model.graph.output)]
    for name, want in zip(wanted, expected):
        have = found.get(name)
        if have is None or have.shape != want.shape:
            return "differ", f"'{name}' is {None if have is None else have.shape}, expected {want.shape}"
        # Where terms cancel, as in transforms and norms, a float32 sum is off by roundings of its largest terms.
        finite = np.abs(want[np.isfinite(want)].astype(np.float64)) if want.size else np.zeros(0)
        cancelling = 8 * 2.0**-24 * finite.max(initial=0.0) if have.dtype.kind == "f" else 0
        if have.dtype == np.float16:  # one rounding; ONNX's values have one after each operation
            cancelling = 2.0**-11 * finite.max(initial=0.0)
        if not np.allclose(have.astype(np.float64), want.astype(np.float64), rtol=case.rtol or 1e-3,
                           atol=max(case.atol or 1e-7, cancelling), equal_nan=True):
            worst = np.nanmax(np.abs(have.astype(np.float64) - want.astype(np.float64)))
            return "differ", f"'{name}' is off by {worst:.2e}"
    for suffix in (".onnx", ".in", ".out"):
        os.unlink(path + suffix)
    return "agree", ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--arguments", default="--backend=reference")
    options = parser.parse_args()
    from onnx.backend.test.case.node import collect_testcases

    cases = [case for case in collect_testcases(None)
             if options.only in case.name and not any(word in case.name for word in RANDOM + WRONG)]
    cases = sorted(cases, key=lambda case: case.name)[:: options.every]
    count = collections.Counter()
    reasons = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(case.name, pool.submit(run, case, options.tool, options.arguments.split(), folder)) for case in cases]
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
