"""The document about one table for several recipients."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.document.class_parts import class_size_picture
from papilio.document.model import Bullets, Document, Numbers, Part, Picture, Text, Tile, Tiles
from papilio.document.of_release import outcome
from papilio.document.owned import Owned
from papilio.document.text import count, listing, percentage, plural, prose, shown, significant
from papilio.families.one_table import document as one_table
from papilio.families.one_table.document import demanded, document_of_table
from papilio.families.one_table.facts import table_facts
from papilio.families.recipients.butterfly import butterfly_chart
from papilio.families.recipients.sharing import RecipientFacts, Sharing, sharing_of
from papilio.measure.ncp import Ncp
from papilio.verify.verdict import Finding

loss = one_table.loss

_WORDS = (
    (
        "Recipient",
        "Someone who gets the table and knows some of the quasi-identifiers. A class of a "
        "recipient is all rows that look the same on the columns they know.",
    ),
    (
        "Butterfly",
        "Rows with the same cells on what recipients have in common (the body), put into classes "
        "for each recipient apart on the rest (the wings).",
    ),
)


def document(owned: Owned) -> Document:
    """Tell everything about a table for several recipients; with one it is as any other.

    Cost: a drawing per quasi-identifier and recipient, and two more.
    """
    facts = table_facts(owned.release, owned.order.table)
    sharing = sharing_of(owned.release, owned.order.table, owned.verdict, facts.loss)
    if sharing is None:
        return one_table.document(owned)
    recipients = sharing.recipients
    smallest = min(each.sizes.smallest for each in recipients)
    tiles = (
        Tile(count(smallest), f"rows in the smallest class of any recipient{demanded(facts.k)}"),
        Tile(percentage(facts.loss.overall), "of the detail in quasi-identifiers lost"),
        Tile(count(len(recipients)), "recipients of the same table"),
        Tile(percentage(sharing.share), "of the rows in butterflies of several classes"),
    )
    classes = [
        _knowledge(sharing),
        *_butterfly(sharing),
        *(_recipient(each) for each in recipients),
        _together(sharing.together, facts.k),
    ]
    return document_of_table(owned, facts, tiles, classes, shared=True, words=_WORDS)


def _knowledge(sharing: Sharing) -> Part:
    recipients = sharing.recipients
    rows = tuple(
        (
            shown(column),
            *("knows it" if column in each.columns else "–" for each in recipients),
            percentage(share),
        )
        for column, share in sharing.together.loss.per_column.items()
    )
    others = (
        " The other rows are alike, within their class, on every column that anyone knows."
        if sharing.share < 1
        else ""
    )
    share = (
        f"{percentage(sharing.share)} of the rows are in butterflies: they are alike on what "
        "recipients have in common, the body, and for each recipient put into classes of their "
        f"own on the rest, the wings.{others}"
        if sharing.share
        else "No butterfly was worth it here: all rows of a class are alike on every column that "
        "anyone knows."
    )
    head = ("Column", *(shown(each.name) for each in recipients), "Loss")
    return Part(
        f"One table for {plural(len(recipients), 'recipient', 'recipients')}",
        "All recipients get the same table. Each can look up only what they know, so each sees "
        f"other classes. {share}",
        (Numbers(head, rows, look="plain"), Tiles(tuple(_losses(sharing)))),
    )


def _losses(sharing: Sharing) -> Iterator[Tile]:
    """What columns lost that several know, and those that one knows."""
    yield _loss_tile(
        sharing.shared,
        "Loss on columns that several know",
        "The recipients have no column in common.",
        "The body of each butterfly is one cell per column, so larger butterflies lose more here.",
    )
    yield _loss_tile(
        sharing.own,
        "Loss on columns that one knows",
        "Every column is known to several recipients.",
        "Wings are divided for one recipient alone, so larger butterflies lose less here.",
    )


def _loss_tile(lost: Ncp | None, name: str, none: str, some: str) -> Tile:
    return Tile("–", name, none) if lost is None else Tile(percentage(lost.overall), name, some)


def _butterfly(sharing: Sharing) -> Iterator[Part]:
    if sharing.butterfly is not None:
        one, other = map(shown, sharing.butterfly.names)
        yield Part(
            "A butterfly of this release",
            f"{plural(sharing.butterfly.rows, 'row', 'rows')} that share one body. On the left are "
            f"the classes that {one} can tell apart, on the right those of {other}. A ribbon is "
            "the rows that lie in both classes it joins; these would be left to the two if they "
            "put together what they know.",
            (Picture("A butterfly", butterfly_chart(sharing.butterfly), titled=False),),
            look="whole",
        )


def _recipient(each: RecipientFacts) -> Part:
    known = (
        listing([f"‘{shown(name)}’" for name in each.columns])
        if each.columns
        else "no quasi-identifier: to them, the whole table is one class"
    )
    return Part(
        f"Recipient: {shown(each.name)}",
        f"Knows {known}.",
        (
            Bullets(tuple((sentence, "") for sentence in each.promises), "promises"),
            Numbers(
                ("Checked", "Found", "Outcome"),
                tuple(
                    (_claim(finding), prose(finding.measured), outcome(finding))
                    for finding in each.findings
                ),
                look="verdict",
            ),
            _sizes(each, "Loss on their columns"),
            class_size_picture(each.sizes, each.k),
        ),
        look="whole recipient",
    )


def _claim(finding: Finding) -> str:
    return (
        finding.claim if finding.column is None else f"{finding.claim} of {shown(finding.column)}"
    )


def _sizes(each: RecipientFacts, lost: str) -> Tiles:
    return Tiles(
        (
            Tile(
                count(each.sizes.smallest),
                "Smallest class",
                "" if each.k is None else f"{count(each.k)} demanded",
            ),
            Tile(count(each.sizes.classes), "Classes"),
            Tile(significant(each.sizes.average), "Rows in a class on average"),
            Tile(percentage(each.loss.overall), lost),
        )
    )


def _together(together: RecipientFacts, k: int | None) -> Part:
    smallest = together.sizes.smallest
    advice = (
        f" They could be left with {plural(smallest, 'row', 'rows')}. If that may happen, demand "
        "collusion_k."
        if smallest < (k or 1)
        else ""
    )
    nothing = Text(
        "Nothing is promised for the case that recipients put together what they know about a "
        f"person.{advice}"
    )
    told = Bullets(tuple((sentence, "") for sentence in together.promises), "promises")
    return Part(
        "All recipients together",
        contents=(told if together.promises else nothing, _sizes(together, "Loss on all columns")),
        look="whole recipient",
    )
