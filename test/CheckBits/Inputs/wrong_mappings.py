"""Maps a program, changes the mapping by each wrong pass in turn, and prints the error of
--check-bits. Fails unless every such pass of the tool is found.

    wrong_mappings.py TOOL MACHINE ROOMY MULTICAST

TOOL is gensyn-wrong-opt, ROOMY is the machine with more memory in each core, MULTICAST the
one whose network repeats packets.
"""

import functools
import re
import subprocess
import sys
from pathlib import Path

# The program on which a pass changes anything; mapped-chain for the others.
PROGRAMS = {
    "wrong-map-cut-any": "mapped-scan",
    "wrong-map-join-backwards": "mapped-sum",
    "wrong-map-drop-faults": "mapped-gather",
    "wrong-map-count-faults-of-piece": "mapped-gather",
    "wrong-map-multicast-early": "mapped-shared",
    "wrong-map-multicast-misses-core": "mapped-shared",
    "wrong-map-swap-bound-buffers": "mapped-layers",
    "wrong-map-repeat-with-first-buffer": "mapped-layers",
}
# In more memory none is used again, so that the value of the tile before is still there.
IN_ROOMY = {"wrong-map-keep-operand", "wrong-map-store-tile-before"}
WITH_MULTICAST = {"wrong-map-multicast-early", "wrong-map-multicast-misses-core"}


@functools.cache
def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def error_of(flag, tool, machine, roomy, multicast):
    """Returns the error line that the pass causes; nothing if it is not found."""
    program = Path(__file__).parent / f"{PROGRAMS.get(flag, 'mapped-chain')}.mlir"
    if flag in WITH_MULTICAST:
        machine = multicast
    where = f"machine={roomy if flag in IN_ROOMY else machine}"
    # The programs have the attributes of the passes before these.
    passes = (
        "task-schedule",
        "task-multicast",
        "task-plan",
        "task-prefetch",
        "task-place",
        "task-route",
    )
    mapping = ",".join(p if p == "task-prefetch" else f"{p}{{{where}}}" for p in passes)
    command = [tool, program, "--check-bits=all", "--check-bits-trials=2", "-o", "/dev/null"]
    right = run(*command, f"--pass-pipeline=builtin.module({mapping})")
    # A warning would say that nothing was compared.
    assert right.returncode == 0 and not right.stderr, right.stderr
    wrong = run(*command, f"--pass-pipeline=builtin.module({mapping},{flag})")
    found = re.search(r"error: (.*)", wrong.stderr)
    return found[1] if wrong.returncode == 1 and found else None


def main(tool, *machines):
    flags = re.findall(r"--(wrong-map-[a-z-]+)", run(tool, "--help").stdout)
    found = 0
    for flag in flags:
        error = error_of(flag, tool, *machines)
        found += error is not None
        print(f"{flag}: {error}")
    print(f"{found} of {len(flags)} wrong mapping passes are found")
    return 0 if flags and found == len(flags) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
