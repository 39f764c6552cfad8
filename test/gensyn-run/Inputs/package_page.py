"""Compares the page of a compiled model with that of its model: package_page.py PACKAGE MODEL."""

import json
import re
import sys
from pathlib import Path


def read(path):
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', Path(path).read_text(), re.DOTALL).group(1))


package, model = (read(path) for path in sys.argv[1:])
facts = [{kernel["name"]: [kernel[key] for key in ("flops", "phase", "schedule")] for kernel in page["graph"]["kernels"]}
         for page in (package, model)]
assert facts[0] == facts[1], [item for item in zip(*map(dict.items, facts), strict=True) if item[0] != item[1]]
edges = [{(kernel["name"], page["graph"]["kernels"][reader[0]]["name"]) for kernel in page["graph"]["kernels"]
          for reader in kernel["borders"] if isinstance(reader[0], int)} for page in (package, model)]
assert edges[0] == edges[1], edges[0] ^ edges[1]
assert {kernel["kernel"] for kernel in package["time"]["kernels"]} == set(facts[0])
programs = [memory["name"] for memory in package["memory"]]
assert programs == ["train, batch 16", "infer, batch 16", "eval, batch 16"], programs
assert package["memory"][0]["buffers"] == model["memory"][0]["buffers"]
print(f"the same {len(facts[0])} kernels")
