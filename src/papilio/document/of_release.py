"""What documents about releases have in common, whatever the family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papilio.document.model import Bullets, Document, Numbers, Part, Styled, Terms, Text, Tile
from papilio.document.owned import Owned
from papilio.document.risk import risk_part
from papilio.document.text import prose, shown
from papilio.release.manifest import PublishedColumn
from papilio.verify.verdict import Finding, Verdict

#: How each kind of cell is told to people.
CELLS = {
    "value": "as it was",
    "range": "smallest and largest possible value",
    "node": "label in a hierarchy",
    "set": "list of possible values",
}
_HOLDS = (
    "Holds, violated, not checked",
    "A claim holds only if the verifier could confirm it. What could not be checked is not "
    "confirmed.",
)


def document_of_release(
    owned: Owned,
    name: str,
    *,
    size: str,
    loss: float,
    tiles: tuple[Tile, ...],
    promises: Sequence[tuple[str, str]],
    assumptions: Sequence[str],
    limits: tuple[tuple[str, str], ...],
    columns: Numbers,
    parts: Sequence[Part],
    words: tuple[tuple[str, str], ...],
) -> Document:
    """Put a document together.

    Parameters
    ----------
    owned
        The release with its original and its verdict.
    name, size
        Name of what was published, and how much it is.
    loss, tiles
        What sums it up.
    promises
        Sentences that say what is claimed, each followed by the recipient it holds for.
    assumptions, limits
        What the claims assume about the attacker, and what they do not protect against.
    columns
        How columns are published.
    parts
        What only this family has to say.
    words
        What its words mean.
    """
    manifest = owned.release.manifest
    seeded = (
        "Made with a seed, for tests: anyone with the seed can undo the shuffling. Do not publish "
        "it."
    )
    return Document(
        purpose="Anonymisation report",
        name=name,
        subtitle=f"{size} · method {manifest.method}",
        shows="This page shows statistics and rows of the original data.",
        tiles=tiles,
        head=(_promised(promises, assumptions), verdict_part(owned.verdict)),
        parts=(
            *parts,
            *([] if owned.risk is None else [risk_part(owned.risk)]),
            _published(owned, columns),
            *_limits(limits),
            Part("How to read it", contents=(Terms((*words, _HOLDS)),), folded=True, look="whole"),
        ),
        verdict=owned.verdict,
        warnings=(seeded,) if manifest.seeded else (),
        loss=loss,
        made=owned.made,
    )


def _promised(promises: Sequence[tuple[str, str]], assumptions: Sequence[str]) -> Part:
    told = [(sentence, f"Recipient: {recipient}") for sentence, recipient in promises]
    items = tuple(told) or (("This release claims nothing.", ""),)
    assumed = (
        Text("This is true as long as the following is:"),
        Bullets(tuple((sentence, "") for sentence in assumptions)),
    )
    contents = (Bullets(items, "promises"), *(assumed if assumptions else ()))
    return Part("What is promised", contents=contents)


def verdict_part(verdict: Verdict) -> Part:
    """Tell everything the verifier checked."""
    return Part(
        "What the verifier found",
        "The verifier knows nothing of the method. It reads the release as a recipient would, "
        "recomputes every claim from the published rows, and compares them with the original and "
        "with what the policy demands.",
        (
            Numbers(
                ("Checked", "Demanded", "Found", "Outcome"),
                tuple(_finding(finding) for finding in verdict.findings),
                look="verdict",
            ),
        ),
        folded=True,
    )


def _finding(finding: Finding) -> tuple[str | Styled, ...]:
    about = [finding.claim]
    about += [] if finding.column is None else [f"of {shown(finding.column)}"]
    about += [] if finding.recipient is None else [f"for {finding.recipient}"]
    return (
        " ".join(about),
        prose(finding.demanded),
        prose(finding.measured),
        outcome(finding),
    )


def outcome(finding: Finding) -> Styled:
    """How a check came out, with its colour."""
    status = finding.status.value
    return Styled(status, f"status {status.replace(' ', '-')}")


def _published(owned: Owned, columns: Numbers) -> Part:
    method = owned.release.manifest.method
    return Part("How it is published", f"The method is {method}: {owned.why}.", (columns,))


def _limits(limits: tuple[tuple[str, str], ...]) -> Iterator[Part]:
    if limits:
        title = "What this release does not protect against"
        yield Part(title, contents=(Terms(limits),), look="limits")


def columns_table(
    columns: Sequence[PublishedColumn], published: dict[str, str] | None = None
) -> Numbers:
    """Tell how columns are published; ``published`` says it by role where cells do not."""
    rows = tuple(
        (
            shown(column.name),
            role(column.role),
            column.type,
            cells_of(column) if published is None else published.get(column.role, published[""]),
        )
        for column in columns
    )
    return Numbers(("Column", "Role", "Type", "Published"), rows, look="plain")


def role(name: str) -> Styled:
    """The role of a column, with its colour."""
    return Styled(name, name)


def cells_of(column: PublishedColumn) -> str:
    """How the cells of a column are published."""
    return CELLS[column.cells] + (", as text" if column.text else "")
