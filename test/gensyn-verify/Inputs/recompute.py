"""Recomputes the commitments of a run of one epoch from its files and data, by another implementation.

recompute.py RUN DATA"""

import json
import sys
from pathlib import Path

import commitments
from safetensors import load

TYPES = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32"}

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
data = load(sys.argv[2])
rows_of = {name: [(TYPES[v.dtype.name], v.shape[1:], row.tobytes()) for row in v] for name, v in data.items()}
samples = [dict(zip(rows_of, sample)) for sample in zip(*rows_of.values())]
if commitments.samples_root(samples).hex() != json.loads(facts)["samples_root"]:
    sys.exit("the samples have another root")
if commitments.state_root({}).hex() != json.loads(facts)["constants_root"]:
    sys.exit("the frozen tensors, of which there are none, have another root")
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
