#!/usr/bin/env python3
"""Writes a recipe of four microbatches and data for it: ranks_compare.py CASES FOLDER."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save

cases, folder = map(Path, sys.argv[1:])
folder.mkdir()
facts = json.loads((cases / "mlp-digits" / "case.json").read_text())
recipe = {"loss": facts["loss"], "optimizer": {"kind": "SGD"}, "accumulate": 4, "epochs": 9}
(folder / "recipe.json").write_text(json.dumps(recipe))
batches = load(cases / "mlp-digits" / "training.safetensors")
save(folder / "data.safetensors", {key[8:]: value[:8].reshape((-1, *value.shape[2:]))
                                   for key, value in batches.items() if key.startswith("batches.")})
