"""Checks what gensyn-run --report writes as JSON: report_json.py FILE."""

import json
import sys
from pathlib import Path

report = json.loads(Path(sys.argv[1]).read_text())
run, found = report["simulation"], report["sensitivity"]
assert sum(run["energy"].values()) == run["femtojoules"][0]
assert sum(report["energy_low"].values()) == run["femtojoules"][1]
assert sum(report["energy_high"].values()) == run["femtojoules"][2]
numbers = {number["number"]: number for number in report["numbers"]}
assert len(numbers) == len(report["numbers"])

# The energy is a sum of products with energies and powers, so slopes times values add up to it. Ends are rounded to a
# femtojoule, and standby is cut off to one: a millionth is far more than that, and far less than a missing number.
total = 0
for row in found["numbers"]:
    number = numbers[row["number"]]
    if number["unit"] in ("fJ", "fJ/B", "nW"):
        assert row["picoseconds"] == [found["picoseconds"]] * 2, row
        low, high = row["femtojoules"]
        total += (high - low) / (row["high"] - row["low"]) * number["value"]
assert abs(total / found["femtojoules"] - 1) < 1e-6, (total, found["femtojoules"])

# A faster clock does not take longer.
clocks = [row for row in found["numbers"] if numbers[row["number"]]["unit"] == "Hz"]
assert clocks and all(row["picoseconds"][0] > row["picoseconds"][1] for row in clocks[:1]), clocks
cells = report["cores"]
assert len(cells["names"]) == len(cells["busy"]) == len(cells["kernelsOf"])
print(f"{len(found['numbers'])} numbers, {len(cells['names'])} cores")
