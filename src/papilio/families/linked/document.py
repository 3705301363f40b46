"""The document about linked tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup, escape

from papilio.data.link import Snowflake
from papilio.document.charts.svg import AFTER, INK
from papilio.document.class_parts import class_size_part, loss_picture
from papilio.document.contract import FOLLOWS, Owned, follows_promise
from papilio.document.model import (
    NARROW,
    Cell,
    Document,
    Numbers,
    Part,
    Picture,
    Pictures,
    Tile,
)
from papilio.document.of_release import cells_of, document_of_release, role
from papilio.document.text import count, legible, percentage, plural, shown
from papilio.families.linked.example import ExampleEntity, Node, example_entity
from papilio.families.linked.make import limits_of
from papilio.measure.linked_loss import TableLoss, linked_loss, overall_loss
from papilio.measure.losses import Ncp
from papilio.measure.published_classes import ClassSizes, PublishedClasses, class_sizes
from papilio.policy.policy import Policy
from papilio.release.manifest import Claim, PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.linked import people_per_class


@dataclass(frozen=True, kw_only=True)
class LinkedFacts:
    """Figures of linked tables.

    Attributes
    ----------
    name
        The table of people.
    tables
        The published tables and how they are read.
    losses
        What each table lost.
    sizes
        How many people have each tree.
    k
        Least number of people that is claimed.
    example
        One person before and after, if one can be shown.
    """

    name: str
    tables: tuple[PublishedTable, ...]
    losses: tuple[TableLoss, ...]
    sizes: ClassSizes
    k: int | None
    example: ExampleEntity | None


def linked_facts(release: Release, original: Snowflake, policy: Policy) -> LinkedFacts:
    """Measure linked tables beside their original."""
    manifest = release.manifest
    return LinkedFacts(
        name=original.person.name,
        tables=manifest.tables,
        losses=losses_of(release, original, policy),
        sizes=class_sizes(PublishedClasses(people_per_class(release), {}, {})),
        k=next((c.parameters["k"] for c in manifest.claims if "k" in c.parameters), None),
        example=example_entity(release, original),
    )


def losses_of(release: Release, original: Snowflake, policy: Policy) -> tuple[TableLoss, ...]:
    """What each table lost: rows, rows beyond the limits of the policy, and detail of cells."""
    return linked_loss(original, release, limits_of(policy))


def cell_loss(table: TableLoss) -> float:
    """Loss of an average cell of a table."""
    return sum(table.columns.values()) / len(table.columns) if table.columns else 0.0


_LINE, _INDENT, _PAD = 26, 26, 8
_GONE = "#b04a3f"
_MUTED = "#6b7785"
#: Signs that fit a line, and how wide one is about.
_LONGEST, _SIGN = 56, 6.6


@dataclass(frozen=True)
class _Line:
    node: Node
    depth: int
    gone: bool


def entity_tree(root: Node, *, title: str, width: int) -> Markup:
    """Draw a tree: a line a row, children indented below their parent, removed rows struck out."""
    lines = list(_lines(root, 0, gone=False))
    height = _LINE * len(lines) + 2 * _PAD
    described = legible("; ".join(_words(line) for line in lines))
    name, text = escape(legible(title)), escape(described)
    parts = [
        f'<svg role="img" aria-label="{name}. {text}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-size="13">'
        f"<title>{name}</title><desc>{text}</desc>"
    ]
    parts += _branches(lines)
    for place, line in enumerate(lines):
        parts.append(_drawn(line, _middle(place), width))
    return Markup("".join(parts) + "</svg>")  # noqa: S704 - all text of the data is escaped


def _lines(node: Node, depth: int, *, gone: bool) -> Iterator[_Line]:
    yield _Line(node, depth, gone or not node.kept)
    for child in node.children:
        yield from _lines(child, depth + 1, gone=gone or not node.kept)


def _middle(place: int) -> float:
    return _PAD + _LINE * (place + 0.5)


def _branches(lines: list[_Line]) -> Iterator[str]:
    """From each row to the one it refers to."""
    above: list[float] = []
    for place, line in enumerate(lines):
        y = _middle(place)
        above = [*above[: line.depth], y]
        if line.depth:
            x = _PAD + _INDENT * (line.depth - 1) + 5
            yield (
                f'<path d="M{x} {above[line.depth - 1] + 6} V{y} H{x + _INDENT - 7}" '
                f'fill="none" stroke="{_MUTED}" stroke-width="1" opacity="0.55"/>'
            )


def _drawn(line: _Line, y: float, width: int) -> str:
    x = _PAD + _INDENT * line.depth
    colour = _GONE if line.gone else AFTER
    filled = "none" if line.gone else colour
    struck = ' text-decoration="line-through"' if line.gone else ""
    room = int((width - x - 20) / _SIGN)
    words = legible(_text(line.node))
    shown = words if len(words) <= min(room, _LONGEST) else words[: min(room, _LONGEST) - 1] + "…"
    table = escape(legible(line.node.table))
    return (
        f'<circle cx="{x + 5}" cy="{y}" r="4.5" fill="{filled}" stroke="{colour}"/>'
        f'<text x="{x + 16}" y="{y + 4.5}" fill="{_GONE if line.gone else INK}"{struck}>'
        f'<tspan fill="{_GONE if line.gone else _MUTED}" font-size="11">{table} </tspan>'
        f"{escape(shown)}</text>"
    )


def _text(node: Node) -> str:
    return " · ".join(text for _, text in node.cells)


def _words(line: _Line) -> str:
    return f"{line.node.table} {_text(line.node)}{', removed' if line.gone else ''}"


_ASSUMPTIONS = (
    "The attacker knows quasi-identifiers, of any rows of a person in any table, and how many rows "
    "there are; no sensitive value.",
    "The attacker has this release and no other release about the same people.",
    "Keys are drawn at random and rows are shuffled, so neither tells anything.",
)
_LIMITS = (
    (
        "Homogeneity",
        "If the rows at one place of the trees of a class share a sensitive value, everyone in the "
        "class has it. Demand l of the column against that.",
    ),
    (
        "Sensitive values as clues",
        "A row keeps its sensitive values, also beside those of the person’s other rows. Someone "
        "who knows one of them may find the person and read the rest.",
    ),
    (
        "Removed rows",
        "Rows without counterpart in their class are missing. Counts over the release are lower "
        "bounds, and removal falls on unusual people first.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people, each anonymous by itself, may single people out when "
        "they are joined.",
    ),
)
_WORDS = (
    (
        "Tree",
        "A person’s row with all rows that refer to it, and those that refer to these. Two people "
        "are alike if their trees have the same cells and shape, whatever the order.",
    ),
    (
        "Place",
        "Where a row stands in the tree of its person. At each place a class has a row of every "
        "member.",
    ),
    (
        "Removed",
        "A row, with all rows below it, that some member of the class has no counterpart for.",
    ),
    (
        "Loss",
        "The share of a column’s domain that an average published cell covers: 0% is as it was, "
        "100% says nothing.",
    ),
)


def loss(owned: Owned) -> float:
    """Share of rows removed, and of the domain that the cells of the others cover."""
    return overall_loss(losses_of(owned.release, owned.order.snowflake, owned.policy))


def document(owned: Owned) -> Document:
    """Tell everything about linked tables. Cost: one drawing per table, and three more."""
    facts = linked_facts(owned.release, owned.order.snowflake, owned.policy)
    tables = plural(len(facts.tables), "table", "tables")
    sizes = class_size_part(
        facts.sizes,
        facts.k,
        "People whose rows look the same after publishing, in all tables together, form a class.",
        "people",
    )
    return document_of_release(
        owned,
        facts.name,
        size=f"{plural(facts.sizes.rows, 'person', 'people')}, {tables}",
        loss=overall_loss(facts.losses),
        tiles=_tiles(facts),
        promises=[(_promise(claim), claim.recipient) for claim in owned.release.manifest.claims],
        assumptions=_ASSUMPTIONS,
        limits=_LIMITS,
        columns=_columns(facts),
        parts=[*_example(facts), sizes, _losses(facts)],
        words=_WORDS,
    )


def _promise(claim: Claim) -> str:
    if claim.claim == FOLLOWS:
        return follows_promise(claim)
    if "k" in claim.parameters:
        k = claim.parameters["k"]
        return (
            "Whatever someone knows of the quasi-identifiers of a person’s rows, in however many "
            f"tables, fits at least {plural(k, 'person', 'people')} of this release or none; they "
            f"pick the right one with a chance of at most 1 in {count(k)}."
        )
    told = ", ".join(
        f"{key} = {value}" for key, value in claim.parameters.items() if key != "column"
    )
    kind = claim.claim.removeprefix("entity-")
    return (
        f"Wherever a row of ‘{claim.table}’ stands in the trees of a class, the values of "
        f"‘{claim.parameters.get('column')}’ there meet {kind} with {told}."
    )


def _tiles(facts: LinkedFacts) -> tuple[Tile, ...]:
    demanded = "" if facts.k is None else f"; {count(facts.k)} demanded"
    classes = "class" if facts.sizes.classes == 1 else "classes"
    return (
        Tile(count(facts.sizes.smallest), f"people in the smallest class{demanded}"),
        Tile(count(facts.sizes.classes), f"{classes} of people whose rows look alike"),
        *(
            Tile(percentage(each.share_removed), f"of the rows of {shown(each.name)} removed")
            for each in facts.losses[1:3]
        ),
    )


def _columns(facts: LinkedFacts) -> Numbers:
    rows = tuple(
        (
            "" if place else shown(table.name),
            shown(column.name),
            _role(column),
            _published(table, column),
        )
        for table in facts.tables
        for place, column in enumerate(table.columns)
    )
    return Numbers(("Table", "Column", "Role", "Published"), rows, look="plain")


def _role(column: PublishedColumn) -> Cell:
    return column.role if column.role in ("key", "parent") else role(column.role)


def _published(table: PublishedTable, column: PublishedColumn) -> str:
    if column.role == "key":
        return "random numbers"
    if column.role == "parent":
        return f"keys of {', '.join(map(shown, table.parent or ()))}"
    return cells_of(column)


def _example(facts: LinkedFacts) -> Iterator[Part]:
    if facts.example is not None:
        before, after = facts.example.before, facts.example.after
        times = f"As it is published, at least {count(facts.k or 1)} times"
        yield Part(
            "One person before and after",
            "Rows are indented below the row they belong to. Rows struck out have no counterpart "
            "with others of the class and are removed; the cells of the others are those that all "
            "members of the class share.",
            (
                Pictures(
                    (
                        Picture("As it was", entity_tree(before, title="Before", width=NARROW)),
                        Picture(times, entity_tree(after, title="After", width=NARROW)),
                    )
                ),
            ),
            look="whole",
        )


def _losses(facts: LinkedFacts) -> Part:
    rows = tuple(
        (
            shown(each.name),
            count(each.rows),
            count(each.removed),
            percentage(each.share_removed),
            count(each.over),
        )
        for each in facts.losses
    )
    pictures = tuple(
        loss_picture(Ncp(cell_loss(each), each.columns), f"Cells of {shown(each.name)}", NARROW)
        for each in facts.losses
        if each.columns
    )
    return Part(
        "What was lost",
        "Rows that are missing are counted here and nowhere else: the release does not say how "
        "many there were. The pictures show the share of a column’s domain that an average cell "
        "leaves open.",
        (
            Numbers(("Table", "Rows", "Removed", "Share", "Beyond at_most"), rows),
            Pictures(pictures),
        ),
        look="whole",
    )
