"""The report on a permuted release says what the release does, and escapes what it shows."""

from __future__ import annotations

import re
from datetime import date

import polars as pl
import pytest

from papilio import KE, Policy, publish
from papilio.document import Owned
from papilio.document.html import render
from papilio.errors import ReleaseError
from papilio.families.permutation.document import document, permuted_facts
from sizes import spread

NAMES = {"age": "<b>age</b>", "pay": "pay & <i>more</i>"}


def made(values, k=2, e=1):
    frame = pl.DataFrame({NAMES["age"]: list(range(len(values))), NAMES["pay"]: values})
    columns = {NAMES["age"]: "quasi", NAMES["pay"]: "sensitive"}
    policy = Policy(columns=columns, privacy=KE(k, e))
    return publish(frame, policy, name="staff"), policy, frame


@pytest.fixture(scope="module")
def page():
    release, policy, frame = made([10, 20, 30, 40, 50, 60, 70, None, 90, 100])
    verdict = release.verify(original=policy, data=frame)
    owned = Owned(release, policy, None, verdict, "because", made=date(2020, 1, 2))
    return render(document(owned))


def test_figures_follow_from_the_release():
    release, _, _ = made([10, 20, 30, 40, 50, 60, 70, None, 90, 100])
    content = permuted_facts(release)
    assert (content.rows, content.groups, content.missing) == (10, 4, 1)
    assert (content.widest, content.total_width, content.range) == (20, 50, 90)
    assert sum(bar.count for bar in content.sizes.bars) == 4
    assert sum(bar.count for bar in content.widths.bars) == 4
    assert sum(bar.count for bar in content.values.bars) == 9
    everything = content.precision[-1]
    assert (everything.low, everything.high, everything.mean) == (470, 470, 470)
    assert everything.std == 0
    for each in content.precision:
        assert each.low <= each.mean <= each.high


def test_the_page_is_complete(page):
    for heading in ("What is promised", "What the verifier found", "Groups", "What can be known"):
        assert f"<h2>{heading}</h2>" in page
    assert "at least 2 different ones" in page
    assert "at least 1 apart" in page
    assert "truthfulness" in page
    assert page.count("<svg") == 3


def test_names_are_escaped(page):
    assert "<b>age</b>" not in page
    assert "<i>more</i>" not in page
    assert "&lt;b&gt;age" in page


def test_the_page_needs_no_network_and_no_script(page):
    assert not re.search(r"<script|https?://|@import|url\(", page)


@pytest.mark.parametrize(
    "values", spread([[1, 2], [1.5, 2.25, 1.5, -3.0], [10**15, 0, 5], [7, 8, None]], 2)
)
def test_small_and_odd_columns(values):
    release, policy, _ = made(values, 2, 0)
    assert "<svg" in render(document(Owned(release, policy, None, release.verify(), "why")))


def test_it_is_written_for_the_owner(tmp_path):
    release, policy, frame = made([1, 2, 3, 4])
    path = release.report(tmp_path / "report.html", original=policy, data=frame)
    assert "For the data owner only." in path.read_text(encoding="utf-8")


def test_another_policy_or_original_is_refused(tmp_path):
    release, policy, frame = made([1, 2, 3, 4])
    other = Policy(columns=policy.columns, privacy={"k": 1})
    with pytest.raises(ReleaseError, match="policy it was made with"):
        release.report(tmp_path / "report.html", original=other, data=frame)
    with pytest.raises(ReleaseError, match="truthfulness"):
        release.report(
            tmp_path / "report.html",
            original=policy,
            data=frame.with_columns(pl.Series(NAMES["pay"], [1, 2, 3, 5])),
        )
    assert not list(tmp_path.iterdir())
