#!/usr/bin/env python3
"""What a step is made of: running statistics, groups, clipping, microbatches, averages.

  training_steps.py TOOL SCRATCH

A small network is trained for a few steps with each, on the reference interpreter, on the
CPU with one and two threads, and on the PTX simulator, with equal bits; and compared with
numpy: bit by bit where every operation is known, else within the rounding of f32. Prints a
line for each; exit 1 where one fails.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

WAYS = ["--backend=reference", "--backend=cpu --threads=1", "--backend=cpu --threads=2", "--backend=ptx-sim"]
F32 = np.float32


def network(name, normalizes, batch="batch", trains=True, opset=17, stored="mean", notes=False):
    """x [batch,6] -> Gemm -> (BatchNormalization in training, or not) -> Relu -> Gemm -> y [batch,3]."""
    normal = lambda seed, *shape: np.random.default_rng(seed).normal(size=shape).astype(F32)
    node = lambda op, i, o, **a: helper.make_node(op, i.split(), o.split(), **a)
    mode = {"training_mode": 1} if trains and opset >= 14 else {}
    norm = [node("BatchNormalization", f"h scale shift {stored} var", "n mean1 var1" if trains else "n", name="norm",
                 momentum=0.75, **mode)]
    if stored != "mean":
        norm.insert(0, node("Neg", "mean", stored))
    nodes = [node("Gemm", "x w1 b1", "h"), *(norm if normalizes else []),
             node("Relu", "n" if normalizes else "h", "a"), node("Gemm", "a w2 b2", "y")]
    weights = {"w1": normal(1, 6, 5), "b1": normal(2, 5), "w2": normal(3, 5, 3), "b2": normal(4, 3)}
    if normalizes:
        weights |= {"scale": normal(5, 5), "shift": normal(6, 5), "mean": np.full(5, 0.5, F32), "var": np.full(5, 2, F32)}
    value = lambda n, *shape: helper.make_tensor_value_info(n, TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, name, [value("x", batch, 6)], [value("y", batch, 3)],
                              [numpy_helper.from_array(a, n) for n, a in weights.items()])
    for tensor in graph.initializer if notes else ():  # as torch.onnx.export(dynamo=True) notes them
        tensor.metadata_props.add(key="pkg.torch.export.graph_signature.InputSpec.kind",
                                  value="BUFFER" if tensor.name in ("mean", "var") else "PARAMETER")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), name)
    return weights


def run(tool, *words, code=0):
    done = subprocess.run([tool, *map(str, words), "--quiet", "--cache=cache"], capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
    return done.stderr


def rows(folder):
    return [json.loads(line) for line in Path(folder, "log.jsonl").read_text().splitlines()]


def steps(folder):
    return [row for row in rows(folder) if "loss" in row]


def same(a, b):
    return a.keys() == b.keys() and all(a[n].dtype == b[n].dtype and a[n].tobytes() == b[n].tobytes() for n in a)


def close(a, b, tolerance=2e-6):
    return np.max(np.abs(np.asarray(a, np.float64) - b)) <= tolerance * max(1, np.max(np.abs(b)))


class Bench:
    def __init__(self, tool):
        self.tool = tool
        rng = np.random.default_rng(0)
        self.data = {"x": rng.normal(size=(60, 6)).astype(F32), "target": rng.normal(size=(60, 3)).astype(F32)}
        save("data.safetensors", self.data)
        save("eval.safetensors", {n: a[:8] for n, a in self.data.items()})
        self.weights = {n: network(n + ".onnx", n == "norm") for n in ("plain", "norm")}
        network("fixed.onnx", False, batch=4)

    def recipe(self, **keys):
        full = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.5}, "batch_size": 4, **keys}
        Path("recipe.json").write_text(json.dumps(full))
        return "--recipe=recipe.json"

    def train(self, name, out="run", samples=60, way="--backend=cpu", code=0, **keys):
        save("part.safetensors", {n: a[:samples] for n, a in self.data.items()})
        return run(self.tool, "train", name + ".onnx", self.recipe(**keys), "--data=part.safetensors",
                   "--eval-data=eval.safetensors", "-o", out, *(() if "--resume" in way else ("--overwrite",)),
                   *way.split(), code=code)

    def everywhere(self, name, samples, **keys):
        """Parameters and losses of the CPU's run; whether every way has the same bits."""
        found = []
        for i, way in enumerate(WAYS):
            self.train(name, f"way{i}", samples, way, **keys)
            log = [{k: v for k, v in row.items() if "second" not in k} for row in rows(f"way{i}")]
            found.append((load(f"way{i}/parameters.safetensors"), log))
        return found[1], all(same(p, found[0][0]) and log == found[0][1] for p, log in found)

    def gradient(self, begin, name="plain", size=4):
        save("in.safetensors", {n: a[begin : begin + size] for n, a in self.data.items()})
        run(self.tool, "grad", name + ".onnx", self.recipe(), "--inputs=in.safetensors", "--outputs=g.safetensors")
        return load("g.safetensors")


def tree(values):
    """The sum of accumulate_r1, in the type of the values."""
    if len(values) == 1:
        return values[0]
    p = 1 << (len(values) - 1).bit_length() - 1
    return tree(values[:p]) + tree(values[p:])


def check_statistics(bench):
    (found, log), equal = bench.everywhere("norm", 8, frozen=["mean", "var"])
    yield "running statistics, four ways", equal
    w, mean, var = bench.weights["norm"], 0.5, 2.0
    first = load("way0/parameters.safetensors")
    hidden = bench.data["x"][:4].astype(np.float64) @ w["w1"] + w["b1"]
    bench.train("norm", samples=4)
    once = load("run/parameters.safetensors")
    yield "they move by ONNX's rule, with the biased variance", (
        close(once["mean"], 0.75 * mean + 0.25 * hidden.mean(0)) and close(once["var"], 0.75 * var + 0.25 * hidden.var(0)))
    h = bench.data["x"][:8].astype(np.float64) @ first["w1"] + first["b1"]
    n = (h - first["mean"]) / np.sqrt(first["var"] + 1e-5) * first["scale"] + first["shift"]
    y = np.maximum(n, 0) @ first["w2"] + first["b2"]
    evaluated = [row["eval_loss"] for row in log if "eval_loss" in row][-1]
    yield "an evaluation normalizes with them", abs(evaluated - np.mean((y - bench.data["target"][:8]) ** 2)) < 1e-4
    (parts, _), equal = bench.everywhere("norm", 12, accumulate=3, optimizer={"kind": "SGD", "lr": 0.0})
    m = np.full(5, 0.5)
    for i in range(3):
        h = bench.data["x"][4 * i : 4 * i + 4].astype(np.float64) @ w["w1"] + w["b1"]
        m = 0.75 * m + 0.25 * h.mean(0)
    yield "microbatches move them one after the other, four ways", equal and close(parts["mean"], m)


def check_batch_norm(bench):
    network("inference.onnx", True, trains=False)
    network("old.onnx", True, trains=False, opset=11)
    network("noted.onnx", True, trains=False, notes=True)
    network("computed.onnx", True, trains=False, stored="minus")
    (want, log), _ = bench.everywhere("norm", 12, epochs=2)
    for name in ("inference", "old", "noted"):
        (found, other), equal = bench.everywhere(name, 12, epochs=2, batch_norm="train")
        yield f"'batch_norm' trains what the file does not, with the bits of a file that does: {name}", (
            equal and same(found, want) and other == log)
    bench.train("inference", samples=4, frozen=["mean", "var"], batch_norm="as_exported")
    other, _ = load("run/parameters.safetensors"), bench.train("norm", "trained", samples=4)
    yield "which is not how it was exported", other["w1"].tobytes() != load("trained/parameters.safetensors")["w1"].tobytes() and "mean" not in other
    save("in.safetensors", {n: a[:4] for n, a in bench.data.items()})
    gradients = []
    for name, keys in (("norm", {}), ("inference", {"batch_norm": "train"}), ("inference", {})):
        run(bench.tool, "grad", name + ".onnx", bench.recipe(**keys), "--inputs=in.safetensors", "--outputs=g.safetensors")
        gradients.append(load("g.safetensors"))
    yield "so do gradients", same(gradients[0], gradients[1]) and not same(gradients[1], gradients[2])
    recipe = bench.recipe(batch_norm="train")
    infos = [subprocess.run([bench.tool, "info", n, recipe], capture_output=True).returncode for n in ("inference.onnx", "plain.onnx")]
    yield "info makes the program too", infos == [0, 3]
    for name, value, wanted in (
            ("inference", "Train", "recipe.json: batch_norm 'Train' is not known; the nearest known one is 'train'"),
            ("inference", True, "recipe.json: 'batch_norm' is true; a name is wanted"),
            ("plain", "train", "recipe.json: 'batch_norm' is 'train', and the model has no BatchNormalization"),
            ("computed", "train", "node 'norm' (BatchNormalization): has a mean or a variance that is not an initializer")):
        message = bench.train(name, code=3, batch_norm=value)
        yield f"an error: {wanted}", wanted in message


def check_microbatches(bench):
    for count in (2, 7):
        (found, log), equal = bench.everywhere("plain", 4 * count, accumulate=count)
        parts = [bench.gradient(4 * i) for i in range(count)]
        mean = {n: tree([part[n] for part in parts]) / F32(count) for n in found}
        # lr is a power of two, so that the update rounds once.
        expected = {n: bench.weights["plain"][n] - F32(0.5) * mean[n] for n in found}
        loss = tree([part["loss"] for part in parts]) / F32(count)
        yield f"{count} microbatches are the tree of their gradients, four ways", (
            equal and same(found, expected) and log[0]["loss"] == float(loss))
    chain = sum(part["w1"] for part in parts)
    yield "which is another sum than the chain of seven", chain.tobytes() != tree([part["w1"] for part in parts]).tobytes()
    bench.train("plain", samples=8, loss={"kind": "mse", "reduction": "sum"}, accumulate=2)
    summed = load("run/parameters.safetensors")
    bench.train("plain", samples=8, loss={"kind": "mse", "reduction": "sum"}, batch_size=8)
    whole = load("run/parameters.safetensors")
    yield "a sum over samples is not divided", all(close(summed[n], whole[n], 1e-5) for n in whole)
    # 2 steps of 8, then one of the remaining microbatch, then 3 samples.
    bench.train("plain", samples=23, accumulate=2)
    last = steps("run")
    bench.train("plain", samples=23, accumulate=2, drop_last=True)
    yield "what is left makes steps of its own", len(last) == 4 and len(steps("run")) == 2
    message = bench.train("fixed", samples=12, accumulate=2)
    fixed = load("run/parameters.safetensors")
    bench.train("plain", samples=12, accumulate=2)
    yield "a model with a fixed batch does too", same(fixed, load("run/parameters.safetensors"))
    message = bench.train("fixed", samples=10, accumulate=2, code=3)
    yield "unless it cannot", "the model's batch is fixed at" in message
    message = bench.train("fixed", samples=8, batch_size=2, accumulate=4, code=3)
    yield "a fixed batch is no other number of microbatches", "fixed at 4; the recipe's batch_size is 2" in message


def check_groups(bench):
    adam = {"kind": "AdamW", "lr": 0.125}
    (found, _), equal = bench.everywhere(
        "plain", 16, optimizer={**adam, "groups": [{"match": "b?", "lr": 0.0}, {"match": "w2", "weight_decay": 0.0}]})
    bench.train("plain", samples=16, optimizer=adam, frozen=["b*"])
    frozen = load("run/parameters.safetensors")
    yield "a group with a step size of its own, four ways", equal and all(
        found[n].tobytes() == bench.weights["plain"][n].tobytes() for n in ("b1", "b2"))
    yield "no decay in a group", found["w2"].tobytes() != frozen["w2"].tobytes()
    for keys, wanted in (({"frozen": ["w1", "bias*"]}, "recipe.json: 'frozen': 'bias*' fits no weight of the model"),
                         ({"optimizer": {"kind": "SGD", "groups": [{"match": "*.bias"}]}}, "'*.bias' fits no trained parameter")):
        message = bench.train("plain", code=3, **keys)
        yield f"a pattern that fits nothing: {wanted}", wanted in message


def check_clipping(bench):
    gradient = bench.gradient(0)
    names = list(bench.weights["plain"])
    start = bench.weights["plain"]
    norm = np.sqrt(sum(np.sum(gradient[n].astype(np.float64) ** 2) for n in names))
    (found, log), equal = bench.everywhere("plain", 4, clip={"norm": 0.25})
    factor = F32(0.25 / (norm + 1e-6))
    yield "clipping by norm, four ways", (
        equal and abs(log[0]["grad_norm"] - norm) < 1e-12 * norm
        and all(found[n].tobytes() == (start[n] - F32(0.5) * (gradient[n] * factor)).tobytes() for n in names))
    bench.train("plain", samples=4, clip={"norm": 0.25, "norm_type": "inf"})
    norm = max(np.max(np.abs(gradient[n])) for n in names)
    yield "by the largest element", steps("run")[0]["grad_norm"] == float(norm)
    bench.train("plain", samples=4)
    plain = load("run/parameters.safetensors")
    bench.train("plain", samples=4, clip={"norm": 1e6})
    yield "a norm below the bound changes nothing", same(plain, load("run/parameters.safetensors"))
    (found, _), equal = bench.everywhere("plain", 4, clip={"value": 0.125})
    yield "clipping by value, four ways", equal and all(
        found[n].tobytes() == (start[n] - F32(0.5) * np.clip(gradient[n], -0.125, 0.125)).tobytes() for n in names)


def check_averages(bench):
    (found, log), equal = bench.everywhere("plain", 12, ema={"decay": 0.75})
    averages = load("way1/ema.safetensors")
    states = []
    for count in (1, 2, 3):
        bench.train("plain", samples=4 * count)
        states.append(load("run/parameters.safetensors"))
    expected = {n: states[0][n].astype(np.float64) for n in found}
    for state in states[1:]:
        expected = {n: 0.75 * expected[n] + 0.25 * state[n] for n in found}
    yield "averages of the weights, four ways", (
        equal and same(averages, load("way0/ema.safetensors")) and same(averages, load("way3/ema.safetensors"))
        and averages.keys() == found.keys() and all(close(averages[n], expected[n]) for n in found))
    yield "the weights do not depend on them", same(found, states[2])
    hidden = np.maximum(bench.data["x"][:8].astype(np.float64) @ averages["w1"] + averages["b1"], 0)
    loss = np.mean((hidden @ averages["w2"] + averages["b2"] - bench.data["target"][:8]) ** 2)
    evaluated = [row["eval_loss"] for row in log if "eval_loss" in row][-1]
    yield "an evaluation is of the averages", abs(evaluated - loss) < 1e-4
    bench.train("plain", samples=12, ema={"decay": 0.75, "evaluate": False})
    yield "or not", abs([r["eval_loss"] for r in rows("run") if "eval_loss" in r][-1] - loss) > 1e-4
    bench.train("plain", samples=8, ema={"decay": 0.75, "warmup": True})
    share = 1 - 2 / 11
    yield "with a warm-up", all(
        close(load("run/ema.safetensors")[n], (1 - share) * states[0][n].astype(np.float64) + share * states[1][n]) for n in found)


def check_resume(bench):
    keys = {"ema": {"decay": 0.75}, "accumulate": 2, "epochs": 2, "schedule": {"kind": "constant", "warmup_steps": 4}}
    bench.train("norm", "whole", samples=20, **keys)
    bench.train("norm", "parts", samples=20, way="--backend=cpu --steps=2", **keys)
    bench.train("norm", "parts", samples=20, way="--backend=cpu --resume", **keys)
    names = ("parameters", "ema", *(f"checkpoints/step-6/{n}" for n in ("parameters", "optimizer")))
    yield "a run goes on with its statistics, averages and schedule", all(
        same(load(f"whole/{n}.safetensors"), load(f"parts/{n}.safetensors")) for n in names) and (
        [row["loss"] for row in steps("whole")] == [row["loss"] for row in steps("parts")])


def check_rate(bench):
    (_, log), equal = bench.everywhere("plain", 16, schedule={"kind": "constant", "warmup_steps": 4})
    yield "the step size of each step is in the log, four ways", (
        equal and [row["lr"] for row in log if "loss" in row] == [0.0, 0.125, 0.25, 0.375])


def main():
    tool, scratch = shutil.which(sys.argv[1]) or sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    os.chdir(scratch)
    bench = Bench(tool)
    verdicts = []
    for check in (check_statistics, check_batch_norm, check_microbatches, check_groups, check_clipping, check_averages, check_resume, check_rate):
        for what, holds in check(bench):
            print(("ok    " if holds else "WRONG ") + what, flush=True)
            verdicts.append(bool(holds))
    print(f"{sum(verdicts)} of {len(verdicts)} claims hold")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
