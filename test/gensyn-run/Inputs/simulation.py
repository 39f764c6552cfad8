"""Checks what simulate --json prints, in counts and with values, and a trace.

  simulation.py COUNTS VALUES TRACE
"""

import json
import sys
from pathlib import Path


def records(path):
    return {record["event"]: record for record in map(json.loads, Path(path).read_text().splitlines()) if "event" in record}


counts, values = records(sys.argv[1]), records(sys.argv[2])
assert counts["simulation"] == values["simulation"], "values take another time"
assert counts["mapping"] == values["mapping"]
run = counts["simulation"]
assert run["picoseconds"] == counts["mapping"]["picoseconds"] > 0
assert sum(run["path"].values()) == run["picoseconds"]
assert sum(kernel["picoseconds"] for kernel in run["kernels"]) == run["picoseconds"]
for kernel in run["kernels"]:
    assert sum(kernel["path"].values()) == kernel["picoseconds"]
    assert kernel["bound"] == max(kernel["path"], key=kernel["path"].get)
assert sum(run["energy"].values()) == run["femtojoules"][0]
assert run["femtojoules"][1] < run["femtojoules"][0] < run["femtojoules"][2]
standby = run["energy"]["standby"]
assert sum(kernel["femtojoules"] for kernel in run["kernels"]) + standby == run["femtojoules"][0]
assert sum(run["core_picoseconds"].values()) <= run["cores"] * run["picoseconds"]

trace = json.loads(Path(sys.argv[3]).read_text())
tasks = [event for event in trace["traceEvents"] if event["ph"] == "X"]
assert len(tasks) == counts["mapping"]["computations"] + counts["mapping"]["copies"] == trace["otherData"]["tasks"]
last = max(event["ts"] + event["dur"] for event in tasks)
assert abs(last * 1e6 - run["picoseconds"]) < 1000, "the trace ends at another time"
