#!/usr/bin/env python3
"""Prints the spans of a timeline of ranks, but for waiting: how many of each name, and in which others they lie.

rank_trace.py FILE
"""

import json
import sys
from collections import Counter
from pathlib import Path

events = json.loads(Path(sys.argv[1]).read_text())["traceEvents"]
for process in (event for event in events if event["ph"] == "M"):
    print(process["args"]["name"])
    spans = [event for event in events if event["ph"] == "X" and event["pid"] == process["pid"]]
    ends = [event["ts"] + event["dur"] for event in spans]
    # In the order of their ends, so that a span comes after those in it.
    assert ends == sorted(ends) and min(event["ts"] for event in spans) >= 0
    names = Counter()
    for index, event in enumerate(spans):
        around = [other["name"] for other in spans[index + 1 :] if other["ts"] <= event["ts"]]
        if event["name"] != "waiting":
            names[event["name"] + "".join(f" in {name}" for name in around)] += 1
    for name, count in sorted(names.items()):
        print(f"{count} x {name}")
