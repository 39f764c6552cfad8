"""Which parameters of a kernel its PTX loads from and stores to.

A launch of several may read only some buffers of its kernel: where bytes are counted, each launch counts those that
its own text touches.
"""

import collections
import re

Accesses = collections.namedtuple("Accesses", "loads stores")  # sets of numbers of parameters

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)")
PARAMETER = re.compile(r"\.param\s+(?:[\w.]+\s+)*([\w$]+)")
REGISTER = re.compile(r"%[a-z]+\d+")
STATEMENT = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s+([^;]*);", re.M)
ADDRESS = re.compile(r"\[([^\]]*)\]")
PRIVATE = (".shared", ".local", ".const")


def accesses_of(text):
    """Names of kernels to Accesses; None for a kernel with an address that comes from no parameter."""
    found = {}
    entries = list(ENTRY.finditer(text))
    for entry, following in zip(entries, [match.start() for match in entries[1:]] + [len(text)], strict=True):
        numbers = {name: number for number, name in enumerate(PARAMETER.findall(entry.group(2)))}
        body = text[entry.end():following]
        found[entry.group(1)] = of_body(STATEMENT.findall(body), numbers)
    return found


def of_body(statements, numbers):
    """Follows parameters through registers until nothing is new, and lists those in addresses of global memory."""
    origins = collections.defaultdict(frozenset)
    changed = True
    while changed:
        changed = False
        for opcode, operands in statements:
            parts = opcode.split(".")
            if parts[0] in ("st", "red", "bra", "cp", "setp", "bar"):
                continue
            if parts[0] in ("ld", "atom", "ldmatrix"):
                # What memory holds is no address of a parameter, other than in the space of parameters.
                if "param" not in parts:
                    continue
                name = re.match(r"[\w$]+", ADDRESS.search(operands).group(1).strip()).group(0)
                new = frozenset([numbers[name]]) if name in numbers else frozenset()
                targets = REGISTER.findall(operands.split("[")[0])
            else:
                target, _, rest = operands.partition(",")
                if operands.startswith("{"):
                    target, _, rest = operands.partition("}")
                targets = REGISTER.findall(target)
                new = frozenset().union(*(origins[register] for register in REGISTER.findall(rest)))
            for register in targets:
                if not new <= origins[register]:
                    origins[register] |= new
                    changed = True
    loads, stores = set(), set()
    for opcode, operands in statements:
        kind = opcode.split(".")[0]
        if kind not in ("ld", "st", "atom", "red", "cp") or ".param" in opcode:
            continue
        addresses = ADDRESS.findall(operands)
        if kind == "cp":
            if len(addresses) < 2:  # a commit or a wait
                continue
            address = addresses[1]
        elif any(space in opcode for space in PRIVATE):
            continue
        else:
            address = addresses[0]
        touched = frozenset().union(*(origins[register] for register in REGISTER.findall(address)))
        if not touched:
            return None
        if kind != "st":
            loads |= touched
        if kind not in ("ld", "cp"):
            stores |= touched
    return Accesses(loads, stores)
