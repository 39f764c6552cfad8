"""Writes recipes (recipe, ordered, plateau) and data (data, other, nan) for a case: make_run.py CASE FOLDER."""

import json
import sys
from pathlib import Path

import numpy as np
from safetensors import load, save

case, folder = map(Path, sys.argv[1:])
facts = json.loads((case / "case.json").read_text())
steps = load(case / "training.safetensors")
batches = {name.removeprefix("batches."): v for name, v in steps.items() if name.startswith("batches.")}
size = next(iter(batches.values())).shape[1]
recipe = {key: facts[key] for key in ("loss", "optimizer") if facts.get(key)}
recipe |= {"epochs": 1, "batch_size": int(size), "shuffle": True, "seed": 5}
(folder / "recipe.json").write_text(json.dumps(recipe))
(folder / "ordered.json").write_text(json.dumps({**recipe, "shuffle": False}))
# Each epoch halves the step size.
plateau = {"kind": "reduce_on_plateau", "metric": "loss", "patience": 0, "factor": 0.5, "threshold": 0.99}
(folder / "plateau.json").write_text(json.dumps({**recipe, "epochs": 3, "schedule": plateau}))
data = {name: v.reshape(-1, *v.shape[2:]) for name, v in batches.items()}
save(folder / "data.safetensors", data)
name = next(name for name, v in data.items() if v.dtype == "float32")
data[name] = data[name].copy()
data[name].flat[0] += 1
save(folder / "other.safetensors", data)
data[name][9 * size + 3].flat[0] = np.nan  # of step 10, without shuffle
save(folder / "nan.safetensors", data)
