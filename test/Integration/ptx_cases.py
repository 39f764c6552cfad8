#!/usr/bin/env python3
"""The training steps of models as PTX: audited, assembled, and looked at for spills.

  ptx_cases.py CASES PTXAS FOLDER [CASE:TARGET[,TARGET...]]...

CASES is the folder of the known results; without further arguments every case
goes to one of the targets in turn. Prints a line per text: how many kernels, the
most registers, the bytes that were spilled; exit 1 if a text is not accepted.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from gpu_generations import GENERATIONS


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} exits {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def assemble(case, target, ptxas, folder):
    facts = json.loads((case / "case.json").read_text())
    recipe = folder / f"{case.name}.json"
    recipe.write_text(json.dumps({key: facts[key] for key in ("loss", "optimizer", "frozen") if facts.get(key)}))
    text = folder / f"{case.name}.sm_{target}.ptx"
    dims = [f"--dim={name}={value}" for name, value in facts.get("dims", {}).items()]
    run("gensyn-translate", "--onnx-to-ptx", "--kind=train", f"--recipe={recipe}", *dims, f"--sm={target}",
        case / "model.onnx", "-o", text)
    run("gensyn-ptx", "audit", text)
    said = run(ptxas, f"-arch=sm_{target}", "-v", text, "-o", text.with_suffix(".cubin"))
    for name, stores, loads in re.findall(r"entry function '([^']+)'[^']*?(\d+) bytes spill stores, (\d+) bytes spill loads",
                                          said):
        if stores != "0" or loads != "0":
            print(f"spills: {name} for sm_{target} stores {stores} bytes and loads {loads}")
    registers = [int(number) for number in re.findall(r"Used (\d+) registers", said)]
    spilled = sum(int(number) for pair in re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said)
                  for number in pair)
    print(f"{case.name} for sm_{target}: {len(registers)} kernels, at most {max(registers)} registers, "
          f"{spilled} bytes spilled")
    return len(registers)


def main():
    cases, ptxas, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [word.split(":") for word in sys.argv[4:]]
    if not wanted:
        names = sorted(path.parent.name for path in cases.glob("*/case.json"))
        wanted = [(name, str(GENERATIONS[i % len(GENERATIONS)])) for i, name in enumerate(names)]
    count = 0
    for name, targets in wanted:
        for target in targets.split(","):
            count += assemble(cases / name, int(target), ptxas, folder)
    print(f"{count} kernels assembled")


main()
