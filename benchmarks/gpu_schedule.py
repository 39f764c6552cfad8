#!/usr/bin/env python3
"""What branches of a graph of launches bring, without a GPU: gpu_schedule.py PLAN LAUNCHES [options]

PLAN is the launch plan that gensyn-translate writes beside PTX (--plan), LAUNCHES the line that `gensyn-run info
--launches --json` prints of the same program. Each launch takes the lower bound of its time (gpu_static_report.py) and
the time to start it. It has as many multiprocessors as its grid fills on average. The launches run one after another,
and then by list scheduling: what all before it has ended for begins as soon as there are multiprocessors for it, the
one with the longest path to the end first; those that run together share the bandwidth of the memory. The same again
as if no two values shared memory.
"""

import argparse
import collections
import json
import math

import ptx_accesses
from gpu_static_report import GPUS, launches_of, read_work, table

# Seconds, share of the multiprocessors, share of the bandwidth while it runs.
Task = collections.namedtuple("Task", "seconds share bandwidth")


def time_launch(gpu, blocks, flops, touched, options):
    """A launch by itself. A multiprocessor alone draws more than its part of the bandwidth, but not all of it."""
    turns = blocks / gpu.processors
    filled = turns / math.ceil(turns)
    drawn = min(1.0, turns * options.draw)
    work = max((flops or 0) / (gpu.f32 * 1e12 * filled), touched / (gpu.bandwidth * 1e9 * drawn))
    seconds = work + options.start * 1e-6
    return Task(seconds, filled, touched / (gpu.bandwidth * 1e9) / seconds)


def join(tasks, times=1):
    """Tasks in a row, with what they take on average."""
    seconds = sum(task.seconds for task in tasks) or 1e-12
    return Task(seconds * times, sum(task.share * task.seconds for task in tasks) / seconds,
                sum(task.bandwidth * task.seconds for task in tasks) / seconds)


def time_step(step, launches, sizes, gpu, options):
    """A step of a plan that has steps, with all that is in it; of a branch the longer side."""
    def time_all(steps):
        return [time_step(each, launches, sizes, gpu, options) for each in steps]

    if "launch" in step:
        return launches[step["launch"]]
    if "loop" in step:
        return join(time_all(step["loop"]["body"]), int(step["loop"]["trips"]))
    if "if" in step:
        return max(join(time_all(step["if"][side])) for side in ("then", "else"))
    touched = 2 * sizes[step["copy"][0]] if "copy" in step else 0
    return time_launch(gpu, gpu.processors, 0, touched, options)


def time_steps(plan, steps, work, accesses, gpu, options):
    """The tasks of a plan, one for each step of its graph."""
    launches = [time_launch(gpu, blocks, flops, touched, options)
                for _, blocks, _, _, flops, touched, _ in launches_of(plan, work, accesses)]
    if "steps" not in plan:
        return [launches[step["launch"]] for step in steps]
    sizes = [int(buffer["bytes"]) for buffer in plan["buffers"]]
    return [time_step(step, launches, sizes, gpu, options) for step in plan["steps"]]


def longest_paths(tasks, after):
    """For each task the seconds from its begin to the end of all that waits for it."""
    paths = [0.0] * len(tasks)
    for i in reversed(range(len(tasks))):
        paths[i] += tasks[i].seconds
        for before in after[i]:
            paths[before] = max(paths[before], paths[i])
    return paths


def schedule(tasks, after):
    """Seconds until all tasks have ended."""
    paths = longest_paths(tasks, after)
    missing = [len(each) for each in after]
    followers = [[] for _ in tasks]
    for i, each in enumerate(after):
        for before in each:
            followers[before].append(i)
    ready = [i for i, count in enumerate(missing) if count == 0]
    running, now = {}, 0.0  # remaining seconds at full speed
    while ready or running:
        used = sum(tasks[i].share for i in running)
        for i in sorted(ready, key=lambda i: -paths[i]):
            if not running or used + tasks[i].share <= 1 + 1e-9:
                running[i] = tasks[i].seconds
                used += tasks[i].share
                ready.remove(i)
        speed = min(1.0, 1 / max(1e-12, sum(tasks[i].bandwidth for i in running)))
        passed = min(running.values())
        now += passed / speed
        for i in list(running):
            running[i] -= passed
            if running[i] > 1e-15:
                continue
            del running[i]
            for each in followers[i]:
                missing[each] -= 1
                if missing[each] == 0:
                    ready.append(each)
    return now


def print_schedules(plan, launches, work, accesses, options):
    steps = launches["steps"]
    print(f"{len(steps)} steps; the longest chain has {launches['longest_chain']}, at most {launches['side_by_side']} "
          f"side by side; without reuse {launches['longest_chain_without_reuse']} and "
          f"{launches['side_by_side_without_reuse']}.\n")
    rows = []
    for gpu in GPUS:
        tasks = time_steps(plan, steps, work, accesses, gpu, options)
        chain = sum(task.seconds for task in tasks)
        row = [gpu.name, f"{chain * 1e3:.3f}"]
        for key in ("after", "after_without_reuse"):
            after = [step[key] for step in steps]
            seconds = schedule(tasks, after)
            row += [f"{seconds * 1e3:.3f}", f"{100 * (1 - seconds / chain):.1f} %",
                    f"{max(longest_paths(tasks, after), default=0) * 1e3:.3f}"]
        rows.append(row)
    table(rows, ["ms on", "chain", "branches", "less", "longest path", "without reuse", "less", "longest path"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", help="the launch plan of the program (JSON)")
    parser.add_argument("launches", help="what `info --launches --json` prints of it")
    parser.add_argument("--ptx", help="the text of the program: a launch counts the buffers that its own text touches, "
                        "not all of its kernel's")
    parser.add_argument("--work", help="flops and bytes of the kernels (JSON), where the plan lacks them")
    parser.add_argument("--start", type=float, default=1.5, help="microseconds to start a launch: an assumption")
    parser.add_argument("--draw", type=float, default=4, help="how many times its part of the bandwidth a "
                        "multiprocessor draws if others are idle: an assumption")
    options = parser.parse_args()
    with open(options.plan) as file:
        plan = json.load(file)
    with open(options.launches) as file:
        lines = [json.loads(line) for line in file if line.strip()]
    found = [line for line in lines if line.get("event") == "launches"
             and line["program_digest"] == plan["program_digest"]]
    if len(found) != 1:
        parser.error(f"{options.launches} has {len(found)} lines about program {plan['program_digest']}, expected 1")
    accesses = {}
    if options.ptx:
        with open(options.ptx) as file:
            accesses = ptx_accesses.accesses_of(file.read())
    print_schedules(plan, found[0], read_work(options.work) if options.work else {}, accesses, options)


if __name__ == "__main__":
    main()
