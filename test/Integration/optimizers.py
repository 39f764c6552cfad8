#!/usr/bin/env python3
"""Every optimizer of recipes, on one perceptron, beside PyTorch.

  optimizers.py TOOL SCRATCH       trains and compares
  optimizers.py --write            prints Inputs/optimizers.json (needs torch)

Each parameter of the perceptron has a group of its own with its own optimizer, mostly
with defaults, so that four runs have them all. Known (Inputs/optimizers.json) are some elements of each
parameter after twenty steps in PyTorch's f64, and how far PyTorch's own f32 run is from
them at most. Twice that distance, and a rounding of the parameter, is the bound. On the
reference, the CPU and the PTX simulator the runs have the same program and the same
bits. Exit 1 where something differs.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "KnownResults"))
from safetensors import load, save  # noqa: E402

CASE = HERE.parent / "Inputs" / "cases" / "mlp-mse"
KNOWN = HERE / "Inputs" / "optimizers.json"
STEPS, BATCH, SAMPLES = 20, 16, 24
# This many are enough to compare targets, which does not need a long run.
SHORT = 4

# parameter: optimizer of a recipe
MIXES = {
    "first": {
        "net.0.weight": {"kind": "NAdam"},
        "net.0.bias": {"kind": "RAdam"},
        "net.2.weight": {"kind": "Adafactor"},
        "net.2.bias": {"kind": "Adamax"},
        "net.4.weight": {"kind": "Muon"},
        "net.4.bias": {"kind": "Adadelta"},
    },
    "second": {
        "net.0.weight": {"kind": "Muon", "lr": 0.01, "nesterov": False, "adjust_lr_fn": "match_rms_adamw"},
        "net.0.bias": {"kind": "Lion"},
        "net.2.weight": {"kind": "LAMB"},
        "net.2.bias": {"kind": "Adafactor", "lr": 0.1, "eps": [None, 0.01], "weight_decay": 0.1},
        "net.4.weight": {"kind": "RAdam", "weight_decay": 0.1, "decoupled_weight_decay": True, "foreach": None},
        "net.4.bias": {"kind": "NAdam", "weight_decay": 0.1, "decoupled_weight_decay": True, "capturable": False},
    },
    "third": {
        "net.0.weight": {"kind": "SGD", "lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01},
        "net.0.bias": {"kind": "Adam", "amsgrad": True},
        "net.2.weight": {"kind": "AdamW"},
        "net.2.bias": {"kind": "RMSprop", "momentum": 0.9, "centered": True},
        "net.4.weight": {"kind": "Adagrad", "lr_decay": 0.1, "weight_decay": 0.01},
        "net.4.bias": {"kind": "Adam", "decoupled_weight_decay": True, "weight_decay": 0.1, "maximize": True},
    },
    "fourth": {
        "net.0.weight": {"kind": "ASGD", "lr": 0.1, "t0": 5, "lambd": 0.01},
        "net.0.bias": {"kind": "Rprop"},
        "net.2.weight": {"kind": "Rprop", "lr": 0.001, "etas": [0.25, 1.5], "step_sizes": [1e-4, 0.01]},
        "net.2.bias": {"kind": "ASGD", "weight_decay": 0.1},
        "net.4.weight": {"kind": "ASGD", "alpha": 0.5, "maximize": True},
        "net.4.bias": {"kind": "Rprop", "maximize": True},
    },
}


def batches():
    training = load(CASE / "training.safetensors")
    return training["batches.x"], training["batches.target"]


def samples(array):
    """Some elements, spread evenly."""
    flat = np.asarray(array).ravel()
    return flat[np.unique(np.linspace(0, flat.size - 1, SAMPLES).round().astype(int))]


def write():
    import onnx
    import torch
    from onnx import numpy_helper

    sys.path.insert(0, str(HERE.parent / "unit" / "Dialect" / "Train"))
    import torch_steps

    weights = {t.name: numpy_helper.to_array(t) for t in onnx.load(CASE / "model.onnx").graph.initializer}
    own = {"Lion": torch_steps.Lion, "LAMB": torch_steps.Lamb}

    def train(mix, dtype):
        torch.set_default_dtype(dtype)
        parameters = {name: torch.nn.Parameter(torch.tensor(weights[name]).to(dtype)) for name in mix}
        optimizers = []
        for name, keys in mix.items():
            keys = dict(keys)
            kind = keys.pop("kind")
            optimizers.append(getattr(torch.optim, kind, own.get(kind))([parameters[name]], **keys))
        for x, target in zip(*batches(), strict=True):
            value = torch.tensor(x).to(dtype)
            for layer in (0, 2, 4):
                value = value @ parameters[f"net.{layer}.weight"].T + parameters[f"net.{layer}.bias"]
                value = torch.sigmoid(value) if layer < 4 else value
            loss = torch.nn.functional.mse_loss(value, torch.tensor(target).to(dtype))
            for parameter in parameters.values():
                parameter.grad = None
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
        return {name: parameter.detach().double().numpy() for name, parameter in parameters.items()}

    known = {}
    for mix, optimizers in MIXES.items():
        wide, narrow = train(optimizers, torch.float64), train(optimizers, torch.float32)
        known[mix] = {}
        for name in optimizers:
            error = np.abs(wide[name] - narrow[name]).max()
            known[mix][name] = {"after": samples(wide[name]).tolist(), "f32_error": float(error)}
    print(json.dumps(known))


def recipe(mix):
    (_, first), *others = mix.items()
    groups = [{"match": name, **keys} for name, keys in mix.items()]
    return {"loss": {"kind": "mse"}, "optimizer": {"kind": first["kind"], "groups": groups}, "batch_size": BATCH}


def run(tool, scratch, mix, way, steps):
    folder = scratch / f"{mix}-{way}-{steps}"
    subprocess.run([tool, "train", CASE / "model.onnx", "--recipe", scratch / f"{mix}.json", "--data",
                    scratch / "data.safetensors", "-o", folder, "--overwrite", f"--steps={steps}", f"--backend={way}",
                    "--cache", scratch / "cache", "--quiet"], check=True)
    return folder


def program(folder):
    return json.loads((folder / "program.json").read_text())["program_digest"]


def main(tool, scratch):
    scratch.mkdir(parents=True, exist_ok=True)
    known = json.loads(KNOWN.read_text())
    x, target = (a.reshape(STEPS * BATCH, -1) for a in batches())
    save(scratch / "data.safetensors", {"x": x, "target": target})
    wrong = 0
    for mix, optimizers in MIXES.items():
        (scratch / f"{mix}.json").write_text(json.dumps(recipe(optimizers)))
        after = load(run(tool, scratch, mix, "cpu", STEPS) / "parameters.safetensors")
        for name, keys in optimizers.items():
            expected = np.array(known[mix][name]["after"])
            error = np.abs(samples(after[name]) - expected).max()
            bound = 2 * known[mix][name]["f32_error"] + 2.0**-24 * np.abs(expected).max()
            print(f"{keys['kind']:10} {name:13} {error:.2e} of {bound:.2e}")
            if not error <= bound:
                print(f"{keys['kind']} of {name}: off by {error:.3e}, more than {bound:.3e}", file=sys.stderr)
                wrong += 1
        folders = [run(tool, scratch, mix, way, SHORT) for way in ("reference", "cpu", "ptx-sim")]
        for folder in folders[1:]:
            if program(folder) != program(folders[0]):
                print(f"{folder.name}: another program", file=sys.stderr)
                wrong += 1
            for part in ("parameters", "optimizer"):
                one, other = ([*f.glob(f"checkpoints/*/{part}.safetensors")][0] for f in (folders[0], folder))
                if one.read_bytes() != other.read_bytes():
                    print(f"{folder.name}: other bits in {part}", file=sys.stderr)
                    wrong += 1
    print(f"{sum(map(len, MIXES.values()))} optimizers, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        sys.exit(main(sys.argv[1], Path(sys.argv[2])))
