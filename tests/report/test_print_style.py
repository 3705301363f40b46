"""Reports on paper, printed by a real browser."""

from __future__ import annotations

from datetime import date

import pytest
from printing import print_page
from releases import calendar_table, owned, release_of

from papilio.attack.risk import views_of
from papilio.document import RiskFound
from papilio.document.html import render
from papilio.families.generalising.document import document
from papilio.policy.policy import Policy
from papilio.verify.verdict import Finding, Status, Verdict

#: More lines than a sheet holds.
MANY = 90
#: Anything that only a background tells apart is lost on paper; nothing dark lies behind text.
FACTS = """() => {
  const style = (name) => {
    const found = document.querySelector(name);
    return found && getComputedStyle(found);
  };
  const pick = (name, ...keys) => {
    const found = style(name);
    return found && keys.map((key) => found.getPropertyValue(key));
  };
  const places = 'body, main, header, section, aside, td, th, p, span';
  const grounds = [...document.querySelectorAll(places)]
    .map((each) => getComputedStyle(each).backgroundColor)
    .filter((colour) => colour !== 'rgba(0, 0, 0, 0)' && colour !== 'rgb(255, 255, 255)');
  const cut = [...document.querySelectorAll('figure, tr, .risk')]
    .filter((each) => getComputedStyle(each).breakInside !== 'avoid').length;
  return {
    grounds: grounds.length,
    cut: cut,
    figures: document.querySelectorAll('figure svg').length,
    heading: pick('h2', 'break-after'),
    head: pick('thead', 'display'),
    swatch: pick('.swatch.after', 'border-top-color', 'border-top-width'),
    details: pick('details', 'display'),
    ink: pick('main p', 'color'),
    wide: document.documentElement.scrollWidth <= window.innerWidth,
  };
}"""


@pytest.fixture(scope="module")
def page():
    original = calendar_table()
    release = release_of(original, 2)
    policy = Policy(
        columns={column.name: column.role.value for column in original.columns}, privacy={"k": 2}
    )
    risk = RiskFound(views_of(release, original, policy), "The table is the population.")
    findings = [
        Finding(f"claim {number}", "k >= 2", "k = 2", Status.HOLDS) for number in range(MANY)
    ]
    verdict = Verdict(tuple(findings))
    return render(document(owned(release, original, verdict, made=date(2024, 2, 3), risk=risk)))


@pytest.fixture(scope="module", params=["A4", "Letter"])
def printed(request, page):
    return request.param, print_page(page, request.param, FACTS)


def test_the_paper_is_what_the_reader_has(printed):
    paper, result = printed
    size = {"A4": (595, 842), "Letter": (612, 792)}[paper]
    assert len(result.sheets) >= 3
    assert all(abs(w - size[0]) <= 1 and abs(h - size[1]) <= 1 for w, h in result.sheets)


def test_nothing_needs_a_background(printed):
    facts = printed[1].facts
    assert facts["grounds"] == 0
    colour, width = facts["swatch"]
    assert colour == "rgb(15, 107, 117)"
    assert float(width.removesuffix("px")) > 2


def test_text_is_dark(printed):
    (ink,) = printed[1].facts["ink"]
    assert all(int(part) < 80 for part in ink.strip("rgb()").split(","))


def test_rows_and_pictures_are_not_cut_and_headings_stay_with_text(printed):
    facts = printed[1].facts
    assert facts["figures"] > 3
    assert facts["cut"] == 0
    assert facts["heading"] == ["avoid"]
    assert facts["head"] == ["table-header-group"]
    assert facts["details"] == ["none"]
    assert facts["wide"]


def test_a_long_table_repeats_its_head_on_every_sheet(printed):
    texts = printed[1].texts()
    with_claims = [text for text in texts if any(f"claim {n} " in text for n in range(MANY))]
    assert len(with_claims) >= 2
    assert all("Demanded" in text and "Outcome" in text for text in with_claims)
    everything = "".join(texts)
    assert all(f"claim {number} " in everything for number in range(MANY))


def test_sheets_are_numbered_and_say_whose_they_are(printed):
    texts = printed[1].texts()
    for number, text in enumerate(texts, start=1):
        assert f"{number}/{len(texts)}" in "".join(text.split())
        assert "data owner only" in text


def test_the_last_section_is_printed(printed):
    text = "".join(printed[1].texts())
    assert "Risk of being found" in text
    assert "A claim holds only if the verifier could confirm it." in " ".join(text.split())
