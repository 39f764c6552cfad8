#!/usr/bin/env python3
"""Training runs whose numbers stop being finite: what is said, and what is saved.

  non_finite.py TOOL SCRATCH

Each model makes a NaN or an infinity in an op of its own; the run must stop with exit 3 and name that op, with the same
words on every device, and leave the state before the step. Exit 1 where it does not.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

WAYS = ["--backend=cpu", "--backend=reference", "--backend=ptx-sim"]


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs.split(), [output], name=op.lower(), **attributes)


# Nodes, initializers besides w[2,1], the step size, the batch's x and target, and the expected error.
CASES = {
    # w decreases until x w is negative.
    "logarithm": ([node("MatMul", "x w", "h"), node("Log", "h", "y")], {}, 0.2, lambda x: (abs(x) + 0.1, -3),
                  r"the loss of step \d+ is NaN: node 'log' \(Log\) made the first NaN, element \d of float32\[4,1\]"),
    "overflow": ([node("MatMul", "x w", "h"), node("Exp", "h", "y")], {}, 0.0, lambda x: (x * 0 + 50, 0),
                 r"the loss of step 1 is infinite: node 'exp' \(Exp\) made the first infinity, element 0 of float32\[4,1\]"),
    # Infinities of a mask are not reported; that of Exp is, and only Sub makes a NaN of it.
    "mask": ([node("Where", "mask x low", "m"), node("Softmax", "m", "s"), node("MatMul", "s w", "h"),
              node("Mul", "h big", "b"), node("Exp", "b", "e"), node("Sub", "e e", "y")],
             {"mask": np.array([[True, False]]), "low": np.array(-np.inf, np.float32),
              "big": np.array([100], np.float32)}, 0.1, lambda x: (x, 0),
             r"is NaN: node 'sub' \(Sub\) made the first NaN, element 0 of float32\[4,1\] \(before, node 'exp' \(Exp\) made "
             r"the first infinity, element 0 of float32\[4,1\]\)"),
    # The loss is finite, but the gradient of the root at 0 is not.
    "gradient": ([node("MatMul", "x w", "h"), node("Sub", "h h", "z"), node("Sqrt", "z", "y")], {}, 0.1,
                 lambda x: (x, 1), r"'w' has a NaN after step 1: node '(sqrt|sub|matmul)'"),
}


def make(folder, nodes, constants, rate, data):
    folder.mkdir(parents=True, exist_ok=True)
    tensors = [numpy_helper.from_array(np.array([[4], [1]], np.float32), "w")]
    tensors += [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    recipe = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": rate}, "epochs": 5, "batch_size": 4}
    frozen = [name for name in constants if constants[name].dtype == np.float32]
    (folder / "r.json").write_text(json.dumps({**recipe, "frozen": frozen} if frozen else recipe))
    x, target = data(np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32))
    save(folder / "d.safetensors", {"x": x.astype(np.float32), "target": np.full((40, 1), target, np.float32)})


def train(tool, folder, model, run, *options):
    done = subprocess.run([tool, "train", folder / model, "--recipe", folder / "r.json", "--data",
                           folder / "d.safetensors", "-o", folder / run, "--quiet", "--overwrite", *options],
                          capture_output=True, text=True)
    return done.returncode, re.sub(re.escape(f"{folder}/{run}"), "RUN", done.stderr)


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    failures = []
    for name, (nodes, constants, rate, data, wanted) in CASES.items():
        folder = scratch / name
        make(folder, nodes, constants, rate, data)
        said = [train(tool, folder, "m.onnx", way[10:], way) for way in WAYS]
        code, text = said[0]
        if code != 3 or not re.search("error: .*" + wanted, text) or any(other != said[0] for other in said):
            failures.append(f"{name}: {said}")
        parameters = load(folder / "cpu" / "parameters.safetensors")
        if not all(np.isfinite(value).all() for value in parameters.values()):
            failures.append(f"{name}: what is saved is not finite")
        saved = re.search(r"the state after step (\d+) is saved in RUN/checkpoints/step-\1;", text)
        if saved:
            state = load(folder / "cpu" / "checkpoints" / f"step-{saved[1]}" / "parameters.safetensors")
            if any(state[key].tobytes() != parameters[key].tobytes() for key in parameters):
                failures.append(f"{name}: the checkpoint has other parameters")
        elif "it is the first step" not in text:
            failures.append(f"{name}: {text}")
    folder = scratch / "logarithm"
    code, text = train(tool, folder, "m.onnx", "on", "--on-nan=continue")
    if code != 0 or "is not finite" not in text or len((folder / "on" / "log.jsonl").read_text().split("\n")) != 56:
        failures.append(f"continue: {code} {text}")
    subprocess.run([tool, "compile", folder / "m.onnx", "--recipe", folder / "r.json", "--target=cpu", "--kind=train",
                    "--batch-size=4", "-o", folder / "m.gxe", "--quiet"], check=True)
    code, text = train(tool, folder, "m.gxe", "packed")
    if code != 3 or "note: the op can be named with the ONNX model and the compiler; the state after" not in text:
        failures.append(f"package: {code} {text}")
    for failure in failures:
        print(failure)
    print(f"{len(CASES) + 2 - len(failures)} of {len(CASES) + 2} runs end as they should")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
