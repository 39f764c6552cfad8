"""Uses a report page as a reader would: check_page.py PAGE FOLDER."""

import re
import sys
from pathlib import Path

import browser

TITLES = "[...document.querySelectorAll('#graphView .title')].map(title => title.textContent)"
PANEL = "document.getElementById('graphPanel').textContent"


def check_graph(page):
    titles = page.evaluate(TITLES)
    assert [title.split()[0] for title in titles] == ["first", "second", "tail", "head"], titles
    page.click("#graphView .item[aria-label^=first]")
    assert page.evaluate(TITLES) == ["first.0 \u25b8", "first.1 \u25b8"], page.evaluate(TITLES)
    page.click("#graphView .item[aria-label^='first.1']")
    page.click("#graphView .item[aria-label^=fc]")
    for words in ("MatMul", "first.1.fc", "f32[2,8]", "first.1.fc.weight", "Read by", "order ", "error within"):
        assert words in page.evaluate(PANEL), (words, page.evaluate(PANEL))
    page.click("#graphPanel ul button")
    # Kernels say why they are not fused with their readers.
    page.click("#graphBar [data-depth=kernels]")
    assert page.evaluate("document.querySelector('[data-depth=kernels]').getAttribute('aria-pressed')") == "true"
    page.evaluate("choose(graph.kernels.find(kernel => kernel.orders.length))")
    for words in ("schedule", "intensity", "Fused from", "Not fused with its readers"):
        assert words in page.evaluate(PANEL), (words, page.evaluate(PANEL))
    # A module that is called twice is shown twice, so that the picture has no cycle.
    page.evaluate("go('modules', ['second', '1'])")
    assert page.evaluate(TITLES) == ["fc", "act", "out", "act"], page.evaluate(TITLES)
    # All nodes at once are too many: none of the pictures has more than a few dozen.
    page.click("#graphPath button")
    page.click("#graphBar [data-depth=nodes]")
    assert len(page.evaluate(TITLES)) <= 120
    page.click("#graphView .item[aria-label^=tail]")
    assert 1 < len(page.evaluate(TITLES)) <= 120, page.evaluate(TITLES)
    page.evaluate("document.querySelector('#graphBar input').value = 'second.1.fc';"
                  "document.querySelector('#graphBar input').dispatchEvent(new Event('input'))")
    page.click("#hits button")
    assert "second.1.fc" in page.evaluate(PANEL)
    assert page.evaluate("document.activeElement.getAttribute('class')").startswith("item")


def check_keyboard(page):
    page.evaluate("go('modules', []); document.querySelector('#graphBar button').focus()")
    for _ in range(40):
        page.press("Tab")
        if (page.evaluate("document.activeElement.getAttribute('aria-label') || ''")).startswith("second"):
            break
    else:
        raise AssertionError("no module is reached by Tab")
    page.press("Enter")
    assert page.evaluate(TITLES) == ["second.0 \u25b8", "second.1 \u25b8"]
    # The focus follows into the picture and out of it.
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("second.0")
    page.press("Escape")
    assert len(page.evaluate(TITLES)) == 4
    for chart, words in ((".memoryChart", "live in"), (".curveChart", "step 2: "), (".threadChart", "at 2 us: ")):
        page.evaluate(f"document.querySelector('{chart} svg').focus()")
        page.press("ArrowRight")
        page.press("ArrowRight")
        text = page.evaluate(f"document.querySelector('{chart} .readout').textContent")
        assert words in text, text


def check_colours(page):
    # Every colour of a key has a word beside it, and each run a pattern of its own.
    keys = page.evaluate("[...document.querySelectorAll('.key')].map(key => key.textContent.trim())")
    assert len(keys) >= 6 and all(keys), keys
    patterns = page.evaluate("[...document.querySelectorAll('.curveChart[data-c=\"1\"] path.curve')]"
                             ".map(path => path.getAttribute('stroke-dasharray'))")
    assert len(patterns) == len(set(patterns)) == 2, patterns
    assert "the bits part: step 2" in page.evaluate("document.querySelector('.curveChart').textContent")


def check_time(page):
    assert page.evaluate("document.querySelectorAll('.threadChart rect').length") == page.evaluate("data.time.spans.length")
    assert page.evaluate("document.querySelectorAll('.roofChart circle').length") > 0
    page.evaluate("document.querySelector('.threadChart rect').dispatchEvent("
                  "new MouseEvent('mousemove', { bubbles: true, clientX: 9, clientY: 9 }))")
    assert " us on thread " in page.evaluate("document.getElementById('tip').textContent")
    # From a table to the kernel in the graph, and from there to the charts.
    page.click("td.kernelLink button")
    name = page.evaluate("document.querySelector('td.kernelLink').textContent")
    assert page.evaluate("document.querySelector('#graphPanel h3').textContent") == name
    for words in ("% of a run", "chart of threads", "roofline"):
        assert words in page.evaluate(PANEL), (words, page.evaluate(PANEL))
    chosen = page.evaluate("document.querySelector('.item.chosen').getAttribute('aria-label')")
    assert re.search(r", [\d.]+ ([num]s)", chosen), chosen
    page.evaluate("[...document.querySelectorAll('#graphPanel button')].find(made => made.textContent === 'roofline').click()")
    marked = page.evaluate("[...document.querySelectorAll('.roofChart .marked')].map(made => made.dataset.k)")
    assert marked == [name], marked
    # A click on a launch shows its kernel.
    kernel = page.evaluate("document.querySelector('.threadChart rect').dataset.k")
    page.evaluate("document.querySelector('.threadChart rect').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    assert page.evaluate("document.querySelector('#graphPanel h3').textContent") == kernel


def main():
    with browser.Browser() as page:
        page.show(1280, 900)
        page.open(sys.argv[1])
        check_graph(page)
        check_keyboard(page)
        check_colours(page)
        check_time(page)
        page.check_looks(Path(sys.argv[2]), "drawCharts(); go('kernels', [])")
        assert not page.errors, page.errors


main()
