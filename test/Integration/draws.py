#!/usr/bin/env python3
"""Models that draw random numbers: the same bits in every way of running them.

  draws.py TOOL SCRATCH

A perceptron with dropout is trained for three steps (the third batch is smaller), and
every operator that draws is run: on the reference interpreter, on the CPU with one and
two threads and with each instruction set, and on the PTX simulator. Then what a draw may
not depend on, and what it must. Prints a line for each; exit 1 where one fails.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

WAYS = ["--backend=reference", "--backend=cpu --threads=1", "--backend=cpu --threads=2", "--backend=ptx-sim"]
FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def ways():
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    yield from WAYS
    for name, flag in (("x86-64", " lm"), ("x86-64-v3", " avx2"), ("x86-64-v4", " avx512vl")):
        if flag in flags:
            yield f"--backend=cpu --instruction-set={name}"


def model(name, nodes, inputs, outputs, initializers, opset=17):
    """`inputs` and `outputs` are names with element types and shapes."""
    values = [[helper.make_tensor_value_info(n, *of[n]) for n in of] for of in (inputs, outputs)]
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in initializers.items()]
    graph = helper.make_graph(nodes, name, *values, tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), name)
    return name


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def perceptron(name, training):
    normal = lambda *shape: np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)
    return model(
        name,
        [node("Dropout", "x low train", "x1"), node("Gemm", "x1 w1 b1", "h"), node("Relu", "h", "a"),
         node("Dropout", "a half train", "d"), node("Gemm", "d w2 b2", "y")],
        {"x": (FLOAT, ["batch", 20])}, {"y": (FLOAT, ["batch", 5])},
        {"w1": normal(20, 48), "b1": normal(48), "w2": normal(48, 5), "b2": normal(5),
         "low": np.float32(0.1), "half": np.float32(0.5), "train": np.array(training)})


def inner_graph(name, nodes, inputs, outputs):
    return helper.make_graph(
        nodes, name, [helper.make_tensor_value_info(n, *of) for n, of in inputs.items()],
        [helper.make_tensor_value_info(n, *of) for n, of in outputs.items()])


def control(name):
    """Draws in a branch and, one each iteration, in a loop; x W goes through both."""
    dropout = lambda x, y: node("Dropout", f"{x} half train", y)
    state = (FLOAT, [16, 8])
    body = inner_graph(
        "body",
        [node("Identity", "go", "go_on"), dropout("h", "dropped"), node("Mul", "dropped w", "next"),
         node("RandomUniformLike", "h", "noise")],
        {"i": (INT64, []), "go": (BOOL, []), "h": state}, {"go_on": (BOOL, []), "next": state, "noise": state})
    branch = lambda side: inner_graph(side, [dropout("x", "d_" + side), node("Mul", f"d_{side} w", side)], {}, {side: state})
    return model(
        name,
        [node("ReduceSum", "x", "sum", keepdims=0), node("Greater", "sum none", "positive"),
         node("If", "positive", "h0", then_branch=branch("then"), else_branch=branch("other")),
         helper.make_node("Loop", ["trips", "", "h0"], ["y", "noises"], body=body)],
        {"x": state}, {"y": state, "noises": (FLOAT, [4, 16, 8])},
        {"w": np.linspace(0.6, 1.5, 8).astype(np.float32), "half": np.float32(0.5), "none": np.float32(0),
         "train": np.array(True), "trips": np.array(4, np.int64)})


def operators(name):
    return model(
        name,
        [node("RandomUniform", "", "uniform", shape=[5, 7], low=-2.0, high=3.0),
         node("RandomUniformLike", "x", "uniform_like", dtype=TensorProto.DOUBLE),
         node("RandomNormal", "", "normal", shape=[3, 11], mean=1.0, scale=2.0),
         node("RandomNormalLike", "x", "normal_like"),
         node("RandomNormalLike", "x", "seeded", seed=4.0), node("RandomNormalLike", "x", "seeded_too", seed=4.0),
         node("Bernoulli", "p", "coin", dtype=BOOL), node("Bernoulli", "p", "coin_float"),
         node("Multinomial", "logits", "classes", sample_size=50, dtype=INT64),
         node("Dropout", "x ratio train", "dropped kept"), node("Dropout", "x all train", "nothing"),
         node("Dropout", "x none train", "everything")],
        {"x": (FLOAT, ["n", 6]), "p": (FLOAT, [4, 40]), "logits": (FLOAT, [2, 5])},
        {"uniform": (FLOAT, [5, 7]), "uniform_like": (TensorProto.DOUBLE, ["n", 6]), "normal": (FLOAT, [3, 11]),
         "normal_like": (FLOAT, ["n", 6]), "seeded": (FLOAT, ["n", 6]), "seeded_too": (FLOAT, ["n", 6]),
         "coin": (BOOL, [4, 40]), "coin_float": (FLOAT, [4, 40]), "classes": (INT64, [2, 50]),
         "dropped": (FLOAT, ["n", 6]), "kept": (BOOL, ["n", 6]), "nothing": (FLOAT, ["n", 6]),
         "everything": (FLOAT, ["n", 6])},
        {"ratio": np.float32(0.25), "all": np.float32(1), "none": np.float32(0), "train": np.array(True)})


def run(tool, *words):
    subprocess.run([tool, *map(str, words), "--quiet", "--no-cache"], check=True)


def same(a, b):
    return a.keys() == b.keys() and all(a[n].dtype == b[n].dtype and a[n].tobytes() == b[n].tobytes() for n in a)


def losses(folder):
    lines = [json.loads(line) for line in Path(folder, "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if "loss" in line]


def check(what, holds):
    print(("ok    " if holds else "WRONG ") + what)
    return bool(holds)


def check_training(tool, scratch):
    rng = np.random.default_rng(0)
    data = {"x": rng.normal(size=(80, 20)).astype(np.float32), "target": rng.integers(0, 5, size=80)}
    save("data.safetensors", data)
    recipe = {"loss": {"kind": "softmax_cross_entropy"}, "optimizer": {"kind": "SGD", "lr": 0.1},
              "batch_size": 32, "seed": 7}
    Path("recipe.json").write_text(json.dumps(recipe))
    Path("other.json").write_text(json.dumps({**recipe, "seed": 8}))
    train = lambda name, out, *words: run(
        tool, "train", name, "--data=data.safetensors", "--eval-data=data.safetensors", "-o", out, *words)
    perceptron("dropout.onnx", True)
    perceptron("plain.onnx", False)
    results = []
    for i, way in enumerate(ways()):
        train("dropout.onnx", f"run{i}", "--recipe=recipe.json", *way.split())
        results.append((losses(f"run{i}"), load(f"run{i}/parameters.safetensors")))
    yield f"three steps with dropout, {len(results)} ways", all(
        len(l) == 3 and l == results[0][0] and same(p, results[0][1]) for l, p in results)
    train("dropout.onnx", "other", "--recipe=other.json")
    yield "another seed drops others", losses("other")[0] != results[0][0][0]
    train("plain.onnx", "plain", "--recipe=recipe.json")
    yield "without training_mode nothing drops", losses("plain")[0] != results[0][0][0]
    # An evaluation has no dropout: the trained parameters, evaluated by hand.
    w = results[0][1]
    y = np.maximum(data["x"] @ w["w1"] + w["b1"], 0) @ w["w2"] + w["b2"]
    expected = np.mean(np.log(np.sum(np.exp(y), axis=1)) - y[np.arange(80), data["target"]])
    evaluated = [json.loads(line).get("eval_loss") for line in Path("run0/log.jsonl").read_text().splitlines()]
    yield "an evaluation has no dropout", abs([e for e in evaluated if e is not None][-1] - expected) < 1e-4


def check_operators(tool, scratch):
    operators("operators.onnx")
    probabilities = np.repeat(np.array([0, 1, 0.5, 0.9], np.float32)[:, None], 40, 1)
    logits = np.log(np.array([[0.1, 0.2, 0.3, 0.4, 1e-30], [1e-30, 1, 1, 1, 1]], np.float32))
    for n in (4, 9):
        save(f"{n}.safetensors", {"x": np.ones((n, 6), np.float32), "p": probabilities, "logits": logits})

    def infer(n, *words):
        run(tool, "infer", "operators.onnx", f"--inputs={n}.safetensors", f"--dim=n={n}", "--outputs=out", *words)
        return load("out")

    results = [infer(9, "--seed=5", *way.split()) for way in ways()]
    yield f"all operators that draw, {len(results)} ways", all(same(r, results[0]) for r in results)
    few, many, other = infer(4, "--seed=5"), results[0], infer(4, "--seed=6")
    yield "a sample's draws do not depend on the batch around it", all(
        few[n].tobytes() == many[n][: len(few[n])].tobytes() for n in few)
    yield "without a seed it is 0", same(infer(4), infer(4, "--seed=0"))
    yield "another seed, other bits", all(
        few[n].tobytes() != other[n].tobytes() for n in ("uniform", "normal", "seeded", "coin", "classes", "kept"))
    yield "draws differ, those of one ONNX seed are one", (
        few["seeded"].tobytes() == few["seeded_too"].tobytes() != few["normal_like"].tobytes()
        and few["coin"].tobytes() != few["coin_float"].astype(bool).tobytes())
    yield "probabilities 0 and 1 are exact", (
        not many["coin"][0].any() and many["coin"][1].all() and not many["nothing"].any()
        and (many["everything"] == 1).all())
    yield "dropped is 0, kept is divided", (
        (many["dropped"] == np.where(many["kept"], np.float32(4 / 3), np.float32(0))).all()
        and 0 < many["kept"].mean() < 1)
    yield "classes have their probabilities", (
        set(many["classes"][0]) == {0, 1, 2, 3} and set(many["classes"][1]) == {1, 2, 3, 4})
    yield "uniform numbers lie in their range", (
        (many["uniform"] >= -2).all() and (many["uniform"] < 3).all() and many["uniform"].max() > 1)


def check_control(tool, scratch):
    control("control.onnx")
    save("x.safetensors", {"x": np.ones((16, 8), np.float32), "target": np.ones((16, 8), np.float32)})
    Path("mse.json").write_text(json.dumps({"loss": {"kind": "mse", "prediction": "y"}, "seed": 5}))
    results, gradients = [], []
    for way in ways():
        for command, seed, into in (("infer", "--seed=5", results), ("grad", "--recipe=mse.json", gradients)):
            run(tool, command, "control.onnx", "--inputs=x.safetensors", "--outputs=out", seed, *way.split())
            into.append(load("out"))
    yield f"draws in a branch and in a loop, {len(results)} ways", all(same(r, results[0]) for r in results)
    yield "their gradients draw the same again", all(same(g, gradients[0]) for g in gradients) and (
        # y = 2^5 kept w^5: if the product is 0, so is the gradient.
        ((gradients[0]["x"] != 0) == (results[0]["y"] != 0)).all() and (results[0]["y"] != 0).any())
    noises = results[0]["noises"]
    yield "each iteration draws anew", len({n.tobytes() for n in noises}) == 4


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    import os
    import shutil

    tool = shutil.which(tool) or tool
    os.chdir(scratch)
    for old in scratch.glob("*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    verdicts = [check(*claim) for claims in (check_operators, check_control, check_training) for claim in claims(tool, scratch)]
    print(f"{sum(verdicts)} of {len(verdicts)} claims hold")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
