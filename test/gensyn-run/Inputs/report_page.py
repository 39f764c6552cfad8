"""Checks a page of gensyn-run --report: report_page.py FILE [--sweep].

It needs nothing else, every figure links to where it comes from on the page, and the parts of the energy add up.
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "input", "br", "link", "img", "base"}


class Page(HTMLParser):
    """Collects ids, figures and what loads other files."""

    def __init__(self):
        super().__init__()
        self.ids, self.figures, self.loads, self.open = set(), [], [], []
        self.bare, self.pictures, self.parts, self.scripts, self.data = [], [], [], 0, ""

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        assert len(values) == len(attributes), f"an attribute twice: {attributes}"
        if "id" in values:
            assert values["id"] not in self.ids, f"the id {values['id']} is there twice"
            self.ids.add(values["id"])
        for key in ("src", "srcset", "action", "data", "xlink:href", "href"):
            if key in values and not values[key].startswith("#"):
                self.loads.append((tag, values[key]))
        if tag in ("link", "img", "iframe", "object", "embed", "base", "form"):
            self.loads.append((tag, ""))
        if tag == "a" and values.get("class") == "f":
            self.figures.append(values.get("href", ""))
            for picture in self.pictures:
                picture[1] |= picture[0]
        if tag == "figure":
            self.pictures.append([True, False])
        if tag == "tr" and "data-fj" in values:
            self.parts.append((int(values["class"][1:]), int(values["data-fj"])))
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append((tag, values))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> closes {self.open[-1:]}, line {self.getpos()}"
        self.open.pop()
        if tag == "figure":
            self.pictures[-1][0] = False

    def handle_data(self, text):
        names = [tag for tag, _ in self.open]
        if names[-1:] == ["script"] and self.open[-1][1].get("id") == "data":
            self.data += text
        # A number to the right, or one with a unit in the summary, is a figure.
        inside = any(tag == "td" and values.get("class") == "r" for tag, values in self.open)
        named = any(values.get("class") == "t" for _, values in self.open)
        unit = "dd" in names and not named and re.search(r"\d (?:%|[munpfk]?[sJ]|[KMGT]?i?B)\b", text)
        if (inside and re.search(r"\d", text) or unit) and "a" not in names and "code" not in names:
            self.bare.append(text)


def check_energy(parts):
    """Parts are rows below their sum: levels 0, 1 and, for some of 1, 2."""
    assert parts[0][0] == 0 and parts[0][1] == sum(energy for level, energy in parts if level == 1)
    for i, (level, energy) in enumerate(parts):
        inner = []
        for below, own in parts[i + 1:]:
            if below <= level:
                break
            inner.append((below, own))
        if level == 1 and inner:
            assert energy == sum(own for _, own in inner), f"parts of {energy} are {inner}"


def main():
    text = Path(sys.argv[1]).read_bytes()
    assert len(text) <= 5 << 20, f"{len(text)} bytes"
    page = Page()
    page.feed(text.decode("utf-8"))
    page.close()
    assert not page.open, page.open
    assert not page.loads, f"loads {page.loads}"
    assert page.scripts == 2
    assert page.figures and page.pictures
    missing = sorted({href for href in page.figures if href[1:] not in page.ids or not href.startswith("#")})
    assert not missing, f"figures link to {missing}, which are not there"
    assert not page.bare, f"figures without a link: {page.bare[:5]}"
    assert all(has for _, has in page.pictures), "a picture without a source"
    assert "default-src 'none'" in text.decode()
    if "--sweep" not in sys.argv:
        check_energy(page.parts)
        data = json.loads(page.data)
        cells = {len(data[key]) for key in ("names", "busy", "copy", "fill", "energy", "bytes", "kernelsOf")}
        assert len(cells) == 1 and cells != {0}
        for wanted in ("floorplan", "timelines", "memory", "roofline", "energy", "kernels", "reasons", "decisions",
                       "sensitivity", "sources"):
            assert wanted in page.ids, f"no section {wanted}"
    print(f"{len(page.figures)} figures, {len(page.pictures)} pictures")


main()
