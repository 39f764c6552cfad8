#!/usr/bin/env python3
"""Gathers the pages of the site.

  pages.py ROOT REFERENCE OUT

ROOT is the tree, REFERENCE the folder of `make docs`, OUT the folder to make. The Markdown files of the tree are the only
text: they are copied, and their links changed where a file is elsewhere or no page. A link to nothing is an error, and
so is one to a heading that Sphinx does not find afterwards.
"""

import fnmatch
import functools
import os
import re
import shutil
import sys
from pathlib import Path

# Caption of the navigation -> its pages, as patterns, in order.
SECTIONS = {
    "Using it": ("docs/Running.md", "docs/Proof.md", "docs/Python.md", "python-api.md", "docs/Support.md", "docs/Glossary.md"),
    "Tutorials": ("docs/tutorials/README.md",),
    "Examples": ("examples/README.md",),
    "How it works": ("docs/Architecture.md", "docs/Numerics.md", "docs/[A-Z]*.md"),
    "Reference": ("reference/dialects/*.md", "reference/interfaces/*.md", "reference/passes/*.md"),
    "Project": ("CONTRIBUTING.md", "CHANGELOG.md", "docs/decisions/README.md", "lib/*.md"),
}
# Pages that are listed below another one.
BELOW = {
    "docs/tutorials/README.md": "docs/tutorials/*.md",
    "examples/README.md": "examples/*/README.md",
    "docs/decisions/README.md": "docs/decisions/*.md",
}
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/*.md",
    "docs/decisions/*.md",
    "docs/tutorials/*.md",
    "examples/README.md",
    "examples/*/README.md",
    "lib/Runtime/Report/Layout/README.md",
)
API = """# Python API

[Python.md](docs/Python.md) introduces the package; these are its docstrings.

```{eval-rst}
.. automodule:: gensyn
   :members:
   :imported-members:
   :exclude-members: ir, losses, optim, schedules

.. automodule:: gensyn.ir
   :members:

.. automodule:: gensyn.losses
   :members:

.. automodule:: gensyn.optim
   :members:

.. automodule:: gensyn.schedules
   :members:
```
"""


def place(source, root, reference):
    """Returns where a page lies in the site: the start page is README.md, the reference a folder of its own."""
    if reference in source.parents:
        return Path("reference") / source.relative_to(reference)
    path = source.relative_to(root)
    return Path("index.md") if path == Path("README.md") else path


def titled(text, page):
    """Returns a page of the reference with a title: those of mlir-tblgen have none, or the same one on each."""
    kind, name = page.parts[0], "/".join(page.parts[1:])
    title = f"# The {name} dialect" if kind == "dialects" else f"# {kind.capitalize()} of {name}"
    if kind == "dialects" and f"\n{title}\n" in f"\n{text}":
        return text
    return f"{title}\n\n" + re.sub(r"^# .*\n", "", text, count=1, flags=re.MULTILINE)


def outside_code(text, change):
    """Applies a function to the parts of a page that are not blocks of code."""
    parts = re.split(r"(^```.*?^```$|^(?:    [^\n]*\n)+)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


@functools.cache
def anchors(text):
    """Returns the anchors of a page's headings, as GitHub and MyST name them, and those that it sets itself."""
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), flags=re.MULTILINE):
        plain = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 0
        while f"{slug}-{number}" * bool(number) in found or (not number and slug in found):
            number += 1
        found.add(f"{slug}-{number}" if number else slug)
    return found


def linked(text, source, places, root, reference, out):
    """Returns a page with links between pages of the site, and complaints."""
    complaints = []
    here = places[source].parent

    def replace(match):
        label, target = match.groups()
        name, hash_, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            return match[0]
        if not name:
            if anchor not in anchors(source.read_text()):
                complaints.append(f"{source}: a link leads to {target}, which is no heading of the page")
            return match[0]
        path = Path(os.path.normpath(source.parent / name))
        if path not in places and reference in path.parents:
            path = root / "docs" / path.relative_to(reference)  # a copy of a page of docs
        if (path / "README.md") in places:
            path /= "README.md"
        if path in places and anchor and anchor not in anchors(path.read_text()):
            complaints.append(f"{source}: a link leads to {target}, which has no such heading")
        if path in places:
            return f"[{label}]({os.path.relpath(places[path], here)}{hash_}{anchor})"
        if not path.exists():
            complaints.append(f"{source}: a link leads to {target}, which does not exist")
        if not path.is_file():
            return label  # a folder of sources is no page
        copy = out / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        return f"[{label}]({os.path.relpath(path.relative_to(root), here)})"

    text = outside_code(text, lambda part: re.sub(r"\[([^]\[]+)\]\(([^)\s]+)\)", replace, part))
    return text, complaints


def toctree(pages, here, options):
    lines = [os.path.relpath(page, here.parent).removesuffix(".md") for page in pages]
    return "\n```{toctree}\n" + "\n".join([*options, "", *lines]) + "\n```\n"


def matching(pattern, pages, known):
    return [page for page in pages if page not in known and fnmatch.fnmatchcase(str(page), pattern)]


def main():
    root, reference, out = (Path(name).resolve() for name in sys.argv[1:])
    sources = [path for pattern in PAGES for path in sorted(root.glob(pattern))]
    sources += sorted(path for path in reference.rglob("*.md") if path.name != "Numerics.md")
    places = {source: place(source, root, reference) for source in sources}
    shutil.rmtree(out, ignore_errors=True)
    texts, complaints = {}, []
    for source in sources:
        text, wrong = linked(source.read_text(), source, places, root, reference, out)
        if reference in source.parents:
            text = titled(text, source.relative_to(reference).with_suffix(""))
        texts[places[source]] = text
        complaints += wrong
    texts[Path("python-api.md")] = API

    known = {Path("index.md")}
    for pattern in BELOW.values():
        known |= set(matching(pattern, texts, ()))
    for page, pattern in BELOW.items():
        below = [each for each in matching(pattern, texts, ()) if each != Path(page)]
        texts[Path(page)] += toctree(below, Path(page), [":hidden:"])
        known.discard(Path(page))
    for caption, patterns in SECTIONS.items():
        pages = []
        for pattern in patterns:
            found = matching(pattern, texts, known)
            pages += found
            known |= set(found)
        texts[Path("index.md")] += toctree(pages, Path("index.md"), [":hidden:", f":caption: {caption}"])
    for page, text in texts.items():
        (out / page).parent.mkdir(parents=True, exist_ok=True)
        (out / page).write_text(text)
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
