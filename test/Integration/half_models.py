#!/usr/bin/env python3
"""Models of narrow floats, beside the same models in f32.

  half_models.py TOOL SCRATCH

The twin has the same parameters, widened, so that a run of it has to have the same bits:
by default, and with a recipe that computes in f16. What was trained is rounded back by
`infer --parameters` and by `export`. Exit 1 where something differs.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

TOOL, SCRATCH = sys.argv[1], Path(sys.argv[2])
TYPES = {"f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16, "f32": TensorProto.FLOAT}


def tensor(name, values, type_name):
    """The values, rounded to bf16 (so that every type here has them)."""
    bits = np.asarray(values, np.float32).view(np.uint32) & 0xFFFF0000
    exact = bits.view(np.float32)
    if type_name == "bf16":
        raw = (bits >> 16).astype(np.uint16).tobytes()
    else:
        raw = exact.astype(np.float16 if type_name == "f16" else np.float32).tobytes()
    return helper.make_tensor(name, TYPES[type_name], exact.shape, raw, raw=True)


def write(name, type_name, input_type):
    """Two layers with an epsilon and a cast; the input has a type of its own."""
    rng = np.random.default_rng(3)
    element = TYPES[type_name]
    draw = lambda *shape: rng.integers(-64, 65, shape) / 64
    nodes = [
        helper.make_node("Cast", ["x"], ["h0"], to=element),
        helper.make_node("Gemm", ["h0", "w1", "b1"], ["h1"], transB=1),
        helper.make_node("Tanh", ["h1"], ["h2"]),
        helper.make_node("LayerNormalization", ["h2", "s", "t"], ["h3"], epsilon=1e-3),
        helper.make_node("Mul", ["h3", "half"], ["h4"]),
        helper.make_node("Gemm", ["h4", "w2", "b2"], ["y"], transB=1)]
    tensors = [tensor(n, draw(*shape), type_name)
               for n, shape in {"w1": (8, 4), "b1": (8,), "s": (8,), "t": (8,), "w2": (3, 8), "b2": (3,)}.items()]
    tensors.append(tensor("half", np.full((1, 8), 0.5), type_name))
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", input_type, ["n", 4])],
                              [helper.make_tensor_value_info("y", element, ["n", 3])], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10),
              SCRATCH / f"{name}.onnx")


def run(*words):
    done = subprocess.run([TOOL, *words], cwd=SCRATCH, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def recipe(name, **keys):
    base = {"loss": {"kind": "softmax_cross_entropy"}, "optimizer": {"kind": "Adam", "lr": 1e-4},
            "batch_size": 8, "epochs": 2, "frozen": ["half"]}
    (SCRATCH / f"{name}.json").write_text(json.dumps({**base, **keys}))


def main():
    SCRATCH.mkdir(parents=True)
    recipe("plain")
    recipe("mixed", precision={"compute": "f16", "loss_scale": 1024})
    rng = np.random.default_rng(5)
    x = (rng.integers(-64, 65, (20, 4)) / 32).astype(np.float16)
    target = rng.integers(0, 3, 20)
    save(SCRATCH / "half.st", {"x": x, "target": target})
    save(SCRATCH / "wide.st", {"x": x.astype(np.float32), "target": target})
    good = total = 0
    for kind in ("f16", "bf16"):
        data = {"f16": "half.st", "bf16": "wide.st"}[kind]
        own_input = TensorProto.FLOAT16 if kind == "f16" else TensorProto.FLOAT
        write(kind, kind, own_input)
        write(f"{kind}_twin", "f32", own_input)
        for name in ("plain", "mixed"):
            digests = []
            for model in (kind, f"{kind}_twin"):
                folder = f"run_{model}_{name}"
                run("train", f"{model}.onnx", "--recipe", f"{name}.json", "--data", data, "--eval-data", data,
                    "-o", folder, "--quiet")
                digests.append([line for line in (SCRATCH / folder / "log.jsonl").read_text().splitlines()
                                if '"parameters"' in line])
            total += 1
            moved = load(SCRATCH / f"run_{kind}_{name}" / "parameters.safetensors")
            good += digests[0] == digests[1] and moved["w1"].dtype == np.float32
    # A compiled model of f16 trains with the same bits.
    for name in ("plain", "mixed"):
        run("compile", "f16.onnx", "--recipe", f"{name}.json", "--target", "cpu:x86-64", "--batch-size", "8,4",
            "-o", f"{name}.gxe")
        run("train", f"{name}.gxe", "--data", "half.st", "-o", f"packed_{name}", "--quiet")
        total += 1
        values = [(SCRATCH / folder / "parameters.safetensors").read_bytes()
                  for folder in (f"packed_{name}", f"run_f16_{name}")]
        good += values[0] == values[1]
    # The f32 parameters of a run, loaded back into the f16 model.
    trained = load(SCRATCH / "run_f16_plain" / "parameters.safetensors")
    run("export", "f16.onnx", "--parameters", "run_f16_plain", "-o", "trained.onnx")
    for initializer in onnx.load(SCRATCH / "trained.onnx").graph.initializer:
        if initializer.name in trained:
            found = numpy_helper.to_array(initializer)
            assert found.dtype == np.float16 and (found == trained[initializer.name].astype(np.float16)).all()
    save(SCRATCH / "x.st", {"x": x})
    for model, more in (("trained.onnx", []), ("f16.onnx", ["--parameters", "run_f16_plain"])):
        run("infer", model, *more, "--inputs", "x.st", "--outputs", f"{model}.st")
    assert (SCRATCH / "trained.onnx.st").read_bytes() == (SCRATCH / "f16.onnx.st").read_bytes()
    print(f"{good} of {total} models train as their twins in f32, or uncompiled")
    sys.exit(int(good != total))


main()
