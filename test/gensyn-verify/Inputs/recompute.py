"""Recomputes the commitments of a run of one epoch from its files, by another implementation: recompute.py RUN."""

import json
import sys
from pathlib import Path

import commitments
from safetensors import load

TYPES = {"float32": "float32", "float64": "float64", "int64": "int64", "int32": "int32"}

run = Path(sys.argv[1])
rows = commitments.read(run)
losses = {row["step"]: row["loss"]
          for row in map(json.loads, (run / "log.jsonl").read_text().splitlines()) if "loss" in row}
checked = 0
for row in rows:
    place = run / "checkpoints" / f"step-{row['step']}"
    if not place.exists():
        continue
    tensors = {**load(place / "parameters.safetensors"), **load(place / "optimizer.safetensors")}
    state = {name: (TYPES[v.dtype.name], v.shape, v.tobytes()) for name, v in tensors.items()}
    if commitments.state_root(state).hex() != row["state"]:
        sys.exit(f"the state of step {row['step']} has another root")
    checked += 1
facts = rows[0]["facts"]
history, program = commitments.facts_root(facts), json.loads(facts)["program_digest"]
size = json.loads(facts)["batch_size"]
points = {row["step"]: row["history"] for row in rows}
if points[0] != history.hex():
    sys.exit("the facts have another root")
for step in sorted(losses):
    samples = list(range((step - 1) * size, step * size))  # without shuffle
    history = commitments.step_root(history, step, program, samples, losses[step])
    if step in points and points[step] != history.hex():
        sys.exit(f"the history of step {step} has another root")
before = b""
for row in rows:
    before = commitments.point_root(before, row)
    if row["root"] != before.hex():
        sys.exit(f"the point of step {row['step']} has another root")
print(f"{checked} states, {len(losses)} steps and {len(rows)} points have the same roots")
