#!/usr/bin/env python3
"""When gensyn-run launch starts a run again, and what it says: with an mpirun of the test's own.

  launch_restarts.py TOOL SCRATCH

Each trial gives the attempts of a launch as shell scripts. Prints a line for each; exit 1 where one fails.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MPIRUN = r"""#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) 4"; exit; }
case "$*" in
*--host\ *\ true) . ./probe ;;
esac
echo "$*" >> attempts
. ./attempt$(wc -l < attempts)
"""
LONGEST = 60
VAIN = "1 of 3 without a new checkpoint"


def saves(step):
    """The run begins, or goes on, and writes a checkpoint."""
    return f"[ -e begun ] || {{ rm -rf run; mkdir run; }}; touch begun; mkdir -p run/checkpoints/step-{step}; echo >> run/log.jsonl; "


def old_run(folder):
    (folder / "run" / "checkpoints" / "step-9").mkdir(parents=True)
    (folder / "run" / "log.jsonl").write_text("of an earlier run\n")


class Trial:
    """A launch with the exit code, warnings and further options of its attempts that it must have."""

    def __init__(
        self,
        name,
        attempts,
        code,
        lines=(),
        given=(),
        options=(),
        more=None,
        before=None,
        signals=(),
        ranks=2,
        hosts=None,
    ):
        self.name, self.attempts, self.code, self.lines = name, attempts, code, lines
        # The hosts and the number of ranks of each attempt.
        self.ranks, self.hosts = ranks, hosts
        self.given, self.options, self.before, self.signals = given, options, before, signals
        # The options of `train` in each attempt.
        self.more = more if more is not None else [" ".join(given)] * len(attempts)

    def run(self, tool, folder):
        folder.mkdir(parents=True)
        mpirun = folder / "bin" / "mpirun.openmpi"
        mpirun.parent.mkdir()
        mpirun.write_text(MPIRUN)
        mpirun.chmod(0o755)
        for number, script in enumerate(self.attempts, 1):
            (folder / f"attempt{number}").write_text(script + "\n")
        if self.before:
            self.before(folder)
        train = ["train", *self.given, "m.onnx", "--recipe", "r.json", "--data", "d.npz", "-o", "run"]
        process = subprocess.Popen(
            [
                tool,
                "launch",
                "-n",
                str(self.ranks),
                *self.options,
                "--",
                *train,
                "--rank-timeout",
                # A stop comes before this launch without ranks would end by itself, on a busy machine too.
                "30" if self.signals else "1",
            ],
            cwd=folder,
            env=os.environ | {"PATH": f"{mpirun.parent}:{os.environ['PATH']}"},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        for number in self.signals:
            end = time.monotonic() + LONGEST
            while not (folder / "ready").exists() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            (folder / "ready").unlink(missing_ok=True)
            process.send_signal(number)
        try:
            errors = process.communicate(timeout=LONGEST)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            errors = "NO END: " + process.communicate()[1]
        lines = re.findall("^gensyn-run: (?:warning|error): (.*)", errors, re.MULTILINE)
        text = (folder / "attempts").read_text()
        attempts = re.findall(" train (.*)m.onnx", text)
        hosts = re.findall("--host (.*) --map-by slot.* -n ([0-9]+) ", text)
        wanted = [(f"{more} ") if more else "" for more in self.more]
        if (process.returncode, lines, attempts) != (self.code, list(self.lines), wanted):
            return f"WRONG: exit {process.returncode}, {lines}, {attempts}: {errors}"
        if self.hosts and [" ".join(each) for each in hosts] != self.hosts:
            return f"WRONG: {hosts}"
        return "good"


def hosts(text, probe):
    """Machines, and what happens to `mpirun ... true` on them."""

    def write(folder):
        (folder / "hosts").write_text(text)
        (folder / "probe").write_text(probe)

    return write


def unreachable(*names):
    return f'case "$*" in {"|".join(f"*{name}:1*" for name in names)}) exit 205;; esac; exit 0'


LOST = "a rank was lost or had no resources (exit code 6)"
KILLED = "a rank was killed (exit code {})"
# What the first rank leaves when one of a machine is lost.
NOTE = "mkdir -p run; echo 6 $GENSYN_LAUNCH {} > run/.exit-code; "
WAIT = 'trap "{} exit 130" USR1; touch ready; while :; do sleep 0.05; done'
TRIALS = [
    Trial("done", ["exit 0"], 0),
    *(Trial(f"exit {code}", [f"exit {code}"], code) for code in (1, 2, 3, 4, 5, 70, 130, 139)),
    Trial(
        "begun only once it has a log",
        ["exit 6", saves(5) + "exit 137", "exit 9", "exit 0"],
        0,
        [
            f"{LOST}; restart in 1 s, {VAIN}",
            f"{KILLED.format(137)}; restart in 1 s from step-5",
            f"{KILLED.format(9)}; restart in 2 s from step-5, 2 of 3 without a new checkpoint",
        ],
        ["--overwrite"],
        more=["--overwrite", "--overwrite", "--resume", "--resume"],
        before=old_run,
    ),
    Trial(
        "a new run",
        ["exit 6", saves(1) + "exit 0"],
        0,
        [f"{LOST}; restart in 1 s, {VAIN}"],
    ),
    Trial(
        "resumed",
        ["exit 6", "exit 0"],
        0,
        [f"{LOST}; restart in 1 s from step-9, {VAIN}"],
        ["--resume"],
        before=old_run,
    ),
    Trial(
        "checkpoints make more restarts",
        [*(saves(step) + "exit 6" for step in (1, 2, 3)), "exit 0"],
        0,
        [f"{LOST}; restart in 1 s from step-{step}" for step in (1, 2, 3)],
        options=["--max-restarts", "1"],
        more=["", "--resume", "--resume", "--resume"],
    ),
    Trial("a code that mpirun has lost", [saves(1) + "echo 130 $GENSYN_LAUNCH > run/.exit-code; exit 0"], 130),
    Trial("a code of an earlier launch", [saves(1) + "echo 130 ${GENSYN_LAUNCH}0 > run/.exit-code; exit 0"], 0),
    Trial(
        "given up",
        ["exit 6", "exit 137"],
        6,
        [
            f"{LOST}; restart in 1 s, 1 of 1 without a new checkpoint",
            f"{KILLED.format(137)}, and the run is not started again after 1 restart without a new checkpoint",
        ],
        options=["--max-restarts", "1"],
    ),
    Trial(
        "no restarts",
        [saves(1) + "exit 137"],
        6,
        [f"{KILLED.format(137)}, and the run is not started again"],
        options=["--max-restarts", "0"],
    ),
    Trial(
        "mpirun is killed",
        ["kill -9 $$", "exit 0"],
        0,
        [f"mpirun was killed by signal 9; restart in 1 s, {VAIN}"],
    ),
    Trial(
        "mpirun fails",
        ["exit 255", saves(1) + "exit 1", "exit 205", saves(2) + "exit 143", "exit 144", "exit 0"],
        0,
        [
            f"mpirun failed (exit code 255); restart in 1 s, {VAIN}",
            "mpirun failed (exit code 1); restart in 1 s from step-1",
            "mpirun failed (exit code 205); restart in 2 s from step-1, 2 of 3 without a new checkpoint",
            "mpirun failed (exit code 143); restart in 1 s from step-2",
            "mpirun failed (exit code 144); restart in 2 s from step-2, 3 of 3 without a new checkpoint",
        ],
        more=["", "", *["--resume"] * 4],
    ),
    Trial(
        "mpirun hangs",
        ["sleep 1000", "exit 0"],
        0,
        [f"mpirun started no rank; restart in 1 s, {VAIN}"],
    ),
    Trial(
        "mpirun hangs after its ranks",
        [saves(1) + "sleep 1000", "exit 0"],
        0,
        ["mpirun did not end after its ranks; restart in 1 s from step-1"],
        more=["", "--resume"],
    ),
    Trial(
        "a machine stays lost",
        ["exit 205", "exit 205", saves(1) + "exit 6", "exit 0"],
        0,
        [
            f"mpirun failed (exit code 205); restart in 1 s, {VAIN}",
            "mpirun failed (exit code 205); 'b' cannot be reached, is left out, and 5 ranks go on; restart in 1 s",
            f"{LOST}; restart in 1 s from step-1",
        ],
        options=["--hosts", "hosts"],
        ranks=8,
        more=["", "", "", "--resume"],
        before=hosts("a 4\nb\nc 1\n", unreachable("b")),
        hosts=["a:4,b:3,c:1 8", "a:4,b:3,c:1 8", "a:4,c:1 5", "a:4,c:1 5"],
    ),
    Trial(
        "several machines stay lost, one of them silently",
        ["exit 255", "exit 255", "exit 0"],
        0,
        [
            f"mpirun failed (exit code 255); restart in 1 s, {VAIN}",
            "mpirun failed (exit code 255); 'a', 'c' cannot be reached, are left out, and 1 rank goes on; restart in 1 s",
        ],
        options=["--hosts", "hosts"],
        ranks=3,
        before=hosts("a\nb\nc\n", 'case "$*" in *a:1*) exit 1;; *c:1*) exec sleep 1000;; esac; exit 0'),
        hosts=["a:1,b:1,c:1 3"] * 2 + ["b:1 1"],
    ),
    Trial(
        "a pipeline on fewer machines",
        ["exit 205", "exit 205", "exit 0"],
        0,
        [
            f"mpirun failed (exit code 205); restart in 1 s, {VAIN}",
            "mpirun failed (exit code 205); 'c' cannot be reached, is left out, and 4 ranks go on; restart in 1 s",
        ],
        ["--parallel", "data=4,pipeline=2,interleave=2"],
        options=["--hosts", "hosts"],
        ranks=8,
        more=["--parallel data=4,pipeline=2,interleave=2"] * 2 + ["--parallel pipeline=2,interleave=2"],
        before=hosts("a 3\nb 2\nc 3\n", unreachable("c")),
        hosts=["a:3,b:2,c:3 8"] * 2 + ["a:3,b:2 4"],
    ),
    Trial(
        "too few machines are left",
        ["exit 205", "exit 205", "exit 0"],
        0,
        [
            f"mpirun failed (exit code 205); restart in 1 s, {VAIN}",
            "'b' cannot be reached, and the other hosts have room for 2 ranks alone",
            "mpirun failed (exit code 205); restart in 2 s, 2 of 3 without a new checkpoint",
        ],
        options=["--hosts", "hosts", "--min-ranks", "3"],
        ranks=4,
        before=hosts("a\nb\n", unreachable("b")),
        hosts=["a:2,b:2 4"] * 3,
    ),
    Trial(
        "no machine can be reached",
        ["exit 205", "exit 205", "exit 0"],
        0,
        [
            f"mpirun failed (exit code 205); restart in 1 s, {VAIN}",
            "mpirun failed (exit code 205); restart in 2 s, 2 of 3 without a new checkpoint",
        ],
        options=["--hosts", "hosts"],
        ranks=4,
        before=hosts("a\nb\n", unreachable("a", "b")),
        hosts=["a:2,b:2 4"] * 3,
    ),
    Trial(
        "a machine loses ranks again",
        [
            saves(1) + NOTE.format("b.cluster") + "exit 6",
            NOTE.format("a") + "exit 6",
            NOTE.format("b") + "exit 6",
            NOTE.format("b.cluster") + "exit 6",
            "exit 0",
        ],
        0,
        [
            f"{LOST}; restart in 1 s from step-1",
            f"{LOST}; restart in 2 s from step-1, {VAIN}",
            f"{LOST}; restart in 4 s from step-1, 2 of 3 without a new checkpoint",
            f"{LOST}; 'b' has lost ranks twice without a new checkpoint, is left out, and 2 ranks go on; restart in 1 s from step-1",
        ],
        options=["--hosts", "hosts"],
        ranks=4,
        more=["", *["--resume"] * 4],
        before=hosts("a\nb\n", "exit 0"),
        hosts=["a:2,b:2 4"] * 4 + ["a:2 2"],
    ),
    # The second request makes an end at once, by SIGTERM.
    Trial("stopped", [WAIT.format("")], 130, signals=[signal.SIGTERM]),
    Trial("stopped by the terminal", [WAIT.format("")], 130, signals=[signal.SIGINT]),
    Trial("stopped, and a rank lost", [WAIT.format("exit 6;")], 130, signals=[signal.SIGTERM]),
    Trial("stopped before it could be", [WAIT.format("kill -USR2 $$;")], 130, signals=[signal.SIGTERM]),
    Trial("stopped by an error", [WAIT.format("exit 5;")], 5, signals=[signal.SIGTERM]),
    Trial("stopped when done", [WAIT.format("exit 0;")], 0, signals=[signal.SIGHUP]),
    Trial(
        "stopped at once", [WAIT.replace("{} exit 130", "touch ready")], 130, signals=[signal.SIGINT, signal.SIGTERM]
    ),
]


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(scratch, ignore_errors=True)
    wrong = 0
    # They wait most of the time.
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda number: TRIALS[number].run(tool, scratch / str(number)), range(len(TRIALS))))
    for trial, result in zip(TRIALS, results, strict=True):
        wrong += result != "good"
        print(f"{trial.name}: {result}")
    print(f"{wrong} of {len(TRIALS)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
