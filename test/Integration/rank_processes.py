"""The processes of a run that is disturbed: all have the same tag in their environment."""

import os
import re
import subprocess
import time
from pathlib import Path

VARIABLES = ("OMPI_COMM_WORLD_RANK", "PMI_RANK")


def processes(tag):
    """The processes whose environment has this tag: process -> (name, state, parent, rank or None)."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            variables = dict(
                word.split("=", 1) for word in (entry / "environ").read_bytes().decode().split("\0") if "=" in word
            )
            if variables.get("GENSYN_TEST_TAG") != tag:
                continue
            name, rest = re.fullmatch(r"\d+ \((.*)\) (.*)\n", (entry / "stat").read_text()).groups()
            state, parent = rest.split()[:2]
        except (OSError, ValueError, AttributeError):
            continue
        rank = next((int(variables[name]) for name in VARIABLES if name in variables), None)
        found[int(entry.name)] = (name, state, int(parent), rank)
    return found


def start(words, tag, place, variables=None):
    """Starts a program. Returns it, and the open file of what it prints."""
    output = open(place, "w+b")  # noqa: SIM115
    process = subprocess.Popen(
        list(map(str, words)),
        stdout=output,
        stderr=output,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"GENSYN_TEST_TAG": tag} | {name: str(value) for name, value in (variables or {}).items()},
    )
    return process, output


def finish(process, tag, output, seconds):
    """Gives the processes of a program that has ended, or should have, so many seconds, and kills what is left then.

    Returns what was left, and what was printed.
    """
    end = time.monotonic() + seconds
    while (left := processes(tag)) and time.monotonic() < end:
        time.sleep(0.01)
    for number in [*left, *([process.pid] if process.poll() is None else [])]:
        subprocess.run(["kill", "-KILL", str(number)], check=False, capture_output=True)
    process.wait()
    output.seek(0)
    text = output.read().decode(errors="replace")
    output.close()
    return left, text
