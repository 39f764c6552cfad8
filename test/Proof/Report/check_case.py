"""Looks at the page of a dispute as a reader would: check_case.py PAGE FOLDER."""

import sys
from pathlib import Path

import browser

with browser.Browser() as page:
    page.open(sys.argv[1])
    assert page.evaluate("document.querySelector('h1').textContent") == "Dispute case.pb"
    summary = page.evaluate("document.querySelector('#summary').textContent")
    assert "the first party is wrong" in summary, summary
    assert page.evaluate("document.querySelectorAll('td.wrong').length") == 2, "the value, and the word"
    claims = page.evaluate("[...document.querySelectorAll('#claims tr')].map(row => row.textContent)")
    assert len(claims) == 4 and claims[2].replace("the second party", "as it is") == claims[3], claims
    rounds = page.evaluate("[...document.querySelectorAll('.rounds text.note')].map(note => note.textContent)")
    assert rounds[0].endswith("of 5 to 10") and rounds[0].startswith("6 to 7 "), rounds
    # Each part is inside its bar.
    inside = page.evaluate("""[...document.querySelectorAll('rect.part')].every((part, i) => {
        const range = document.querySelectorAll('rect.range')[i].getBBox(), box = part.getBBox();
        return box.x >= range.x - 0.1 && box.x + box.width <= range.x + range.width + 0.1; })""")
    assert inside and len(rounds) >= 3, rounds
    page.check_looks(Path(sys.argv[2]))
