"""ONNX's training formats, in and out: training_info trains, trained models are exported and run elsewhere.

usage: training_info.py GENSYN_RUN FOLDER

Ends with `N of N hold`, and prints what does not.
"""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import onnx
from onnx import numpy_helper

from limits import seconds

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "KnownResults"))
import safetensors  # noqa: E402
import training_models as models  # noqa: E402

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

TOOL, FOLDER = sys.argv[1:3]
RESULTS = []


def check(name, holds, said=""):
    RESULTS.append(bool(holds))
    if not holds:
        print(f"{name}: does not hold {said}")


def run(*arguments, tool=TOOL):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, timeout=seconds(300), cwd=FOLDER)
    return done.returncode, done.stderr.strip()


def train(model, folder, *arguments, recipe="rest.json", data="data"):
    code, said = run("train", model, "--recipe", recipe, "--data", data + ".safetensors", "-o", folder, "--overwrite",
                     "--quiet", *arguments)
    check(f"train {model} {arguments}", code == 0, said)
    path = os.path.join(FOLDER, folder)
    return {name: safetensors.load(f"{path}/{name}.safetensors") for name in ("parameters",)}["parameters"] \
        if code == 0 else {}


def save_json(name, content):
    with open(os.path.join(FOLDER, name), "w") as file:
        json.dump(content, file)


def save_model(model, name):
    onnx.save(model, os.path.join(FOLDER, name))


def load_model(name, **how):
    return onnx.load(os.path.join(FOLDER, name), **how)


def equal(first, second):
    return first.keys() == second.keys() and all(first[k].tobytes() == second[k].tobytes() for k in first)


def near(first, second, tolerance):
    return all(np.allclose(first[name], second[name], rtol=tolerance, atol=tolerance) for name in second)


def prepare():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(48, 3)).astype("f4")
    target = (x @ rng.normal(size=(3, 2)) + 1).astype("f4")
    safetensors.save(f"{FOLDER}/data.safetensors", {"x": x, "target": target})
    safetensors.save(f"{FOLDER}/unit.safetensors", {"x": x, "target": (target > 1).astype("f4")})
    safetensors.save(f"{FOLDER}/classes.safetensors", {"x": x, "target": rng.integers(-1, 2, 48)})
    safetensors.save(f"{FOLDER}/x.safetensors", {"x": x[:5]})
    save_json("rest.json", {"epochs": 2, "batch_size": 16, "seed": 5})
    return x, target


def check_training(x, target):
    """A model's own step has one result everywhere, which is what its nodes say."""
    save_model(models.trained(), "trained.onnx")
    save_model(models.trained(initializes=True), "initialized.onnx")
    found = train("trained.onnx", "by-cpu", "--eval-data", "data.safetensors")
    want = models.momentum_by_numpy(models.trained(), x, target, 16, 2)
    check("numpy", found.keys() == want.keys() and near(found, want, 1e-5), found.keys())
    for backend in ("reference", "ptx-sim"):
        check(backend, equal(found, train("trained.onnx", "by-" + backend, "--backend", backend)))
    with open(f"{FOLDER}/by-cpu/log.jsonl") as file:
        rows = [json.loads(line) for line in file]
    check("log", rows[0]["worst"] > rows[0]["loss"] > 0 and any("eval_loss" in row for row in rows), rows[0])
    states = safetensors.load(f"{FOLDER}/by-cpu/checkpoints/step-6/optimizer.safetensors")
    check("states", set(states) == {"T", "vB", "vW"} and int(states["T"]) == 6, states.keys())
    first = train("initialized.onnx", "initialized")
    check("initialization", equal(first, train("initialized.onnx", "again", "--backend", "reference")))
    check("initialized", not near(first, found, 1e-3))
    save_json("seed.json", {"epochs": 2, "batch_size": 16, "seed": 6})
    check("seed", not equal(first, train("initialized.onnx", "other", recipe="seed.json")))
    # Two epochs at once, or one after the other.
    train("initialized.onnx", "halves", "--steps", 3)
    code, said = run("train", "initialized.onnx", "--recipe", "rest.json", "--data", "data.safetensors", "-o", "halves",
                     "--resume", "--quiet")
    halves = safetensors.load(f"{FOLDER}/halves/parameters.safetensors")
    check("resumed", code == 0 and equal(first, halves), said)


def check_main_graph():
    """infer and grad see the main graph, and the recipe wins over training_info."""
    save_model(models.linear(), "plain.onnx")
    save_json("mse.json", {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.1}, "batch_size": 16})
    for command in (["infer", "--inputs", "x.safetensors"], ["grad", "--recipe", "mse.json", "--inputs",
                                                             "data.safetensors"]):
        outputs = []
        for model in ("plain.onnx", "trained.onnx"):
            code, said = run(command[0], model, *command[1:], "--outputs", "out.safetensors", "--quiet")
            check(f"{command[0]} {model}", code == 0, said)
            outputs.append(safetensors.load(f"{FOLDER}/out.safetensors"))
        check(command[0], equal(*outputs))
    check("recipe", equal(train("plain.onnx", "plain", recipe="mse.json"),
                          train("trained.onnx", "recipe", recipe="mse.json")))
    code, said = run("train", "plain.onnx", "--data", "data.safetensors", "-o", "none")
    check("no training_info", code == 2 and "--recipe is required" in said, said)
    code, said = run("train", "plain.onnx", "--recipe", "rest.json", "--data", "data.safetensors", "-o", "none")
    check("no loss", code == 3 and said.startswith("gensyn-run: error: rest.json: no 'loss'"), said)


def check_round_trip():
    """Through the dialect and back, training_info comes along."""
    translate = os.path.join(os.path.dirname(TOOL), "gensyn-translate") if os.path.dirname(TOOL) else "gensyn-translate"
    code, said = run("--onnx-to-mlir", "initialized.onnx", "-o", "m.mlir", tool=translate)
    check("to mlir", code == 0, said)
    code, said = run("--mlir-to-onnx", "m.mlir", "-o", "back.onnx", tool=translate)
    check("to onnx", code == 0, said)
    if code == 0:
        back = load_model("back.onnx")
        onnx.checker.check_model(back, full_check=True)
        check("metadata", [(p.key, p.value) for p in back.metadata_props] == [("author", "nobody")])
        check("round trip", equal(train("initialized.onnx", "there"), train("back.onnx", "back")))


def without_values(model):
    """The message without the elements of initializers."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for tensor in copy.graph.initializer:
        for field in ("raw_data", "float_data", "external_data", "data_location"):
            tensor.ClearField(field)
    return copy.SerializeToString(deterministic=True)


def check_export():
    """The trained model is the model with other values, and another runtime runs it."""
    train("plain.onnx", "plain", recipe="mse.json")
    parameters = safetensors.load(f"{FOLDER}/plain/parameters.safetensors")
    original = load_model("plain.onnx")
    for name, arguments in (("inline", []), ("split", ["--inline-limit", 300])):
        code, said = run("export", "plain.onnx", "--parameters", "plain", "-o", name + ".onnx", *arguments)
        check("export " + name, code == 0, said)
        found = load_model(name + ".onnx", load_external_data=False)
        check("kept " + name, without_values(found) == without_values(original))
        onnx.checker.check_model(f"{FOLDER}/{name}.onnx", full_check=True)
        values = {t.name: numpy_helper.to_array(t) for t in load_model(name + ".onnx").graph.initializer}
        check("values " + name, equal(values, parameters))
        run("infer", name + ".onnx", "--inputs", "x.safetensors", "--outputs", name + ".safetensors")
        if onnxruntime:
            session = onnxruntime.InferenceSession(f"{FOLDER}/{name}.onnx")
            y = session.run(None, safetensors.load(f"{FOLDER}/x.safetensors"))[0]
            check("onnxruntime " + name, np.allclose(y, safetensors.load(f"{FOLDER}/{name}.safetensors")["y"], 1e-5))
    # External data is copied, wherever the output is.
    big = models.linear(outputs=300)
    onnx.save(big, f"{FOLDER}/external.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    os.makedirs(f"{FOLDER}/elsewhere", exist_ok=True)
    safetensors.save(f"{FOLDER}/b.safetensors", {"B": np.ones(300, "f4")})
    for name, arguments in (("inline", []), ("split", ["--inline-limit", 1000])):
        code, said = run("export", "external.onnx", "--parameters", "b.safetensors", "-o", f"elsewhere/{name}.onnx",
                         *arguments)
        check("export external", code == 0, said)
        values = {t.name: numpy_helper.to_array(t) for t in load_model(f"elsewhere/{name}.onnx").graph.initializer}
        w = {t.name: numpy_helper.to_array(t) for t in models.linear(outputs=300).graph.initializer}["W"]
        check("external " + name, (values["B"] == 1).all() and (values["W"] == w).all())
    check("beside", sorted(os.listdir(f"{FOLDER}/elsewhere")) == ["inline.onnx", "split.onnx", "split.onnx.data"])


def check_export_errors():
    safetensors.save(f"{FOLDER}/more.safetensors", {"Q": np.zeros(2, "f4")})
    safetensors.save(f"{FOLDER}/shape.safetensors", {"B": np.zeros(3, "f4")})
    safetensors.save(f"{FOLDER}/type.safetensors", {"B": np.zeros(2, "f8")})
    sgd = {"kind": "SGD", "lr": 0.1}
    for name, recipe in (("lion", {"optimizer": {"kind": "Lion"}}), ("schedule", {"schedule": {"kind": "cosine", "steps": 10}}),
            ("clip", {"clip": {"norm": 1.0}}), ("norm", {"batch_norm": "train"}),
            ("smooth", {"loss": {"kind": "softmax_cross_entropy", "label_smoothing": 0.1}})):
        save_json(name + ".json", {"loss": {"kind": "mse"}, "optimizer": sgd, **recipe})
    train_info = ["--training-info", "--recipe"]
    for arguments, code, said in (
            (["--parameters", "more.safetensors"], 3, "plain.onnx: has no initializer 'Q'"),
            (["--parameters", "shape.safetensors"], 3, "initializer 'B' is f32[2], and its new value f32[3]"),
            (["--parameters", "type.safetensors"], 3, "initializer 'B' is f32[2], and its new value f64[2]"),
            ([], 2, "--parameters is required"),
            (["--parameters", "b.safetensors", "--recipe", "mse.json"], 2, "--training-info"),
            ([*train_info, "lion.json"], 4, "lion.json: the optimizer 'Lion' cannot be expressed by"),
            ([*train_info, "schedule.json"], 4, "schedule.json: a 'schedule' other than constant cannot be"),
            ([*train_info, "norm.json"], 4, "norm.json: 'batch_norm' cannot be expressed by"),
            ([*train_info, "clip.json"], 4, "clip.json: 'clip' cannot be expressed by"),
            ([*train_info, "smooth.json"], 3, "smooth.json: loss: 'label_smoothing' cannot be expressed by")):
        have, text = run("export", "plain.onnx", *arguments, "-o", "refused.onnx")
        check(f"refusal {arguments}", have == code and said in text, text)
    check("nothing half", not os.path.exists(f"{FOLDER}/refused.onnx"))
    code, text = run("export", "plain.onnx", "--parameters", "plain", "-o", "plain.onnx")
    check("itself", code == 2 and "is read, and would be replaced" in text, text)


def check_recipes():
    """A recipe as training_info trains to what the recipe trains to, but for roundings."""
    optimizers = [{"kind": "SGD", "lr": 0.05, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
                  {"kind": "SGD", "lr": 0.05, "momentum": 0.9, "nesterov": True}, {"kind": "SGD", "lr": 0.1},
                  {"kind": "Adagrad", "lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.1},
                  {"kind": "Adam", "lr": 0.01, "weight_decay": 0.01}, {"kind": "AdamW", "lr": 0.01, "amsgrad": True},
                  {"kind": "RMSprop", "lr": 0.01, "momentum": 0.5, "weight_decay": 0.01, "centered": True},
                  {"kind": "RMSprop", "lr": 0.01},
                  {"kind": "Adam", "lr": 0.01, "eps": 1e-2, "tensorflow_eps": True},
                  {"kind": "RMSprop", "lr": 0.01, "eps": 1e-2, "tensorflow_eps": True}]
    losses = [({"kind": "mse"}, "data"), ({"kind": "l1", "reduction": "sum"}, "data"),
              ({"kind": "huber", "delta": 0.5}, "data"), ({"kind": "bce_with_logits"}, "unit"),
              ({"kind": "softmax_cross_entropy", "ignore_index": -1}, "classes")]
    cases = [(losses[0], optimizer) for optimizer in optimizers] + [(loss, optimizers[2]) for loss in losses[1:]]
    for (loss, data), optimizer in cases:
        recipe = {"loss": loss, "optimizer": optimizer, "epochs": 2, "batch_size": 16, "seed": 5}
        save_json("recipe.json", recipe)
        name = f"{loss['kind']} {optimizer['kind']}"
        code, said = run("export", "plain.onnx", "--training-info", "--recipe", "recipe.json", "-o", "info.onnx")
        check("write " + name, code == 0, said)
        onnx.checker.check_model(f"{FOLDER}/info.onnx", full_check=True)
        if onnxruntime:
            onnxruntime.InferenceSession(f"{FOLDER}/info.onnx")
        want = train("plain.onnx", "want", recipe="recipe.json", data=data)
        found = train("info.onnx", "found", data=data)
        check(name, found.keys() == want.keys() and near(found, want, 2e-5), (found, want))


def check_statistics():
    """Running statistics move by a recipe and by training_info."""
    save_model(models.normalized(), "normalized.onnx")
    save_json("recipe.json", {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.1}, "epochs": 2,
                              "batch_size": 16, "seed": 5})
    code, said = run("export", "normalized.onnx", "--training-info", "--recipe", "recipe.json", "-o", "info.onnx")
    check("write statistics", code == 0, said)
    want, found = train("normalized.onnx", "want", recipe="recipe.json"), train("info.onnx", "found")
    check("statistics", found.keys() == want.keys() and near(found, want, 2e-5) and (want["mean"] != 0).all(),
          (found, want))


def check_package_and_frozen():
    """A compiled model has the initialization with it; what is frozen stays."""
    code, said = run("compile", "initialized.onnx", "--recipe", "rest.json", "--target", "cpu", "-o", "i.gxe", "--quiet")
    check("compile", code == 0, said)
    code, said = run("train", "i.gxe", "--data", "data.safetensors", "-o", "packed", "--quiet")
    check("packed", code == 0 and equal(safetensors.load(f"{FOLDER}/packed/parameters.safetensors"),
                                        safetensors.load(f"{FOLDER}/initialized/parameters.safetensors")), said)
    code, said = run("train", "initialized.onnx", "--dim", "n=16", "--data", "data.safetensors", "-o", "sized", "--quiet")
    check("without a recipe", code == 0, said)
    save_json("frozen.json", {"batch_size": 16, "frozen": ["B"]})
    check("frozen", set(train("trained.onnx", "frozen", recipe="frozen.json")) == {"W"})
    for name, recipe, want in (("unknown", {"frozen": ["Q*"]}, "frozen': 'Q*' fits no initializer of the model"),
                               ("schedule", {"schedule": {"kind": "constant"}},
                                "'schedule' is given without a loss and an optimizer")):
        save_json(name + ".json", {"batch_size": 16, **recipe})
        code, said = run("train", "trained.onnx", "--recipe", name + ".json", "--data", "data.safetensors", "-o", "no")
        check(name, code == 3 and want in said, said)


def check_derivatives():
    safetensors.save(f"{FOLDER}/ab.safetensors", {"a": np.float32([1, 2, 3]), "b": np.float32(2)})
    for name, model, want in models.derivatives():
        save_model(model, name + ".onnx")
        for backend in ("cpu", "reference"):
            code, said = run("infer", name + ".onnx", "--inputs", "ab.safetensors", "--outputs", "g.safetensors",
                             "--quiet", "--backend", backend)
            check(f"derivative {name}", code == 0, said)
            if code == 0:
                found = safetensors.load(f"{FOLDER}/g.safetensors")
                check(f"derivative {name}", equal(found, want), (found, want))


def check_broken():
    for name, model, said in models.broken():
        save_model(model, "broken.onnx")
        code, text = run("train", "broken.onnx", "--recipe", "rest.json", "--data", "data.safetensors", "-o", "broken",
                         "--overwrite")
        check("broken " + name, code in (3, 4) and said in text and "\n" not in text, text)
        code, text = run("infer", "broken.onnx", "--inputs", "x.safetensors", "--outputs", "y.safetensors", "--quiet")
        check("main graph of " + name, code == 0, text)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    x, target = prepare()
    check_training(x, target)
    check_main_graph()
    check_round_trip()
    check_export()
    check_export_errors()
    check_recipes()
    check_statistics()
    check_package_and_frozen()
    check_derivatives()
    check_broken()
    print(f"{sum(RESULTS)} of {len(RESULTS)} hold")


if __name__ == "__main__":
    main()
