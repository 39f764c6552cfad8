"""Values that depend on parameters alone are computed once per set of parameters.

usage: prepared_values.py BIN FOLDER

Runs a model whose weights are reordered before they are used: on each back end, as a
model and as a package, on several sets of parameters, and while training changes them.
The bits are those of a program that prepares nothing.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

BIN, FOLDER = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir()
os.chdir(FOLDER)
random = np.random.default_rng(5)
NODES = [
    # The halves of w, exchanged and transposed.
    helper.make_node("Split", ["w"], ["upper", "lower"], num_outputs=2, axis=0),
    helper.make_node("Concat", ["lower", "upper"], ["exchanged"], axis=0),
    helper.make_node("Transpose", ["exchanged"], ["turned"], perm=[1, 0]),
    helper.make_node("Exp", ["b"], ["scale"]),
    helper.make_node("Concat", ["scale", "b"], ["bias"], axis=0),
    helper.make_node("MatMul", ["x", "turned"], ["product"]),
    helper.make_node("Add", ["product", "bias"], ["sum"]),
    helper.make_node("Relu", ["sum"], ["hidden"]),
    helper.make_node("MatMul", ["hidden", "turned"], ["again"]),
    helper.make_node("Softplus", ["again"], ["y"]),
]


def run(*words, code=0):
    made = subprocess.run([BIN / "gensyn-run", *map(str, words)], capture_output=True, text=True, timeout=600)
    assert made.returncode == code, (words, made.stdout, made.stderr)
    return made.stdout + made.stderr


def tensors(count):
    """Parameters, of which each set has other numbers."""
    return {"w": (random.standard_normal((48, 48)) / 8).astype(np.float32) * count,
            "b": random.standard_normal(24).astype(np.float32)}


first = tensors(1)
graph = helper.make_graph(
    NODES, "prepared",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 48])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 48])],
    [numpy_helper.from_array(array, name) for name, array in first.items()])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
pathlib.Path("m.onnx").write_bytes(model.SerializeToString())
save("x.safetensors", {"x": random.standard_normal((5, 48)).astype(np.float32)})
save("second.safetensors", tensors(2))

COMMON = ["--quiet", "--inputs", "x.safetensors"]
BACKENDS = {"cpu": "cpu", "ptx-sim": "sm_90", "reference": "reference"}
for number, parameters in enumerate([[], ["--parameters", "second.safetensors"]]):
    results = []
    for backend, target in BACKENDS.items():
        package = f"{target}.gxe"
        if not number:
            run("compile", "m.onnx", "--target", target, "--batch-size", 5, "-o", package, "--quiet")
        for name, words in {"model": ["m.onnx"], "none": ["m.onnx", "--prepared-memory", 0], "package": [package]}.items():
            output = f"{backend}-{name}-{number}.safetensors"
            run("infer", *words, *COMMON, *parameters, "--backend", backend, "--outputs", output)
            results.append(load(output)["y"])
    assert all(result.tobytes() == results[0].tobytes() for result in results), number
    print(f"parameters {number}: {len(results)} equal results")


def prepared(*words):
    return json.loads(run("info", "m.onnx", "--memory", "--json", "--batch-size", 5, *words).splitlines()[-1])["prepared"]


# The reordered matrix and the bias; on a GPU too. A training step prepares nothing.
recipe = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.05}, "batch_size": 5, "epochs": 4}
pathlib.Path("r.json").write_text(json.dumps(recipe))
assert prepared() >= 48 * 48 * 4, prepared()
assert prepared("--target", "sm_90") >= 48 * 48 * 4
assert prepared("--prepared-memory", 0) == prepared("--memory-budget", "1M") == 0
assert 0 < prepared("--prepared-memory", 200) <= 200
assert prepared("--recipe", "r.json", "--kind", "train") == 0
assert prepared("--recipe", "r.json", "--kind", "eval") > 0
assert "is compiled already" in run("infer", "cpu.gxe", *COMMON, "--outputs", "n", "--prepared-memory", 0, code=2)
print("limits hold")

# Evaluation between the epochs reads parameters that the steps have changed.
for name in ("data", "eval"):
    save(f"{name}.safetensors", {"x": random.standard_normal((20, 48)).astype(np.float32),
                                 "target": random.random((20, 48)).astype(np.float32)})
LINES = {}
for name, words in {"default": [], "none": ["--prepared-memory", 0]}.items():
    text = run("train", "m.onnx", "--recipe", "r.json", "--data", "data.safetensors", "--eval-data", "eval.safetensors",
               "-o", name, "--json", *words)
    events = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    LINES[name] = [(event.get("loss"), event.get("eval_loss"), event.get("parameters"))
                   for event in events if event.get("event") == "epoch"]
assert len(LINES["default"]) == 4 and LINES["default"] == LINES["none"], LINES
assert len({line[1] for line in LINES["default"]}) == 4, LINES
print("evaluations follow the training")
