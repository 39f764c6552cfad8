"""Makes a checkpoint say that epochs differ, so that any place of one would do: other_place.py CHECKPOINT."""

import json
import sys
from pathlib import Path

from blake3 import blake3

place = Path(sys.argv[1])
state = json.loads((place / "state.json").read_text())
state |= {"steps_per_epoch": 0, "step_in_epoch": 1}
(place / "state.json").write_text(json.dumps(state))
names = [line.split("  ")[1] for line in (place / "B3SUMS").read_text().splitlines()]
sums = [f"{blake3((place / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
(place / "B3SUMS").write_text("".join(sums))
