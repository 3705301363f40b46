"""What there is to know about a release because it has several recipients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from papilio.data.table import Table
from papilio.document.contract import FOLLOWS, promise
from papilio.families.generalising.facts import PeopleFacts, least_size, people_facts
from papilio.families.recipients.blocks import Butterfly, blocks_of, butterfly_of
from papilio.measure.losses import Ncp
from papilio.measure.published_classes import ClassSizes, PublishedClasses, class_sizes
from papilio.policy.recipients import ALL_RECIPIENTS, is_together
from papilio.release.release import Release
from papilio.verify.verdict import Finding, Verdict

_ROWS = "papilio rows"


@dataclass(frozen=True)
class RecipientFacts:
    """One recipient.

    Attributes
    ----------
    name
        Who it is.
    columns
        Quasi-identifiers they know.
    promises
        What is promised about them, in sentences.
    findings
        What the verifier found about these claims.
    k
        Least class size that is claimed, if any.
    sizes
        Sizes of the classes on their columns.
    loss
        Loss on their columns.
    people
        People as they see them, if people may have several rows.
    """

    name: str
    columns: tuple[str, ...]
    promises: tuple[str, ...]
    findings: tuple[Finding, ...]
    k: int | None
    sizes: ClassSizes
    loss: Ncp
    people: PeopleFacts | None = None


@dataclass(frozen=True)
class Sharing:
    """Everything that is there only because there are several recipients.

    Attributes
    ----------
    recipients
        One part each.
    together
        All of them, if they put together what they know; ``promises`` is empty if nothing is
        promised about that.
    shared, own
        Loss on the columns that several know, and on those that one knows; ``None`` if there are
        no such columns.
    share
        Share of the rows in butterflies that are more than one class.
    butterfly
        One of them, to be drawn.
    """

    recipients: tuple[RecipientFacts, ...]
    together: RecipientFacts
    shared: Ncp | None
    own: Ncp | None
    share: float
    butterfly: Butterfly | None


def sharing_of(release: Release, original: Table, verdict: Verdict, loss: Ncp) -> Sharing | None:
    """Gather it; ``None`` for a release with one recipient.

    Parameters
    ----------
    release, original
        A generalised release and the table it was made from.
    verdict
        What the verifier found.
    loss
        Loss per column.
    """
    claims = release.manifest.claims
    known = {
        claim.recipient: claim.columns
        for claim in claims
        if not is_together(claim.recipient) and claim.claim != FOLLOWS
    }
    if len(known) < 2:
        return None
    blocks = blocks_of(release, original, known)
    union = tuple(name for name in loss.per_column if any(name in each for each in known.values()))
    parts = [
        _part(release, original, verdict, loss, name, columns)
        for name, columns in [*known.items(), (ALL_RECIPIENTS, union)]
    ]
    knowing = {name: sum(name in each for each in known.values()) for name in union}
    return Sharing(
        recipients=tuple(parts[:-1]),
        together=parts[-1],
        shared=_loss(loss, [name for name, count in knowing.items() if count > 1]),
        own=_loss(loss, [name for name, count in knowing.items() if count == 1]),
        share=blocks.share,
        butterfly=butterfly_of(blocks, original, known),
    )


def _part(
    release: Release,
    original: Table,
    verdict: Verdict,
    loss: Ncp,
    name: str,
    columns: tuple[str, ...],
) -> RecipientFacts:
    claims = [claim for claim in release.manifest.claims if claim.recipient == name]
    return RecipientFacts(
        name=name,
        columns=columns,
        promises=tuple(promise(claim) for claim in claims),
        findings=tuple(each for each in verdict.findings if each.recipient == name),
        k=least_size(tuple(claims)),
        sizes=_sizes(release, original, columns),
        loss=_loss(loss, columns) or Ncp(0.0, {}),
        people=people_facts(release, original, columns),
    )


def _sizes(release: Release, original: Table, columns: Sequence[str]) -> ClassSizes:
    published = {
        each.name: each.published for each in release.manifest.table(original.name).columns
    }
    cells = [cell for name in columns for cell in published[name]]
    frame = release.frames[original.name]
    sizes = (
        frame.group_by(cells).len(_ROWS).get_column(_ROWS) if cells else pl.Series([frame.height])
    )
    return class_sizes(PublishedClasses(sizes.to_numpy().astype(np.int64), {}, {}))


def _loss(loss: Ncp, columns: Sequence[str]) -> Ncp | None:
    """Loss on some columns only."""
    chosen: Mapping[str, float] = {name: loss.per_column[name] for name in columns}
    return Ncp(float(np.mean(list(chosen.values()))), dict(chosen)) if chosen else None
