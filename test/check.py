#!/usr/bin/env python3
"""Runs every test of a build folder: check.py BUILD [lit argument ...].

Two lit suites, test/ (tools) and test/unit/ (GoogleTest binaries). Ends with
`N passed, N failed, N skipped` after a line for each reason to skip and the tests
that took longest.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The features that a machine may lack, and their tests.
NEEDS = {
    "keras-jax": "no Python with Keras, jax, jax2onnx and pytest: GENSYN_KERAS_PYTHON names one",
    "keras-tensorflow": "no Python with Keras, TensorFlow, tf2onnx and pytest: GENSYN_KERAS_PYTHON names one",
    "keras-torch": "no Python with Keras, PyTorch, onnxscript and pytest: GENSYN_KERAS_PYTHON names one",
    "no-driver": "there is an NVIDIA driver",
    "aarch64": "the cross compiler for AArch64 or its emulator is absent",
    "grpc": "gRPC or its compiler plug-in is absent",
    "openssl": "OpenSSL's libcrypto or its headers are absent",
    "nvcc": "nvcc absent",
    "mpich": "MPICH or its launcher mpirun.mpich is absent",
    "openmpi": "Open MPI or its launcher mpirun.openmpi is absent",
    "cuda-stub": "the CUDA toolkit's stand-in for libcuda.so is absent",
    "cuda-header": "the CUDA toolkit's cuda.h is absent",
    "ptxas": "ptxas absent",
    "python": "the tests' Python environment is absent",
    "python-package": "the Python package is not built: nanobind absent, or sanitizers",
    "python-tools": "the tests' Python lacks mypy or ruff",
    "site-tools": "no Sphinx: make site installs it",
    "torch": "no Python with PyTorch, onnxscript and pytest: GENSYN_TORCH_PYTHON names one",
    "transformers": "the Python with PyTorch lacks transformers",
    "x86-64-v3": "the processor lacks AVX2",
    "x86-64-v4": "the processor lacks AVX-512",
    "x86-64-v4+vnni": "the processor lacks AVX-512 VNNI",
    "x86-64-v4+amx": "the processor lacks AMX",
    "sanitizers": "not with sanitizers",
}
SLOWEST = 12  # tests whose seconds are printed
FAILED = {"FAIL", "TIMEOUT", "UNRESOLVED", "XPASS"}


def reason(output):
    """Of a skipped test, from what lit says about it."""
    match = re.search(r"(?:unavailable features|features and/or targets): ([\w, .+-]+)", output)
    names = [name.strip() for name in match.group(1).split(",")] if match else []
    return ", ".join(NEEDS.get(name, f"{name} absent") for name in names) or "not for this machine"


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: check.py BUILD [lit argument ...]")
    build = os.path.abspath(sys.argv[1])
    lit = os.environ.get("LIT", "lit-22")
    # What the tests of a suite share; see lit.cfg.py.
    shutil.rmtree(os.path.join(build, "test", "shared"), ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.json")
        words = [lit, "--output", report]
        words += ["--succinct", "--verbose"]
        # One more than processors: some tests wait for time-outs.
        words += ["--workers", str(len(os.sched_getaffinity(0)) + 1)]
        words += [] if sys.stdout.isatty() else ["--no-progress-bar"]
        done = subprocess.run(words + sys.argv[2:] + [os.path.join(build, "test"), os.path.join(build, "test", "unit")])
        if not os.path.exists(report):
            sys.exit(done.returncode or 1)
        with open(report) as file:
            tests = json.load(file)["tests"]
    elapsed = sum(test["elapsed"] for test in tests)
    print(f"{elapsed:.0f} s of tests; the longest:")
    for test in sorted(tests, key=lambda test: -test["elapsed"])[:SLOWEST]:
        print(f"{test['elapsed']:6.1f} s  {test['name']}")
    count = collections.Counter()
    skipped = collections.Counter()
    for test in tests:
        code = test["code"]
        if code in FAILED:
            count["failed"] += 1
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            count["skipped"] += 1
            skipped[reason(test.get("output", ""))] += 1
        else:
            count["passed"] += 1
    for why, number in sorted(skipped.items()):
        print(f"skipped {number}: {why}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    # A suite without tests has not passed.
    sys.exit(1 if count["failed"] or done.returncode or not count["passed"] else 0)


if __name__ == "__main__":
    main()
