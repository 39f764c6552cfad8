#!/usr/bin/env python3
"""Ranks that are killed, stopped or run out of disk, and runs that go on with other numbers of ranks.

  rank_faults.py TOOL CASES SCRATCH LAUNCHER... [--count N] [--seed N] [--disk]

Trains LeNet under the LAUNCHERs (commands that take a number of ranks and a program) with 1 to 5 ranks. At a random
time one of these happens, N times in all:

- kill: a random rank gets SIGKILL;
- stop: a random rank gets SIGSTOP, and does not answer;
- launcher: the launcher gets SIGKILL;
- term: a random rank gets SIGTERM, so that all end after the step in progress;
- disk: the run folder's file system is full (--disk; in a namespace of mounts of its own).

Each time all processes must end within seconds, with a line that names rank and host. Then --resume goes on with
another number of ranks, which divide something else, again and again until the run is done; its parameters, checkpoint and log, but for seconds,
are those of an undisturbed run on one machine. Prints what was done and the longest end; exit 1 where something fails.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from rank_processes import finish, processes, start
from ranks import COMMIT, SHARDS, WHOLE, Trial, contents, parallels, written

STEPS = 200
# Seconds after which a rank is lost, and after which the others must have ended: a busy machine is slow.
RANK_TIMEOUT, LONGEST = 1.5, 40


def find_ranks(tag):
    """rank -> process, without the compilers that ranks have started."""
    all_of_them = processes(tag)
    own = {process for process, facts in all_of_them.items() if facts[0] == "gensyn-run"}
    return {all_of_them[process][3] or 0: process for process in own if all_of_them[process][2] not in own}


class Faults:
    """A trial that is disturbed; failures are collected."""

    def __init__(self, tool, cases, scratch, launchers, seed, disk):
        self.tool, self.launchers, self.disk = tool, launchers, disk
        self.random = random.Random(seed)
        self.trial = Trial(cases, scratch, "lenet-digits", STEPS, batch_size=2, accumulate=16, epochs=STEPS)
        self.wanted = self.trial.train([], tool, "alone")
        # Of runs whose kernels are compiled, less what mpirun itself takes.
        self.durations = {}
        for launcher in launchers:
            since = time.monotonic()
            self.trial.train([*launcher, 3], tool, "undisturbed")
            self.durations[str(launcher)] = 0.7 * (time.monotonic() - since)
        self.place = scratch / "disk"
        self.place.mkdir()
        if disk:
            self.mount("size=64m")
        self.failures, self.done, self.seconds = [], Counter(), Counter()
        self.launches = self.hung = 0

    def mount(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", self.place], check=True, capture_output=True)

    def fill(self):
        """Leaves a few pages of the file system, at most."""
        for _ in range(100):
            facts = os.statvfs(self.place)
            used = (facts.f_blocks - facts.f_bfree) * facts.f_bsize
            try:
                return self.mount(f"remount,size={used + 4096 * self.random.randrange(1, 40)}")
            except subprocess.CalledProcessError:
                pass  # the run has written more meanwhile
        raise SystemExit("the size of the file system cannot be set")

    def launch(self, folder, ranks, launcher, rank_timeout):
        self.launches += 1
        tag = f"{os.getpid()}.{self.launches}"
        grid = self.random.choice([WHOLE, *parallels(ranks, chunks=self.random.choice((1, 2)))])
        words = [
            *([*launcher, ranks] if ranks > 1 else []),
            *(self.tool, "train", self.trial.case / "model.onnx", "--recipe", self.trial.folder / "recipe.json"),
            *("--data", self.trial.folder / "data.safetensors", "--output", folder, "--steps", STEPS),
            *COMMIT,
            *("--quiet", "--resume", "--checkpoint-every", f"{self.random.randrange(5, 60)}steps"),
            *("--shard", self.random.choice(SHARDS)),
            *("--parallel", ",".join(written(grid))),
            *("--rank-timeout", rank_timeout),
        ]
        process, output = start(words, tag, self.place.parent / "output")
        return process, tag, output

    def disturb(self, kind, process, tag, ranks, duration):
        """Does it at a random time; returns the rank concerned, or None if the run ended before."""
        end = time.monotonic() + LONGEST
        while len(find_ranks(tag)) < ranks and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(self.random.random() * duration)
        found = find_ranks(tag)
        if process.poll() is not None or len(found) < ranks:
            return None
        rank = self.random.randrange(ranks)
        if kind == "disk":
            self.fill()
            return 0
        number = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "launcher": signal.SIGKILL, "term": signal.SIGTERM}
        try:
            os.kill(process.pid if kind == "launcher" else found[rank], number[kind])
        except ProcessLookupError:
            return None
        return rank

    def wait(self, process, tag, rank):
        """Returns the launcher's exit code, None if it does not end, and whether its own fault is to blame."""
        end = time.monotonic() + LONGEST
        since = None
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            left = set(find_ranks(tag))
            since = (since or time.monotonic()) if left <= {rank} else None
            if not since or time.monotonic() < since + 8:
                continue
            if not left:
                # mpirun of Open MPI 4.1 may wait forever for a rank that was killed while it connected.
                process.kill()
                return process.wait(), True
            # It was stopped when all others had left MPI, so that nobody watches it any more.
            os.kill(find_ranks(tag)[rank], signal.SIGCONT)
            since = None
        return process.poll(), False

    def attempt(self, folder, kind):
        """Launches the run, disturbed unless `kind` is None; returns its exit code."""
        ranks = self.random.randint(1 if kind in (None, "kill", "disk") else 2, 5)
        launcher = self.random.choice(self.launchers)
        process, tag, output = self.launch(folder, ranks, launcher, RANK_TIMEOUT if kind == "stop" else 60)
        rank = self.disturb(kind, process, tag, ranks, self.durations[str(launcher)]) if kind else None
        since = time.monotonic()
        what = f"{kind or 'run'} of {ranks}" + (f" under {launcher}" if ranks > 1 else "") + f", rank {rank}"
        code, hung = self.wait(process, tag, rank)
        left, text = finish(process, tag, output, since + LONGEST - time.monotonic())
        seconds = time.monotonic() - since
        if self.disk:
            self.mount("remount,size=64m")
        if code is None or left:
            self.failures.append(f"{what}: exit {code}, {left} left after {seconds:.1f} s: {text}")
        elif hung:
            self.hung += 1
        elif rank is not None and code:
            self.seconds[kind] = max(self.seconds[kind], seconds)
            self.done[kind] += 1
            self.check_end(kind, rank, ranks, code, text, what)
        elif code and not (kind == "stop" and code == 6):  # a busy machine may take as long by itself
            self.failures.append(f"{what}: exit {code}: {text}")
        return code

    def check_end(self, kind, rank, ranks, code, text, what):
        """The exit code, and the line that names rank and host."""
        host = r"\(\S+\)"
        launcher = rf"process rank {rank} with PID \d+ on node \S+ exited|PID \d+ RUNNING AT \S+"
        if code == 255:
            # MPICH's mpirun fails itself when a rank is killed that connects.
            launcher += r"|\[mpiexec@\S+\] .*process manager error waiting for completion"
        lines, codes = {
            "kill": (rf"error: rank {rank} {host} has ended|{launcher}", None),
            "stop": (
                rf"error: (rank {rank} {host} has not answered for {RANK_TIMEOUT} s"
                # Stopped before it was heard of.
                + rf"|rank {rank} did not start within {5 * RANK_TIMEOUT} s"
                + rf"|rank \d+ {host}: the other ranks did not (start|end) within)",
                (6, 9),  # MPICH: of the one that was stopped
            ),
            "launcher": ("", None),
            # Before the handler is there, the signal ends the process; MPICH's mpirun fails if that connects, or writes
            # to a socket that was closed.
            "term": ("", (130, 143, 15, 255, -signal.SIGPIPE)),
            "disk": (r"error: (rank \d+ \(\S+\): )?\S+: cannot be \w+( to)?: No space left on device", (5,)),
        }[kind]
        if ranks == 1 and kind == "kill":
            lines = ""
        # Printed by one rank alone.
        repeated = text.count("has not answered") > 1
        # Open MPI 4.1's mpirun may crash after it has ended the ranks, whose line is there all the same.
        crashed = code == -signal.SIGSEGV
        if not re.search(lines, text) or (codes and code not in codes and not crashed) or repeated:
            self.failures.append(f"{what}: exit {code}: {text}")

    def run(self, count):
        kinds = ["kill", "kill", "stop", "launcher", "term"] + ["disk"] * self.disk
        runs = 0
        while sum(self.done.values()) < count and len(self.failures) < 5:
            folder = self.place / "run"
            shutil.rmtree(folder, ignore_errors=True)
            for _ in range(40):
                kind = self.random.choice(kinds) if sum(self.done.values()) < count else None
                if self.attempt(folder, kind) == 0 or len(self.failures) >= 5:
                    break
            runs += 1
            if len(self.failures) < 5 and contents(folder, STEPS) != self.wanted:
                self.failures.append(f"run {runs}: WRONG: other bytes")
        return runs


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("cases", type=Path)
    parser.add_argument("scratch", type=Path)
    parser.add_argument("launchers", nargs="+")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--disk", action="store_true")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.scratch, ignore_errors=True)
    launchers = [word.split() for word in arguments.launchers]
    test = Faults(arguments.tool, arguments.cases, arguments.scratch, launchers, arguments.seed, arguments.disk)
    runs = test.run(arguments.count)
    if test.disk:
        subprocess.run(["umount", test.place], check=True)
    for failure in test.failures:
        print(failure)
    each = ", ".join(
        f"{count} {kind} (ended in {test.seconds[kind]:.1f} s)" for kind, count in sorted(test.done.items())
    )
    print(
        f"{sum(test.done.values())} faults in {runs} runs, {test.launches} launches: {each};"
        f" {test.hung} launchers hung by themselves"
    )
    if test.failures:
        sys.exit(f"{len(test.failures)} failures")
    print("all as undisturbed")


if __name__ == "__main__":
    main()
