"""The report on a release for several recipients."""

import re
from xml.etree import ElementTree

import polars as pl
import pytest

from papilio.document import Owned
from papilio.document.html import render
from papilio.families.generalising.facts import table_facts
from papilio.families.recipients.blocks import MOST_WINGS, Butterfly, Wing, blocks_of, butterfly_of
from papilio.families.recipients.document import butterfly_chart, document
from papilio.families.recipients.sharing import sharing_of
from papilio.policy.apply import Order
from papilio.workflow.report import report
from shared_releases import shared_release

RECIPIENTS = {"insurer": ("body", "left"), "personnel": ("body", "right")}
#: A butterfly of rows 0-3 and a class of rows 4 and 5.
FRAME = pl.DataFrame(
    {
        "body": [0, 10, 0, 10, 20, 20],
        "left": [0, 0, 4, 4, 8, 8],
        "right": ["p", "q", "p", "q", "r", "r"],
        "ill": ["flu", "cold", "flu", "cold", "none", "flu"],
    }
)
BLOCKS = {
    "body": [0, 0, 0, 0, 1, 1],
    "left": [0, 0, 1, 1, 2, 2],
    "right": [0, 1, 0, 1, 2, 2],
}


def made(frame=FRAME, blocks=BLOCKS, recipients=RECIPIENTS, **more):
    options = {"k": 2, "sensitive": ("ill",)} | more
    return shared_release(frame, blocks, recipients, **options)


def sharing(sample):
    loss = table_facts(sample.release, sample.table, sample.policy).loss
    return sharing_of(sample.release, sample.table, sample.verdict(), loss)


def page_of(sample):
    order = Order(sample.table, ())
    why = "it was made by hand"
    return render(document(Owned(sample.release, sample.policy, order, sample.verdict(), why)))


def words(page):
    body = page.partition("<body>")[2]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def test_facts_of_each_recipient():
    found = sharing(made())
    insurer, personnel = found.recipients
    assert (insurer.name, insurer.columns, insurer.k) == ("insurer", ("body", "left"), 2)
    assert insurer.sizes.histogram == {2: 3}
    assert personnel.sizes.histogram == {2: 3}
    assert "at least 2 rows" in insurer.promises[0]
    assert [finding.claim for finding in personnel.findings] == ["k-anonymity"]
    # Cells of the body span 10 of 20 in four of six rows; all others are exact.
    assert found.shared.per_column == {"body": pytest.approx(4 / 6 * 0.5)}
    assert found.own.overall == 0
    assert insurer.loss.overall == pytest.approx(4 / 6 * 0.5 / 2)
    assert found.together.sizes.histogram == {1: 4, 2: 1}
    assert found.together.promises == ()


def test_rows_in_butterflies_are_counted():
    assert sharing(made()).share == pytest.approx(4 / 6)
    trivial = {name: [0, 0, 0, 0, 1, 1] for name in BLOCKS}
    found = sharing(made(blocks=trivial))
    assert (found.share, found.butterfly) == (0, None)


def test_the_butterfly_is_a_block_of_the_release():
    butterfly = sharing(made()).butterfly
    assert butterfly == Butterfly(
        rows=4,
        body=(("body", "0–10"),),
        names=("insurer", "personnel"),
        wings=(
            (Wing(2, (("left", "0"),)), Wing(2, (("left", "4"),))),
            (Wing(2, (("right", "p"),)), Wing(2, (("right", "q"),))),
        ),
        flows=((0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)),
    )


def test_of_three_recipients_those_with_most_wings_are_drawn():
    recipients = {"auditor": ("body",), **RECIPIENTS}
    butterfly = sharing(made(recipients=recipients)).butterfly
    assert butterfly.names == ("insurer", "personnel")


def test_a_block_that_can_be_drawn_is_preferred():
    rows = 2 * (MOST_WINGS + 1)
    many = pl.DataFrame(
        {
            "body": [100] * (2 * rows),
            "left": [1000 + place // 4 for place in range(2 * rows)],
            "right": [f"x{place % 2}" for place in range(2 * rows)],
            "ill": ["flu"] * (2 * rows),
        }
    )
    blocks = {
        "body": [*BLOCKS["body"], *[9] * (2 * rows)],
        "left": [*BLOCKS["left"], *(10 + place // 4 for place in range(2 * rows))],
        "right": [*BLOCKS["right"], *(10 + place % 2 for place in range(2 * rows))],
    }
    sample = made(frame=pl.concat([FRAME, many]), blocks=blocks)
    assert sharing(sample).butterfly.rows == 4


def test_no_columns_in_common_and_no_columns_at_all():
    recipients = {"one": ("left",), "two": ("right", "body"), "auditor": ()}
    sample = made(recipients=recipients)
    found = sharing(sample)
    assert found.shared is None
    assert found.own is not None
    assert found.recipients[2].sizes.histogram == {6: 1}
    # To the auditor all rows are one class, so that all of them are one block.
    assert found.share == 1
    page = page_of(sample)
    assert "The recipients have no column in common." in words(page)
    assert "no quasi-identifier: to them, the whole table is one class" in words(page)


def test_one_who_knows_all_that_another_knows():
    recipients = {"all": ("body", "left", "right"), "some": ("body", "left")}
    blocks = {**BLOCKS, "right": BLOCKS["left"]}
    found = sharing(made(blocks=blocks, recipients=recipients))
    assert found.share == 0
    assert set(found.own.per_column) == {"right"}


def test_the_page_has_a_part_for_each_recipient():
    page = page_of(made())
    text = words(page)
    for part in (
        "One table for 2 recipients",
        "A butterfly of this release",
        "Recipient: insurer",
        "Recipient: personnel",
        "All recipients together",
        "66.7% of the rows are in butterflies",
        "Nothing is promised for the case that recipients put together what they know",
        "They could be left with 1 row.",
        "Each recipient knows values of the columns named for them",
        "Recipients who put together what they know",
    ):
        assert part in text, part
    # Two histograms, a butterfly, rows that follow, the loss, and three columns before and after.
    assert page.count("<svg") == 2 + 1 + 1 + 1 + 3
    assert "Class sizes </h2>" not in text
    assert "The least possible for k" not in text


def test_what_is_promised_for_all_together_is_told():
    blocks = {name: [0, 0, 0, 0, 1, 1] for name in BLOCKS}
    text = words(page_of(made(blocks=blocks, collusion_k=2)))
    assert "Nothing is promised for the case" not in text
    assert "Nothing else is promised then" in text
    assert "No butterfly was worth it here" in text


def test_one_recipient_has_the_page_as_ever():
    sample = made(recipients=None, blocks={n: [0, 0, 0, 0, 1, 1] for n in BLOCKS})
    assert sharing(sample) is None
    text = words(page_of(sample))
    assert "Class sizes" in text
    assert "recipients" not in text


def test_the_workflow_writes_it(tmp_path):
    sample = made()
    path = report(
        sample.release, tmp_path / "report.html", original=sample.policy, data=sample.frame
    )
    assert "Recipient: personnel" in path.read_text(encoding="utf-8")


def hostile_butterfly(wings):
    evil = '<script>"&\x00'
    side = tuple(Wing(1, ((evil, evil * 20),)) for _ in range(wings))
    flows = tuple((place, (place * 3) % wings, 1) for place in range(wings))
    return Butterfly(wings, ((evil, evil),), (evil, "b" * 500), (side, side), flows)


@pytest.mark.parametrize("wings", [1, 2, MOST_WINGS, MOST_WINGS + 1, 200])
def test_the_picture_is_well_formed_whatever_the_data(wings):
    svg = butterfly_chart(hostile_butterfly(wings))
    root = ElementTree.fromstring(svg)
    boxes = root.findall("rect")
    assert len(boxes) == 1 + 2 * min(wings, MOST_WINGS)
    ribbons = [path for path in root.findall("path") if path.find("title") is not None]
    assert ribbons
    assert sum(int(path.find("title").text.split()[0]) for path in ribbons) == wings
    assert "<script" not in svg
    assert " id=" not in svg
    texts = ["".join(text.itertext()) for text in root.findall("text")]
    assert max(map(len, texts)) <= 50
    low, high = float(root.get("height")), float(root.get("width"))
    for box in boxes:
        assert 0 <= float(box.get("x")) <= high - float(box.get("width"))
        assert 0 <= float(box.get("y")) <= low - float(box.get("height")) + 1


def test_blocks_join_classes_that_some_recipient_cannot_tell_apart():
    """A chain: rows 0 and 1 alike for one recipient, rows 1 and 2 for the other."""
    frame = FRAME.head(4).with_columns(left=pl.Series([0, 0, 1, 1]))
    blocks = {"body": [0] * 4, "left": [0, 0, 1, 1], "right": [0, 1, 1, 2]}
    sample = made(frame=frame, blocks=blocks, k=1)
    found = blocks_of(sample.release, sample.table, RECIPIENTS)
    assert found.share == 1
    assert found.classes["papilio block"].n_unique() == 1
    assert butterfly_of(found, sample.table, RECIPIENTS).rows == 4
