"""Makes a machine file of the first boards of a machine of many boards, with random cores
and links dead: python machine_part.py share/machines/spinnaker2-rack.json --boards 12
--dead 10 -o rack-12.json. The same arguments make the same file."""
import argparse
import json
import random


def positions(places):
    """Positions and rectangles of a machine file, one after another."""
    found = []
    for place in places:
        if isinstance(place, dict):
            (left, top), (columns, rows) = place["from"], place["size"]
            found += [(left + x, top + y) for y in range(rows) for x in range(columns)]
        else:
            found.append(tuple(place))
    return found


def wrapped(position, wrap):
    return (position[0] % wrap[0], position[1] % wrap[1]) if wrap else position


def mesh(places, steps, wrap=None):
    """Pairs of positions that differ by a step, in order."""
    at = {wrapped(place, wrap): place for place in places}
    pairs = []
    for place in places:
        for dx, dy in steps:
            other = at.get(wrapped((place[0] + dx, place[1] + dy), wrap))
            if other is not None and other != place:
                pairs.append((place, other))
    return pairs


def reached(start, pairs):
    neighbours = {}
    for one, other in pairs:
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    found, open_places = {start}, [start]
    while open_places:
        for other in neighbours.get(open_places.pop(), []):
            if other not in found:
                found.add(other)
                open_places.append(other)
    return found


def kill(pairs, share, wanted, start, draw):
    """Random dead pairs; those without which a wanted place is cut off stay alive."""
    dead = [pair for pair in pairs if draw.random() < share]
    gone = set(dead)
    for pair in reversed(dead):
        if wanted <= reached(start, [other for other in pairs if other not in gone]):
            break
        gone.discard(pair)
    return [pair for pair in dead if pair in gone]


def take_boards(machine, count):
    boards = machine["boards"]
    boards["at"] = boards["at"][:count]
    chips = [(bx + x, by + y) for bx, by in positions(boards["at"])
             for x, y in positions(machine["chips"]["at"])]
    if "wrap" in boards:
        # A torus, if the boards fill one of the same width.
        columns = boards["wrap"][0]
        rows = len(chips) // columns
        if rows and len({(x % columns, y % rows) for x, y in chips}) == columns * rows == len(chips):
            boards["wrap"] = [columns, rows]
    return chips


def add_dead(machine, chips, share, seed):
    draw = random.Random(seed)
    machine["sources"]["random"] = {
        "kind": "assumed", "title": f"Random: {100 * share:g} % of cores and of links, seed {seed}"}
    chip_places = positions(machine["chips"]["at"])
    nodes = positions(machine["network"]["nodes"])
    links = [pair for group in machine["network"]["links"]
             for pair in mesh(nodes, group.get("steps", [[1, 0], [0, 1]]))]
    gateway = tuple(machine["chips"]["node"])
    ports = {tuple(port) for memory in machine["memories"] for port in positions(memory.get("ports", []))}
    node_of = []
    for group in machine["cores"]:
        each = group.get("per_node", [1, 1])
        for place in positions(group["at"]):
            node_of += [place] * (each[0] * each[1])
    cores = dead_links = 0
    for board in positions(machine["boards"]["at"]):
        for chip in chip_places:
            gone = kill(links, share, ports, gateway, draw)
            alive = reached(gateway, [pair for pair in links if pair not in gone])
            dead = [core for core, node in enumerate(node_of)
                    if draw.random() < share or node not in alive]
            where = {"source": "random", "chips": [chip], "boards": [board]}
            machine["dead"].append({**where, "cores": dead})
            if gone:
                machine["dead"].append({**where, "links": {
                    "from": [pair[0] for pair in gone], "to": [pair[1] for pair in gone]}})
            cores += len(dead)
            dead_links += len(gone)
    wrap = machine["boards"].get("wrap")
    steps = machine["chips"]["links"][0].get("steps", [[1, 0], [0, 1]])
    between = mesh(chips, steps, wrap)
    gone = kill(between, share, set(chips), chips[0], draw)
    if gone:
        machine["dead"].append({"source": "random", "chip_links": {
            "from": [pair[0] for pair in gone], "to": [pair[1] for pair in gone]}})
    print(f"dead: {cores} of {len(node_of) * len(chips)} cores, {dead_links} of {len(links) * len(chips)} "
          f"links of chips, {len(gone)} of {len(between)} between chips")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("machine")
    parser.add_argument("--boards", type=int, required=True)
    parser.add_argument("--dead", type=float, default=0, help="percent of cores, and of links")
    parser.add_argument("--reserved", type=int, help="KiB of each core's memory for code and stacks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    with open(arguments.machine, encoding="utf-8") as file:
        machine = json.load(file)
    if not 0 < arguments.boards <= len(machine.get("boards", {}).get("at", [])):
        parser.error(f"{arguments.machine} has no {arguments.boards} boards")
    chips = take_boards(machine, arguments.boards)
    machine["name"] += f"-{arguments.boards}-boards"
    if arguments.reserved is not None:
        machine["name"] += f"-{arguments.reserved}-kib-reserved"
        own = {kind["memory"] for kind in machine["core_kinds"]}
        for memory in machine["memories"]:
            if memory["name"] in own:
                memory["reserved"]["value"] = arguments.reserved
    if arguments.dead:
        machine["name"] += f"-{arguments.dead:g}-percent-dead"
        add_dead(machine, chips, arguments.dead / 100, arguments.seed)
    machine["about"] = f"{len(chips)} chips of: {machine['about']}"
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump(machine, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
