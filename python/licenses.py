#!/usr/bin/env python3
"""licenses.py TREE ENVIRONMENT...: adds the licence texts of what a wheel contains to its unpacked TREE.

The libraries beside the package are of the Debian packages that own a file of their name; auditwheel adds a hash to it.
What is linked into ours is below, packages of Debian and of the Python environments. Each text goes to licenses/PACKAGE
in the wheel's dist-info.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

LINKED = ("libcli11-dev", "liblld-22-dev", "libprotobuf-dev", "libxxhash-dev", "nlohmann-json3-dev")
LINKED_PYTHON = ("nanobind", "onnx")


def owner(library):
    """The package of "libz3-7b396b8b.so.4"."""
    name = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library)
    listed = subprocess.run(["dpkg", "-S", f"*/{name}"], check=False, capture_output=True, text=True).stdout
    packages = {line.split(":")[0] for line in listed.splitlines() if not line.split(":")[0].endswith("-dev")}
    if len(packages) != 1:
        sys.exit(f"licenses.py: error: {name} is of {sorted(packages) or 'no package'}, expected one package")
    return packages.pop()


def main():
    tree, *environments = map(Path, sys.argv[1:])
    (info,) = tree.glob("*.dist-info")
    libraries = [path.name for path in tree.glob("gensyn.libs/*.so*")]
    packages = {owner(each) for each in libraries}
    if not packages:
        sys.exit("licenses.py: error: the wheel has no libraries")
    texts = {package: Path("/usr/share/doc", package, "copyright") for package in sorted({*packages, *LINKED})}
    for package in LINKED_PYTHON:
        pattern = f"lib/python3*/site-packages/{package}-*/licenses/LICENSE"
        texts[package] = next((text for each in environments for text in each.glob(pattern)), Path("absent"))
    absent = [package for package, text in texts.items() if not text.is_file()]
    if absent:
        sys.exit(f"licenses.py: error: no licence text of {', '.join(absent)} on this machine")
    for package, text in texts.items():
        folder = info / "licenses" / package
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(text, folder / text.name)
    print(f"licenses.py: texts of {len(texts)} packages for {len(libraries)} libraries and what is linked in")


if __name__ == "__main__":
    main()
