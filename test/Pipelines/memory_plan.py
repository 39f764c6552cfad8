"""Checks plans (JSON) by brute force: memory_plan.py MOST_PERCENT PLAN ...

Buffers that live at once lie apart: one lives from the first launch that names
it to the last. The lower bound is counted again, and the arena may be at most
MOST_PERCENT of it. Prints a line for each plan.
"""

import json
import os
import sys


def lives_of(plan):
    """First and last launch of each buffer in the arena, and its bytes."""
    lives = {}
    for number, launch in enumerate(plan["launches"]):
        for buffer in launch["buffers"]:
            place = plan["buffers"][buffer]
            if "arena" in place and place["bytes"]:
                first = lives.get(buffer, (number,))[0]
                lives[buffer] = (first, number, place["arena"], (place["bytes"] + 63) // 64 * 64)
    return list(lives.values())


def check(path, most_percent):
    with open(path) as file:
        plan = json.load(file)
    lives = lives_of(plan)
    for i, (first, last, begin, size) in enumerate(lives):
        assert begin % 64 == 0 and begin + size <= plan["arena_bytes"], (path, begin)
        for other_first, other_last, other_begin, other_size in lives[:i]:
            if first <= other_last and other_first <= last:
                assert begin + size <= other_begin or other_begin + other_size <= begin, (path, begin, other_begin)
    least = max(sum(size for first, last, _, size in lives if first <= number <= last)
                for number in range(len(plan["launches"])))
    assert least == plan["memory"]["lower_bound"], (path, least)
    assert 100 * plan["arena_bytes"] <= most_percent * least, (path, plan["arena_bytes"], least)
    in_place = plan.get("in_place", [])
    replaced = sum(donated >= 0 for donated in plan["donated"])
    print(f"{os.path.basename(path)}: {len(plan['launches'])} launches, "
          f"{plan['memory']['written_in_place']} results over operands, "
          f"{sum(in_place)} of {replaced} outputs over what they replace")


for each in sys.argv[2:]:
    check(each, float(sys.argv[1]))
