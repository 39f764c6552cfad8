#!/usr/bin/env python3
"""Ranks of gensyn-run launch that are killed or stopped, and launchers: the run goes on by itself to the same bits.

  rank_launch.py TOOL CASES SCRATCH MPI... [--machines] [--kinds KIND...] [--count N] [--seed N]

Trains LeNet as 3 ranks of `launch` under each MPI (openmpi, mpich), N times for each of what it does at a random time:

- kill: a rank gets SIGKILL;
- stop: a rank gets SIGSTOP, and does not answer;
- mpirun: mpirun gets SIGKILL;
- hang: mpirun gets SIGSTOP, and does not end after its ranks;
- machine: everything on one of two machines gets SIGKILL, which are namespaces with names of their own (--machines);
- gone: the same, and that machine cannot be reached any more, so that the run goes on without it;
- self: the launch gets SIGKILL, and its ranks end too; it is started again by hand with --resume;
- term: the launch gets SIGTERM, ends with exit code 130, and is started again by hand with --resume.

The launch must end with exit code 0, a line for each restart that says why, and the parameters, checkpoint and log, but
for seconds, of an undisturbed run on one machine. Nothing of it may be left. Exit 1 where one fails.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rank_processes import finish, processes, start
from ranks import COMMIT, Trial, contents

STEPS, RANKS = 200, 3
LONGEST = 100
# A mpirun may fail itself, as MPICH's when a rank is lost that connects, or end by SIGPIPE when it writes to a
# machine that has just been lost.
LOST = (
    r"mpirun failed \(exit code \d+\)|mpirun was killed by signal 13"
    r"|a rank was (killed|lost or had no resources) \(exit code \d+\)"
)
CAUSES = {
    "kill": LOST,
    "stop": LOST + "|the ranks that are left do nothing",
    "mpirun": r"mpirun was killed by signal 9",
    "hang": r"mpirun did not end after its ranks",
    "machine": LOST,
    "gone": LOST,
}


def find(tag):
    """The ranks, and mpirun."""
    found = processes(tag)
    ranks = [process for process, facts in found.items() if facts[0] == "gensyn-run" and facts[3] is not None]
    mpirun = [process for process, facts in found.items() if re.match("mpirun|mpiexec|orterun", facts[0])]
    return ranks, mpirun


# What ends a launch, and its exit codes.
STOPS = {"term": 130, "self": -signal.SIGKILL}

# In place of ssh: options, a machine, and a command.
REMOTE = """#!/bin/bash
while [ "${1#-}" != "$1" ]; do shift; done
[ -e "$GENSYN_TEST_GONE.$1" ] && exit 255
export GENSYN_TEST_NODE=$1
shift
exec unshare -u bash -c "hostname $GENSYN_TEST_NODE; $*"
"""


def find_node(tag, node):
    """The processes of a machine."""
    wanted = f"GENSYN_TEST_NODE={node}".encode()
    found = []
    for process in processes(tag):
        try:
            if wanted in Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
                found.append(process)
        except OSError:
            pass
    return found


class Launches:
    def __init__(self, tool, cases, scratch, mpi, seed, machines):
        self.tool, self.random = tool, random.Random(seed)
        # See test/lib/mpirun_openmpi.sh.
        self.options, self.variables = [], {"TMPDIR": tempfile.mkdtemp()}
        self.trial = Trial(cases, scratch, "lenet-digits", STEPS, batch_size=2, accumulate=16, epochs=STEPS)
        self.wanted = self.trial.train([], tool, "alone")
        self.place = scratch / "launch"
        self.launches = 0
        if machines:
            remote, hosts = (scratch / name for name in ("remote", "hosts"))
            remote.write_text(REMOTE)
            remote.chmod(0o755)
            hosts.write_text("node1 2\nnode2 # the rest\n")
            self.options = ["--hosts", hosts]
            self.variables |= {
                "OMPI_MCA_plm_rsh_agent": remote,
                "HYDRA_LAUNCHER": "ssh",
                "HYDRA_LAUNCHER_EXEC": remote,
                "GENSYN_TEST_GONE": scratch / "gone",
            }
        # Such a machine cannot be reached.
        self.gone = scratch / "gone.node2"
        # Of a run whose kernels are compiled.
        since = time.monotonic()
        self.end(*self.launch(mpi))
        self.duration = time.monotonic() - since

    def launch(self, mpi, kind=None, *more):
        self.launches += 1
        # A busy machine may be slow, but waits for what does not answer take as long.
        timeout = 1.5 if kind in ("stop", "hang", "gone") else 20
        tag = f"{os.getpid()}.launch.{self.launches}"
        words = [
            *(
                self.tool,
                "launch",
                "-n",
                RANKS,
                "--mpi",
                mpi,
                *self.options,
                "--",
                "train",
                self.trial.case / "model.onnx",
            ),
            *("--recipe", self.trial.folder / "recipe.json", "--data", self.trial.folder / "data.safetensors"),
            *(
                "--output",
                self.place,
                "--steps",
                STEPS,
                *COMMIT,
                "--quiet",
                "--rank-timeout",
                timeout,
                "--checkpoint-every",
                "20",
            ),
            *more,
        ]
        process, output = start(words, tag, self.place.parent / "output", self.variables)
        return process, tag, output

    def disturb(self, kind, process, tag):
        """Returns false if the run ended before."""
        end = time.monotonic() + LONGEST
        while len(find(tag)[0]) < RANKS and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(self.random.random() * self.duration)
        ranks, mpirun = find(tag)
        victims = {"term": [process.pid], "self": [process.pid], "mpirun": mpirun, "hang": mpirun}.get(kind, ranks)
        if process.poll() is not None or len(ranks) < RANKS or not victims:
            return False
        number = {"term": signal.SIGTERM, "stop": signal.SIGSTOP, "hang": signal.SIGSTOP}.get(kind, signal.SIGKILL)
        try:
            if kind == "gone":
                self.gone.touch()
            for victim in find_node(tag, "node2") if kind in ("machine", "gone") else [self.random.choice(victims)]:
                os.kill(victim, number)
        except ProcessLookupError:
            return False
        return True

    def end(self, process, tag, output):
        """Waits for the end; returns the exit code, what was printed, and processes that are left."""
        try:
            code = process.wait(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            code = None
        left, text = finish(process, tag, output, 20 if code == -signal.SIGKILL else 0)
        return code, text, left

    def attempt(self, mpi, kind):
        """Returns what was wrong, or nothing; None if the run ended before it was disturbed."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.gone.unlink(missing_ok=True)
        launched = self.launch(mpi, kind)
        disturbed = self.disturb(kind, launched[0], launched[1])
        code, text, left = self.end(*launched)
        if left:
            return f"{left} left: {text}"
        if disturbed and kind in STOPS and code:
            if code != STOPS[kind] or "restart" in text:
                return f"exit {code}: {text}"
            code, text, left = self.end(*self.launch(mpi, kind, "--resume"))
        if code or left:
            return f"exit {code}, {left} left: {text}"
        if (self.place / ".exit-code").exists():
            return f".exit-code is left: {text}"
        if not (self.place / "checkpoints" / f"step-{STEPS}").exists() or contents(self.place, STEPS) != self.wanted:
            return f"other bytes: {text}"
        if kind == "gone" and disturbed and "'node2' cannot be reached, is left out, and 2 ranks go on" not in text:
            return f"node2 is not left out: {text}" if "restart" in text else None
        restarts = re.findall("^gensyn-run: warning: (.*); restart in", text, re.MULTILINE)
        if kind not in STOPS and disturbed and not (restarts and re.fullmatch(CAUSES[kind], restarts[0])):
            # The run may have been over.
            return f"restarts for {restarts}: {text}" if restarts else None
        return "" if disturbed else None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("cases", type=Path)
    parser.add_argument("scratch", type=Path)
    parser.add_argument("mpis", nargs="+")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", default=["kill", "stop", "mpirun", "hang", "self", "term"])
    parser.add_argument("--machines", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.scratch, ignore_errors=True)
    test = Launches(
        arguments.tool, arguments.cases, arguments.scratch, arguments.mpis[0], arguments.seed, arguments.machines
    )
    wrong = total = 0
    for mpi in arguments.mpis:
        for kind in arguments.kinds * arguments.count:
            since = time.monotonic()
            for _ in range(10):
                result = test.attempt(mpi, kind)
                if result is not None:
                    break
            total += 1
            wrong += bool(result)
            seconds = time.monotonic() - since
            print(
                f"{kind} under {mpi}: {f'WRONG: {result}' if result else 'as undisturbed'} ({seconds:.1f} s)",
                flush=True,
            )
    print(f"{wrong} of {total} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
