"""Checks a page of gensyn-run report against the output of info: model_page.py PAGE INFO [TRACE].

It loads nothing, its tags are balanced, and its data has every layer and kernel of the program. The spans of a
measured run are those of its trace.
"""

import itertools
import json
import sys
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.data, self.ids = [], "", set()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form"), tag
        for key in ("src", "href"):
            assert values.get(key, "#").startswith("#"), values
        if "id" in values:
            assert values["id"] not in self.ids, f"the id {values['id']} is there twice"
            self.ids.add(values["id"])
        if tag not in VOID:
            self.open.append((tag, values))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> closes {self.open[-1:]}, line {self.getpos()}"
        self.open.pop()

    def handle_data(self, text):
        if self.open and self.open[-1] == ("script", {"id": "data", "type": "application/json"}):
            self.data += text


text = Path(sys.argv[1]).read_text()
info = json.loads(Path(sys.argv[2]).read_text())
page = Page()
page.feed(text)
assert not page.open, page.open
for section in ("summary", "graph", "memory", "layers", "kernels"):
    assert section in page.ids, section
assert info["program_digest"] in text
data = json.loads(page.data)
graph = data["graph"]
assert [layer["name"] for layer in graph["layers"]] == [layer["node"] for layer in info["layers"]]
assert [kernel["name"] for kernel in graph["kernels"]] == [kernel["name"] for kernel in info["kernels"]]
assert sum(len(kernel["orders"]) for kernel in graph["kernels"]) == len(info["orders"])
assert {kernel["phase"] for kernel in graph["kernels"]} == {"forward", "loss", "backward", "update"}
for memory in data["memory"]:
    assert max(memory["live"]) == memory["live"][memory["peak"]] <= memory["arena"], memory["name"]
    assert all(offset + size <= memory["arena"] for offset, size, _, _ in memory["buffers"])
    if not memory["more"]:
        assert memory["digest"] == info["program_digest"]
names = {kernel["name"] for kernel in graph["kernels"]}
programs = len(data["memory"])
# The last program is that of the graph: its launches are those of the kernels.
if "problem" not in data["memory"][-1]:
    assert {launch[0] for launch in data["memory"][-1]["launches"]} <= names
    again = sum(kernel["again"] >= 0 for kernel in graph["kernels"])
    assert bool(again) == bool(data["memory"][-1]["more"]), again
    assert all(kernel["again"] < at for at, kernel in enumerate(graph["kernels"]))
print(f"{len(graph['layers'])} layers, {len(graph['kernels'])} kernels, {programs} program{'s' * (programs > 1)}")
if len(sys.argv) > 3:
    time = data["time"]
    events = [event for event in json.loads(Path(sys.argv[3]).read_text())["traceEvents"] if event["ph"] == "X"]
    assert len(events) == len(time["spans"])
    launches = {event["args"]["launch"] for event in events}
    assert launches == set(range(len(time["launches"]))), "a launch ran on no thread"
    for thread in range(time["threads"]):
        own = [span for span in time["spans"] if span[1] == thread]
        # A thread does one thing at a time.
        assert all(before[2] + before[3] <= after[2] + 1 for before, after in itertools.pairwise(own))
    # A kernel was measured under the name that it has in the graph, with its operations; of its launches, the one
    # that computes the products has most of them.
    flops = {kernel["name"]: kernel["flops"] for kernel in graph["kernels"]}
    assert {kernel["kernel"] for kernel in time["kernels"]} == names
    for kernel in time["kernels"]:
        assert kernel["flops"] == flops[kernel["kernel"]], kernel
    of_symbols = {event["args"]["symbol"]: event["args"]["flops"] for event in events}
    for symbol, own in of_symbols.items():
        for suffix in ("_pack", "_epilogue"):
            if symbol + suffix in of_symbols:
                assert own > of_symbols[symbol + suffix], symbol
        assert "__" not in symbol, symbol
    print(f"{time['threads']} threads, {len(time['launches'])} launches")
