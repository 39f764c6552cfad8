"""Uses a page about differences as a reader would: check_comparison.py TENSORS RUNS REPLAY FOLDER."""

import sys
from pathlib import Path

import browser

READOUT = "document.querySelector('#t{} .readout').textContent"
# Pixels of a map that have the colour of a class.
COUNT = """((map, name) => {
    const canvas = document.querySelector(map + ' canvas'), probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--' + name + ')';
    const colour = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    probe.remove();
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4) count += colour.every((part, i) => pixels[at + i] === part);
    return count / (canvas.width * canvas.height);
})('%s', '%s')"""


def number_of(page, name):
    return page.evaluate(f"data.tensors.findIndex(tensor => tensor.name === '{name}')")


def focus(page, number):
    """Focuses a map, once it is drawn."""
    page.wait(f"document.querySelector('#t{number}[open] canvas') !== null")
    page.evaluate(f"document.querySelector('#t{number} canvas').focus()")


def check_maps(page):
    assert page.evaluate("document.querySelectorAll('canvas').length") == 3, "three maps are open"
    # A closed one is drawn when its link in the table is followed.
    million = number_of(page, "million")
    page.evaluate(f"document.querySelector('a[href=\"#t{million}\"]').focus()")
    page.press("Enter")
    focus(page, million)
    # A hundredth of the elements differ by 3 ulps.
    share = page.evaluate(COUNT % (f"#t{million}", "u2"))
    assert 0.007 < share < 0.014, share
    assert "rows 496 to 503, columns 600 to 605: at most 8,388,608 to 16,777,215 ulps" in page.evaluate(READOUT.format(million))
    page.press("ArrowRight")
    assert page.evaluate(READOUT.format(million)) == "rows 496 to 503, columns 606 to 611: equal"
    # Only larger differences.
    page.evaluate("const choice = document.querySelector('#ulpKey select'); choice.selectedIndex = 2;"
                  "choice.dispatchEvent(new Event('change'))")
    assert page.evaluate(COUNT % (f"#t{million}", "u2")) == 0
    page.evaluate("choice.selectedIndex = 0; choice.dispatchEvent(new Event('change'))")
    lines = number_of(page, "lines")
    page.evaluate(f"document.getElementById('t{lines}').open = true")
    focus(page, lines)
    page.press("ArrowLeft")
    assert page.evaluate(READOUT.format(lines)) == "element 6: equal"
    for key in ("End", "PageDown", "PageDown", "PageDown", "PageDown"):
        page.press(key)
    assert page.evaluate(READOUT.format(lines)) == "beyond the last element"


def check_words(page):
    # Every colour of the key has words beside it.
    keys = page.evaluate("[...document.querySelectorAll('#ulpKey .key')].map(key => key.textContent.trim())")
    assert len(keys) == 9 and all(keys), keys
    labels = page.evaluate("[...document.querySelectorAll('canvas')].map(canvas => canvas.getAttribute('aria-label'))")
    assert all(label.startswith("Map of the differences of ") for label in labels), labels
    # Names are text.
    assert page.evaluate("document.querySelectorAll('[onclick]').length") == 0
    assert any("</script><b onclick" in name for name in page.evaluate("data.tensors.map(tensor => tensor.name)"))


def check_runs(page):
    page.evaluate("document.querySelector('.curveChart svg').focus()")
    page.press("ArrowRight")
    assert "step 2: " in page.evaluate("document.querySelector('.curveChart .readout').textContent")
    labels = page.evaluate("[...document.querySelectorAll('.curveChart')[1].querySelectorAll('text[text-anchor=end]')]"
                           ".map(each => each.textContent)")
    assert len(labels) > 3 and len({*labels}) == len(labels), f"step sizes that hardly differ: {labels}"
    assert "the bits part: step 2" in page.evaluate("document.querySelector('.curveChart').textContent")


def check_replay(page):
    """The section of --replay is in the table of contents, and says the step, the op and the worst elements."""
    page.click("nav a[href='#replay']")
    assert page.evaluate("location.hash") == "#replay"
    terms = page.evaluate("[...document.querySelectorAll('#replay dt')].map(term => term.textContent)")
    assert terms == ["settings", "replay", "step", "inputs", "op", "operands", "result"], terms
    texts = page.evaluate("[...document.querySelectorAll('#replay dd')].map(text => text.innerText)")
    assert texts[0] == "seed: 0 against 9" and texts[2].startswith("1 is the first that differs"), texts
    assert texts[4].startswith("node 'drop1' (Dropout): repro.random_bits, op "), texts
    assert len(texts[6].splitlines()) == 5 and texts[6].startswith("uint32[4,6]: 24 of 24 elements differ"), texts


def main():
    tensors, runs, replay, folder = map(Path, sys.argv[1:])
    assert tensors.stat().st_size < 200_000
    with browser.Browser() as page:
        page.show(1280, 900)
        page.open(tensors)
        check_maps(page)
        check_words(page)
        page.check_looks(folder)
        page.show(1280, 900)
        page.open(runs)
        check_runs(page)
        (folder / "runs").mkdir()
        page.check_looks(folder / "runs")
        page.show(1280, 900)
        page.open(replay)
        check_replay(page)
        (folder / "replay").mkdir()
        page.check_looks(folder / "replay")
        assert not page.errors, page.errors


main()
