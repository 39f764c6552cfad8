"""Writes inputs (x), others of which one bit differs (other), and two thirds of the samples (fewer) of a data file. A
recipe (ignoring.json) freezes a layer, and ignores all samples of the third data (ignored).

make_inference.py DATA RECIPE FOLDER
"""

import json
import sys
from pathlib import Path

from safetensors import load, save

data, recipe, folder = load(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[3])
x = data["x"][:7].copy()
save(folder / "x.safetensors", {"x": x})
x.view("uint32").flat[-1] ^= 1
save(folder / "other.safetensors", {"x": x})
save(folder / "fewer.safetensors", {name: v[: len(v) * 2 // 3] for name, v in data.items()})
save(folder / "ignored.safetensors", {**data, "target": data["target"] * 0})
recipe["loss"]["ignore_index"] = 0
recipe["frozen"] = ["conv1.*"]
(folder / "ignoring.json").write_text(json.dumps(recipe))
