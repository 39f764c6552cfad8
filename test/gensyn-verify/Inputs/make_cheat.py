"""Makes FOLDER/cheat of FOLDER/run: a parameter of its checkpoint of step 8 and of its commitment is another one.

What it commits to is a chain without a flaw: make_cheat.py FOLDER."""

import shutil
import sys
from pathlib import Path

import commitments

folder = Path(sys.argv[1])
shutil.copytree(folder / "run", folder / "cheat")
rows = commitments.read(folder / "cheat")
state = bytearray.fromhex(rows[2]["state"])
state[0] ^= 1
rows[2]["state"] = state.hex()
commitments.write(folder / "cheat", rows)
