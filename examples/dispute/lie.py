#!/usr/bin/env python3
"""Claims another state after one step of a run than there was: lie.py RUN STEP.

All roots follow from what they name, as docs/Proof.md lays them out, so the folder alone does not show it. Needs the
package blake3."""

import json
import struct
import sys
from pathlib import Path

from blake3 import blake3

path, step = Path(sys.argv[1]) / "commitments.jsonl", int(sys.argv[2])
points = [json.loads(line) for line in path.read_text().splitlines()]
if step not in [point["step"] for point in points]:
    sys.exit(f"{path}: has no point after step {step}")
what = b"gensyn point 1"
root = b""
for point in points:
    if point["step"] == step:
        state = bytearray.fromhex(point["state"])
        state[0] ^= 1
        point["state"] = state.hex()
    root = blake3(struct.pack("<Q", len(what)) + what + root + struct.pack("<Q", point["step"])
                  + bytes.fromhex(point["history"]) + bytes.fromhex(point["state"])).digest()
    point["root"] = root.hex()
path.write_text("".join(json.dumps(point, separators=(",", ":")) + "\n" for point in points))
print(f"commits to another state after step {step}; root {root.hex()}")
