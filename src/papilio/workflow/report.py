"""The owner's document about a release: for a file, and for a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from papilio.attack.homogeneity import homogeneity
from papilio.attack.risk import views_of
from papilio.attack.risk_words import notes_over_people
from papilio.document import Document, Owned, RiskFound
from papilio.document.html import check_place, render, write_page
from papilio.errors import ReleaseError
from papilio.families import choose
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.release import Release
from papilio.release.scratch import disk_faults
from papilio.workflow.lights import lights_beside
from papilio.workflow.risk import assumption_of, check_population, counted_in
from papilio.workflow.verify import (
    called_as,
    check_beside,
    frame_name,
    judge_beside,
    opened_release,
    read_original,
)


def report(
    release: Release | str | Path,
    path: str | Path,
    *,
    original: Policy,
    data: Any = None,
    population: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write one self-contained HTML file for the owner's eyes.

    Parameters
    ----------
    release
        A release or the directory of one.
    path
        The file to write; never inside a release directory.
    original
        The policy the release was made with.
    data
        The original as a frame, instead of the policy's source.
    population
        People the table was drawn from, for the risk of being found; see
        :func:`papilio.workflow.risk.risk`.
    overwrite
        Replace the file if it exists.
    progress
        Told of each stage.

    Raises
    ------
    ReleaseError
        If the release is not what its manifest says, or was made with another policy or from other
        data.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> pp.report(release, "report.html", original=policy, data=people).name
    'report.html'
    """
    with disk_faults(Path(path)):
        check_place(Path(path), overwrite=overwrite)
    tell = progress or silent
    owned = own(release, original, data, progress=tell, attacks=True)
    owned = replace(owned, risk=_risk(owned, population))
    tell("drawing", 0.6)
    return write_page(render(original.family.document(owned)), Path(path), overwrite=overwrite)


def document(
    release: Release | str | Path,
    *,
    original: Policy,
    data: Any = None,
    progress: Progress | None = None,
) -> Document:
    """Tell everything about a release but the risk, which :mod:`papilio.workflow.risk` measures.

    Parameters and errors are those of :func:`report`. For the owner's eyes: it shows rows of the
    original. Cost: one reading of release and original, one verification, and about 50 ms per
    drawing.
    """
    tell = progress or silent
    owned = own(release, original, data, progress=tell)
    tell("drawing", 0.6)
    return original.family.document(owned)


def loss(release: Release | str | Path, *, original: Policy, data: Any = None) -> float:
    """Measure what a release loses, between 0 and 1, as its family measures it.

    Parameters and errors are those of :func:`report`.
    """
    return original.family.loss(own(release, original, data))


def own(
    release: Release | str | Path,
    original: Policy,
    data: Any = None,
    *,
    progress: Progress | None = None,
    attacks: bool = False,
) -> Owned:
    """Read a release and its original once, and let the verifier judge them once.

    With ``attacks``, all attacks of its family are tried, for the lights. Other parameters and
    errors are those of :func:`report`. A claim that is violated is no error: to tell that is what
    documents are for.
    """
    tell = progress or silent
    tell("reading", 0.0)
    opened = release if isinstance(release, Release) else Release.open(release)
    manifest = opened.manifest
    if original.family.kind != manifest.kind:
        raise ReleaseError(
            f"the release is of the kind '{manifest.kind}' and the policy is not for one, but for "
            f"'{original.family.kind}'; give the policy it was made with",
            reason="another-policy",
        )
    read = read_original(original, data, frame_name(original, manifest))
    tell("verifying", 0.2)
    with opened_release(opened.directory or opened, alone=False, memory=None) as judged:
        verdict = judge_beside(judged, read)
    check_beside(verdict, "reported on")
    lights = None
    if attacks:
        tell("attacking", 0.4)
        named = read if data is None else called_as(read, manifest)
        lights = lights_beside(opened, named, original, verdict)
    order = read.order
    if isinstance(order, Order):
        order = replace(order, table=replace(order.table, name=manifest.tables[0].name))
    why = choose(original, read.size).why
    return Owned(opened, original, order, verdict, why, lights=lights)


def _risk(owned: Owned, population: int | None) -> RiskFound:
    """How easily people are found; attacks that take longer are left to :mod:`workflow.risk`."""
    release, policy, family = owned.release, owned.policy, owned.policy.family
    notes: tuple[str, ...] = () if family.risk_note is None else (family.risk_note,)
    if family.views is not None:
        views = family.views(release, owned.order, policy, population)
        check_population(population, views[0].before.people, "people")
        return RiskFound(views, assumption_of(population), (), notes)
    if not family.classes:
        return RiskFound((), "", (), notes)
    table = owned.order.table
    check_population(population, *counted_in(table))
    first = {column.name for column in release.manifest.tables[0].columns}
    whole = all(column.name in first for column in table.columns)
    learnt = tuple(homogeneity(release, table, policy)) if whole else ()
    views = views_of(release, table, policy, population)
    notes += notes_over_people([e for view in views for e in (view.before, view.after)])
    return RiskFound(views, assumption_of(population), learnt, notes)
