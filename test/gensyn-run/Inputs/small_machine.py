"""Writes gensyn-block with an array of f32 and memories of 2 KiB, behind a byte order mark and blanks."""

import json
import sys

machine = json.load(open(sys.argv[1]))
for memory in machine["memories"][:2]:
    memory["size"] = {"value": 2, "unit": "KiB", "source": "design"}
    memory["reserved"] = {"value": 0, "unit": "B", "source": "design"}
for rate in machine["units"][0]["rates"]:
    rate["types"] = ["f32"]
    rate.pop("accumulator", None)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("\ufeff\n  " + json.dumps(machine))
