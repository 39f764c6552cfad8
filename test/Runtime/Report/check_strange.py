"""Opens pages of strange models: check_strange.py FOLDER."""

import json
import re
import sys
from pathlib import Path

import browser

DATA = re.compile(r'(<script id="data"[^>]*>)(.*?)(</script>)', re.DOTALL)
TITLES = "[...document.querySelectorAll('#graphView .title')].map(title => title.textContent)"


def check_names(page, folder):
    page.open(folder / "names.html")
    assert page.evaluate("document.querySelectorAll('[onclick]').length") == 0
    assert page.evaluate("document.querySelectorAll('script').length") == 2
    assert max(map(len, page.evaluate("graph.layers.map(layer => layer.path)"))) <= 64
    for depth in ("nodes", "kernels", "modules"):
        page.evaluate(f"go('{depth}', [])")
        page.evaluate("for (const item of [...graph.layers, ...graph.kernels]) show(item)")
    for word in ("script", "b onclick", "two", "nnn", "__proto__", "constructor"):
        page.evaluate(f"search('{word}')")
        assert page.evaluate("document.querySelectorAll('#hits button').length") > 0, word
    for width in (1280, 380):
        page.show(width, 900)
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.show(1280, 900)


def with_graph(folder, name, layers, kernels):
    """A page like the first, with another graph."""
    text = (folder / "names.html").read_text()
    data = json.loads(DATA.search(text).group(2))
    data["graph"].update(layers=layers, kernels=kernels)
    (folder / name).write_text(DATA.sub(lambda match: match.group(1) + json.dumps(data).replace("<", "\\u003c")
                                        + match.group(3), text))
    return folder / name


def layer(number, path, reads):
    return {"name": f"n{number}", "kind": "Relu", "path": path, "type": "f32[2]", "flops": 1, "reads": reads}


def kernel(number, path, readers):
    return {"name": f"k{number}", "again": -1, "kind": "map", "schedule": "", "phase": "forward", "path": path, "type": "",
            "ops": 1, "flops": 1, "bytesRead": 1, "bytesWritten": 1, "nodes": [number], "others": [],
            "borders": [[reader, 0] for reader in readers], "orders": []}


def check_many(page, folder):
    count = 100_000
    # Modules of many nodes, and a chain without modules.
    for name, path_of in (("flat.html", lambda _: []), ("one.html", lambda number: ["m", str(number % 2)])):
        layers = [layer(number, path_of(number), [number - 1] if number else []) for number in range(count)]
        kernels = [kernel(number, path_of(number), [number + 1] if number + 1 < count else []) for number in range(count)]
        page.open(with_graph(folder, name, layers, kernels))
        for depth in ("modules", "nodes", "kernels"):
            page.evaluate(f"go('{depth}', [])")
            assert 1 < len(page.evaluate(TITLES)) <= 120, name
            page.evaluate(f"show(itemsOf('{depth}')[{count // 2}])")
            assert page.evaluate("document.querySelectorAll('.item.chosen').length") == 1, (name, depth)


def check_nothing(page, folder):
    page.open(with_graph(folder, "none.html", [layer(0, [], [])], []))
    page.evaluate("go('kernels', [])")
    assert page.evaluate("document.getElementById('graphView').textContent") == "Nothing here."
    page.evaluate("fit(); zoom(2); show(graph.layers[0])")
    assert page.evaluate(TITLES) == ["n0"]


def check_wrappers(page, folder):
    """Escape leaves modules that only wrap one another."""
    paths = [["a", "b", "c", "d"], ["a", "b", "c", "e", "f"], ["a", "b", "c", "e", "g"], ["z"]]
    page.open(with_graph(folder, "wrappers.html", [layer(number, path, []) for number, path in enumerate(paths)], []))
    page.evaluate("go('modules', ['a']); focusFirst()")
    assert page.evaluate(TITLES) == ["d", "e \u25b8"], page.evaluate(TITLES)
    page.press("Escape")
    assert page.evaluate(TITLES) == ["a \u25b8", "z"], page.evaluate(TITLES)
    # The end of a movement opens nothing, and the next click does.
    page.evaluate("moved = true")
    for expected in (["a \u25b8", "z"], ["d", "e \u25b8"]):
        page.evaluate("document.querySelector('#graphView .item').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
        assert page.evaluate(TITLES) == expected, page.evaluate(TITLES)


def check_ticks(page):
    for low, high in ((0.1, 0.10000000000000002), (0, 5e-324), (1e308, 1.7e308), (-1e308, 1.7e308), (1e16, 1e16 + 2), (3, 3)):
        ticks = page.evaluate(f"axisTicks({low}, {high}, 5)")
        assert len(ticks) <= 12, (low, high, ticks)
    assert page.evaluate("axisTicks(0, 10, 5)") == [0, 2, 4, 6, 8, 10]


def main():
    folder = Path(sys.argv[1])
    with browser.Browser() as page:
        page.show(1280, 900)
        check_names(page, folder)
        check_ticks(page)
        check_nothing(page, folder)
        check_wrappers(page, folder)
        check_many(page, folder)
        assert not page.errors, page.errors


main()
