#!/usr/bin/env python3
"""A sweep of a machine's numbers against the simulation of each of its points.

  machine_sweep.py GENSYN_RUN MODEL [--machine xr-soc] [--sweep SPEC] [--batch-size 1] [--seconds 60] [--tau 0.9]

Runs `gensyn-run map --sweep`, which estimates each point in closed form, then writes the machine file of each point and
simulates the model on it. Ends with 1 if the sweep takes more than --seconds, or Kendall's tau-b of time, or of energy,
between both is less than --tau.
"""

import argparse
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MACHINES = Path(__file__).resolve().parent.parent / "share/machines"
SWEEP = "dram.bandwidth=1:16:4,dsp.frequency=120:480:4,dsp-l1.size=64K:512K:4"


def run(tool, *words):
    done = subprocess.run([str(tool), *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return [json.loads(line) for line in done.stdout.splitlines()]


def with_values(machine, numbers, values):
    """The machine file with other values for some numbers, each in base units."""
    machine = json.loads(json.dumps(machine))
    machine["sources"]["swept"] = {"kind": "assumed", "title": "a value of the sweep"}
    for number, value in zip(numbers, values):
        *path, key = number["pointer"].split("/")[1:]
        place = machine
        for word in path:
            place = place[int(word)] if isinstance(place, list) else place[word]
        unit, scale = {"thousandths of a cycle": ("cycles", 1000),
                       "thousandths of B/cycle": ("B/cycle", 1000)}.get(number["unit"], (number["unit"], 1))
        if value != number["value"]:
            ends = [number["low"], number["high"], value]
            amounts = [end // scale if end % scale == 0 else end / scale for end in (value, min(ends), max(ends))]
            place[key] = dict(zip(("value", "low", "high"), amounts), unit=unit, source="swept")
    return machine


def tau(first, second):
    """Kendall's tau-b, which counts ties in neither."""
    agree = ties_first = ties_second = pairs = 0
    for (a, b), (c, d) in itertools.combinations(zip(first, second), 2):
        pairs += 1
        one, other = (a > c) - (a < c), (b > d) - (b < d)
        agree += one * other
        ties_first += one == 0
        ties_second += other == 0
    return agree / ((pairs - ties_first) * (pairs - ties_second)) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--machine", default="xr-soc")
    parser.add_argument("--sweep", default=SWEEP)
    parser.add_argument("--batch-size", default="1")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tau", type=float, default=0.9)
    given = parser.parse_args()
    batch = ["--batch-size", given.batch_size]
    begin = time.monotonic()
    sweep = run(given.tool, "map", given.model, "--machine", given.machine, "--sweep", given.sweep, "--no-cache", *batch)[0]
    taken = time.monotonic() - begin
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"swept in {taken:.1f} s, {children.ru_utime + children.ru_stime:.1f} s of processors", flush=True)
    machine = json.loads((MACHINES / f"{given.machine}.json").read_text())
    known = {number["number"]: number for number in run(given.tool, "machine", given.machine, "--numbers")[0]["numbers"]}
    numbers = [known[axis["number"]] for axis in sweep["axes"]]
    points = [point for point in sweep["points"] if "problem" not in point]
    times, energies = [], []
    with tempfile.TemporaryDirectory() as folder:
        for point in points:
            file = Path(folder) / "point.json"
            file.write_text(json.dumps(with_values(machine, numbers, point["values"])))
            record = next(record for record in run(given.tool, "simulate", given.model, "--machine", file, *batch)
                          if record.get("event") == "simulation")
            times.append(record["picoseconds"])
            energies.append(record["femtojoules"][0])
    estimated = [point["picoseconds"] for point in points]
    errors = sorted(abs(one / other - 1) for one, other in zip(estimated, times))
    agreement = tau(estimated, times), tau([point["femtojoules"] for point in points], energies)
    print(f"{len(points)} of {len(sweep['points'])} points; tau of time {agreement[0]:.3f}, of energy "
          f"{agreement[1]:.3f}; error of time {errors[len(errors) // 2]:.1%} in the median, at most {errors[-1]:.1%}")
    sys.exit(taken > given.seconds or min(agreement) < given.tau)


if __name__ == "__main__":
    main()
