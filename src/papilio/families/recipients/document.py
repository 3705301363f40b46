"""The document about one table for several recipients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from papilio.document.charts.svg import AFTER, FONT, INK, MARK, MUTED, RULE
from papilio.document.class_parts import class_size_picture
from papilio.document.contract import Owned
from papilio.document.model import Bullets, Document, Numbers, Part, Picture, Text, Tile, Tiles
from papilio.document.of_release import outcome
from papilio.document.text import (
    count,
    legible,
    listing,
    percentage,
    plural,
    prose,
    shown,
    significant,
)
from papilio.families.generalising import document as one_table
from papilio.families.generalising.document import document_of_table, smallest_tile
from papilio.families.generalising.facts import PeopleFacts, table_facts
from papilio.families.recipients.blocks import MOST_WINGS, Butterfly, Wing
from papilio.families.recipients.sharing import RecipientFacts, Sharing, sharing_of
from papilio.measure.losses import Ncp
from papilio.verify.verdict import Finding

_WIDTH = 940
#: Left edge and width of the left wings, the body and the right wings.
_LEFT, _BODY, _RIGHT = (0, 290), (365, 210), (650, 290)
_LINE, _PAD, _GAP, _HEAD = 17, 9, 14, 46
_COLOURS = (AFTER, MARK, "#4456a6", "#8a6d00", "#7d3c78")
#: Longest name of a column, and longest line, that fit into a wing and into the body.
_NAME, _WIDE_LINE, _NARROW_LINE = 20, 43, 31


@dataclass(frozen=True)
class _Box:
    """A rectangle with lines of text."""

    x: float
    y: float
    width: float
    height: float
    title: str
    cells: tuple[tuple[str, str], ...]

    def anchors(self, count: int) -> list[float]:
        """Heights at which ribbons leave it, evenly spread."""
        return [self.y + self.height * (place + 0.5) / count for place in range(count)]


def butterfly_chart(butterfly: Butterfly) -> Markup:
    """Draw it: each ribbon is the rows that lie in a left and in a right wing."""
    drawn = _limited(butterfly)
    body = _Box(0, 0, _BODY[1], _height(drawn.body), _title(drawn.rows), drawn.body)
    tallest = max(_stack_height(wings) for wings in drawn.wings)
    inner = max(tallest, body.height)
    middle = _HEAD + inner / 2
    left, right = (
        _stack(wings, *place, middle)
        for wings, place in zip(drawn.wings, (_LEFT, _RIGHT), strict=True)
    )
    body = _Box(_BODY[0], middle - body.height / 2, _BODY[1], body.height, body.title, drawn.body)
    parts = [
        *_heads(drawn),
        *_ribbons(drawn, left, body, right),
        *(_rectangle(box, _COLOURS[place % len(_COLOURS)]) for place, box in enumerate(left)),
        *(_rectangle(box, MUTED) for box in right),
        _rectangle(body, INK),
    ]
    return _svg(drawn, _HEAD + inner + 2, parts)


def describe(butterfly: Butterfly) -> str:
    """Say in a sentence what the picture shows."""
    left, right = (
        f"{plural(len(wings), 'class', 'classes')} for {shown(name)}"
        for wings, name in zip(butterfly.wings, butterfly.names, strict=True)
    )
    return f"{plural(butterfly.rows, 'row', 'rows')} with one body are {left} and {right}."


def _limited(butterfly: Butterfly) -> Butterfly:
    """Put together what would be too many wings to draw."""
    wings, places = [], []
    for side in butterfly.wings:
        kept = side if len(side) <= MOST_WINGS else side[: MOST_WINGS - 1]
        rest = side[len(kept) :]
        more = Wing(sum(each.rows for each in rest), (("", f"{len(rest)} more classes"),))
        wings.append((*kept, more) if rest else kept)
        places.append([min(place, len(kept)) for place in range(len(side))])
    flows: dict[tuple[int, int], int] = {}
    for left, right, rows in butterfly.flows:
        key = places[0][left], places[1][right]
        flows[key] = flows.get(key, 0) + rows
    return Butterfly(
        butterfly.rows,
        butterfly.body,
        butterfly.names,
        (wings[0], wings[1]),
        tuple((*key, rows) for key, rows in sorted(flows.items())),
    )


def _title(rows: int) -> str:
    return plural(rows, "row", "rows")


def _height(cells: Sequence[object]) -> float:
    return 2 * _PAD + _LINE * (1 + max(len(cells), 1))


def _stack_height(wings: Sequence[Wing]) -> float:
    return sum(_height(wing.cells) for wing in wings) + _GAP * (len(wings) - 1)


def _stack(wings: Sequence[Wing], x: float, width: float, middle: float) -> list[_Box]:
    """Boxes above each other, around a height."""
    top, boxes = middle - _stack_height(wings) / 2, []
    for wing in wings:
        height = _height(wing.cells)
        boxes.append(_Box(x, top, width, height, _title(wing.rows), wing.cells))
        top += height + _GAP
    return boxes


def _heads(butterfly: Butterfly) -> list[Markup]:
    one, other = butterfly.names
    return [
        _text(_LEFT[0], 16, f"Wings of {shown(one, 36)}", INK, bold=True),
        _text(_BODY[0], 16, "Body: known to both", INK, bold=True),
        _text(_RIGHT[0], 16, f"Wings of {shown(other, 36)}", INK, bold=True),
    ]


def _ribbons(
    butterfly: Butterfly, left: Sequence[_Box], body: _Box, right: Sequence[_Box]
) -> list[Markup]:
    flows = sorted(butterfly.flows)
    most = max(rows for _, _, rows in flows)
    starts = _spread(flows, left, 0)
    ends = _spread(flows, right, 1)
    inside = body.anchors(len(flows))
    x1, x2, x3, x4 = _LEFT[0] + _LEFT[1], body.x, body.x + body.width, _RIGHT[0]
    ribbons = []
    for place, (wing, _, rows) in enumerate(flows):
        a, b, c = starts[place], inside[place], ends[place]
        path = (
            f"M{x1},{a:.1f} C{(x1 + x2) / 2:.0f},{a:.1f} {(x1 + x2) / 2:.0f},{b:.1f} {x2},{b:.1f} "
            f"L{x3},{b:.1f} C{(x3 + x4) / 2:.0f},{b:.1f} {(x3 + x4) / 2:.0f},{c:.1f} {x4},{c:.1f}"
        )
        width = 2 + 8 * rows / most
        ribbons.append(
            Markup(
                '<path d="{}" fill="none" stroke="{}" stroke-width="{:.1f}" stroke-opacity="0.45">'
                "<title>{}</title></path>"
            ).format(path, _COLOURS[wing % len(_COLOURS)], width, _title(rows))
        )
    return ribbons


def _spread(
    flows: Sequence[tuple[int, int, int]], boxes: Sequence[_Box], side: int
) -> dict[int, float]:
    """Height at which each ribbon touches its box on one side."""
    found: dict[int, float] = {}
    for number, box in enumerate(boxes):
        touching = [place for place, flow in enumerate(flows) if flow[side] == number]
        found.update(zip(touching, box.anchors(max(len(touching), 1)), strict=False))
    return found


def _rectangle(box: _Box, colour: str) -> Markup:
    frame = Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="6" fill="#ffffff" '
        'fill-opacity="0.93" stroke="{}" stroke-width="1.4"/>'
    ).format(box.x + 0.7, box.y, box.width - 1.4, box.height, colour)
    x, y = box.x + 12, box.y + _PAD + 12
    lines = [_text(x, y, box.title, colour, bold=True)]
    cells = box.cells or (("", "nothing else is known"),)
    for place, (name, cell) in enumerate(cells, 1):
        longest = _WIDE_LINE if box.width > _BODY[1] else _NARROW_LINE
        lines.append(_cell(x, y + place * _LINE, name, cell, longest))
    return frame + Markup("").join(lines)


def _cell(x: float, y: float, name: str, cell: str, longest: int) -> Markup:
    label = f"{shown(name, _NAME)} " if name else ""
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="12"><tspan fill="{}">{}</tspan>'
        '<tspan fill="{}">{}</tspan></text>'
    ).format(x, y, MUTED, label, INK, shown(cell, longest - len(label)))


def _text(x: float, y: float, text: str, colour: str, *, bold: bool = False) -> Markup:
    weight = "600" if bold else "400"
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="12.5" font-weight="{}" fill="{}">{}</text>'
    ).format(x, y, weight, colour, legible(text))


def _svg(butterfly: Butterfly, height: float, parts: Sequence[Markup]) -> Markup:
    rule = Markup('<path d="M0,26 L{},26" stroke="{}"/>').format(_WIDTH, RULE)
    return Markup(
        '<svg role="img" aria-label="One butterfly. {}" width="{}" height="{:.0f}" '
        'viewBox="0 0 {} {:.0f}" font-family="{}"><title>One butterfly</title><desc>{}</desc>'
        "{}{}</svg>"
    ).format(
        describe(butterfly),
        _WIDTH,
        height,
        _WIDTH,
        height,
        FONT,
        describe(butterfly),
        rule,
        Markup("").join(parts),
    )


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
    facts = table_facts(owned.release, owned.order.table, owned.policy)
    sharing = sharing_of(owned.release, owned.order.table, owned.verdict, facts.loss)
    if sharing is None:
        return one_table.document(owned)
    recipients = sharing.recipients
    smallest = min(each.sizes.smallest for each in recipients)
    fewest = min((each.people for each in recipients if each.people), key=_fewest, default=None)
    tiles = (
        smallest_tile(smallest, fewest, facts.k, " of any recipient"),
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


def _fewest(people: PeopleFacts) -> int:
    return people.fewest


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


def _smallest(each: RecipientFacts) -> Tile:
    """The smallest class of a recipient, in rows; also in people, where these have several."""
    wanted = "" if each.k is None else f"{count(each.k)} demanded"
    if each.people is None:
        return Tile(count(each.sizes.smallest), "Smallest class", wanted)
    rows = f"{plural(each.sizes.smallest, 'row', 'rows')} in the smallest"
    told = f"{wanted}; {rows}" if wanted else rows
    return Tile(count(each.people.fewest), "Fewest people in a class", told)


def _sizes(each: RecipientFacts, lost: str) -> Tiles:
    return Tiles(
        (
            _smallest(each),
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
