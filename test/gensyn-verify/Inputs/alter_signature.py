"""Makes FOLDER/altered/signatures.jsonl from FOLDER/line, a line of the run's maker: alter_signature.py FOLDER WHAT.

WHAT is a key of the line whose value becomes another one; "run": the line of the maker for the run FOLDER/cheat;
"owner": the first line of that, which another key signed, with the maker's key."""

import json
import sys
from pathlib import Path

folder, what = Path(sys.argv[1]), sys.argv[2]
right = json.loads((folder / "line").read_text())
others = (folder / "cheat" / "signatures.jsonl").read_text().splitlines()
row = {**right}
if what == "time":
    row["time"] = "19" + right["time"][2:]
elif what == "step":
    row["step"] = 8
elif what == "signature":
    row["signature"] = right["signature"][:-1] + "01"[right["signature"][-1] == "0"]
elif what == "run":
    row = json.loads(others[-1])
elif what == "owner":
    row = {**json.loads(others[0]), "public_key": right["public_key"]}
(folder / "altered" / "signatures.jsonl").write_text(json.dumps(row) + "\n")
