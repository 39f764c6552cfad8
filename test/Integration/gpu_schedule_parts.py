"""The schedules of benchmarks/gpu_schedule.py, of tasks by hand."""

import sys
import types

sys.path.insert(0, sys.argv[1])
import gpu_schedule
from gpu_schedule import Task


def check(got, wanted):
    if got != wanted:
        sys.exit(f"got {got}, wanted {wanted}")


def schedule(tasks, after):
    return round(gpu_schedule.schedule(tasks, after), 9)


half = Task(2.0, 0.5, 0.25)
# Two halves run together, three do not; what waits for both comes after them.
check(schedule([half, half], [[], []]), 2.0)
check(schedule([half, half, half], [[], [], []]), 4.0)
check(schedule([half, half, half], [[], [], [0, 1]]), 4.0)
check(schedule([half, half, half], [[], [0], [1]]), 6.0)
# Whoever has the longest path begins first.
short = Task(1.0, 0.5, 0.0)
check(schedule([short, short, short, short], [[], [], [], [2]]), 2.0)
# Together they want 1.5 times the bandwidth.
check(schedule([Task(2.0, 0.5, 0.75)] * 2, [[], []]), 3.0)
check(gpu_schedule.longest_paths([half, half, short], [[], [], [0]]), [3.0, 2.0, 1.0])

# A grid of half the multiprocessors: half the peak. Of one block: four times its part of the bandwidth.
gpu = gpu_schedule.GPUS[1]
options = types.SimpleNamespace(start=0.0, draw=4)
task = gpu_schedule.time_launch(gpu, 66, 67e12, 0, options)
check((round(task.seconds, 9), task.share, task.bandwidth), (2.0, 0.5, 0.0))
task = gpu_schedule.time_launch(gpu, 1, 0, 3350e9, options)
check((round(task.seconds, 9), round(task.bandwidth * 33, 9)), (33.0, 1.0))
options.start = 3e6
check(round(gpu_schedule.time_launch(gpu, 132, 67e12, 0, options).seconds, 9), 4.0)

# A plan with a loop of two launches, a copy and a branch.
options.start = 0.0
plan = {"buffers": [{"bytes": 1675e9}, {"bytes": 0}],
        "launches": [{"kernel": "k", "buffers": [1], "grid": [132], "flops": flops} for flops in (67e12, 134e12)],
        "steps": [{"launch": 1}, {"loop": {"trips": 3, "body": [{"launch": 0}, {"launch": 1}]}}, {"copy": [0, 0]},
                  {"if": {"then": [{"launch": 0}], "else": [{"launch": 1}]}}]}
tasks = gpu_schedule.time_steps(plan, [{}] * 4, {}, {}, gpu, options)
check([round(task.seconds, 9) for task in tasks], [2.0, 9.0, 1.0, 2.0])
check(gpu_schedule.join([Task(3.0, 1.0, 0.5), Task(1.0, 0.2, 0.1)], 2), Task(8.0, 0.8, 0.4))
plan.pop("steps")
tasks = gpu_schedule.time_steps(plan, [{"launch": 1}, {"launch": 0}], {}, {}, gpu, options)
check([round(task.seconds, 9) for task in tasks], [2.0, 1.0])
