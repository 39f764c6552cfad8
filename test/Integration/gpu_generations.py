"""The GPU generations that programs are compiled for, ascending: [75, 80, ...]."""

import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "include/gensyn/Machine/Gpu.def"
GENERATIONS = [int(number) for number in re.findall(r"^GENSYN_GPU\( *(\d+)", TABLE.read_text(), re.M)]
