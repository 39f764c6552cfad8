"""Programs of other processors by QEMU, after the table of instruction sets."""

import re
import shutil
from pathlib import Path

TABLE = Path(__file__).resolve().parents[3] / "include" / "gensyn" / "Machine" / "Cpu.def"


def emulated_sets():
    """The instruction sets that QEMU emulates: name to architecture and processor."""
    rows = re.findall(r'^GENSYN_CPU\((\w+), *"([^"]+)",.*"([^"]*)"\)$', TABLE.read_text(), re.MULTILINE)
    return {name: (architecture, processor) for architecture, name, processor in rows if processor}


def emulated_tool(tool, instruction_set):
    """The words that run `tool`, the name of a program in PATH, built for another instruction set."""
    architecture, processor = emulated_sets()[instruction_set]
    build = Path(shutil.which(tool)).resolve().parents[1]
    return [f"qemu-{architecture}-static", "-L", f"/usr/{architecture}-linux-gnu", "-cpu", processor,
            str(build / f"runtime-{architecture}" / "bin" / tool)]
