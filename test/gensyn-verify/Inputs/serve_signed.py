"""Disputes between servers that sign: serve_signed.py FOLDER.

FOLDER has the runs `run` and `cheat`, which `maker.key` and `other.key` signed, and data.safetensors. Prints what each
dispute says, and its exit code."""

import re
import subprocess
import sys
from pathlib import Path

from limits import seconds

folder = Path(sys.argv[1])
SIGNERS = ["--first-signer", folder / "maker.pub", "--second-signer", folder / "other.pub"]
started = []


def serve(run, *options):
    """Starts a server. Returns where it is asked."""
    process = subprocess.Popen(["gensyn-verify", "serve", folder / run, "--data", folder / "data.safetensors", *options],
                               stdout=subprocess.PIPE, text=True)
    started.append(process)
    return "grpc://" + process.stdout.readline().removeprefix("listening on ").strip()


def say(title, *words):
    done = subprocess.run(["gensyn-verify", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=seconds(120))
    print(f"{title}:", re.sub(r"127\.0\.0\.1:\d+", "ADDRESS", done.stdout), f"exit {done.returncode}", sep="\n")


try:
    maker, other = (["--key", folder / f"{name}.key"] for name in ("maker", "other"))
    first, second, silent, stranger = serve("run", *maker), serve("cheat", *other), serve("cheat"), serve("cheat", *maker)
    say("signed", "dispute", first, second, *SIGNERS, "--case", folder / "case.pb")
    say("again", "referee", folder / "case.pb", *SIGNERS)
    say("without signature", "dispute", first, silent, *SIGNERS)
    say("by another key", "dispute", first, stranger, *SIGNERS)
    say("nobody asks for signatures", "dispute", first, second)
    (folder / "maker.key").chmod(0o644)
    say("open key", "serve", folder / "run", "--data", folder / "data.safetensors", *maker)
    (folder / "maker.key").chmod(0o600)
finally:
    for process in started:
        process.kill()
        process.wait()
