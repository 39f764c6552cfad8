"""Every model under CASES through the dialect and back: ONNX's checker accepts what
comes back, and onnxruntime computes the same bits.

    round_trip_cases.py TRANSLATE CASES WORK
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime


def feed(session):
    """Small inputs from a fixed seed: integers are token ids or masks, so 0 and 1."""
    random = np.random.default_rng(7)
    values = {}
    for i in session.get_inputs():
        shape = [d if isinstance(d, int) else 2 for d in i.shape]
        if i.type == "tensor(float)":
            values[i.name] = random.standard_normal(shape, dtype=np.float32)
        else:
            values[i.name] = random.integers(0, 2, shape).astype(np.int64)
    return values


def run(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(None, feed(session))))


def compare(before, after):
    """What is wrong with `after`, or nothing."""
    onnx.checker.check_model(str(after), full_check=True)
    a, b = run(before), run(after)
    if list(a) != list(b):
        return f"outputs {list(b)} instead of {list(a)}"
    for name in a:
        if a[name].dtype != b[name].dtype or a[name].tobytes() != b[name].tobytes():
            return f"output '{name}' differs"
    return None


def main():
    translate, cases, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    pairs = [(p, work / f"{p.parent.name}.onnx") for p in sorted(cases.glob("*/model.onnx"))]
    listing = work / "list"
    listing.write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    done = subprocess.run([translate, "--onnx-round-trip", str(listing)], capture_output=True, text=True)
    states = dict(line.split("\t") for line in done.stdout.splitlines())
    failures = 0
    for before, after in pairs:
        state = states.get(str(before), "no answer")
        fault = compare(before, after) if state == "ok" else state
        if fault:
            failures += 1
            print(f"{before.parent.name}: {fault}")
    print(f"{len(pairs) - failures} of {len(pairs)} models come back with the same bits")
    return failures or not pairs


if __name__ == "__main__":
    sys.exit(bool(main()))
