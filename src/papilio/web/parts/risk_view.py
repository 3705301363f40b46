"""Who could be found, and what could be learnt, in plain sentences."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

from papilio.attack.result import AttackResult
from papilio.attack.risk import RiskView
from papilio.document.text import count, percentage
from papilio.web.parts.figure import figure, figures
from papilio.web.parts.message import message
from papilio.web.parts.picture import drawing
from papilio.web.parts.section import heading, paragraph
from papilio.web.verbs.risk import RiskFound


def risk_view(found: RiskFound) -> None:
    """Show everything that is known of the risk."""
    risk = found.risk
    for note in risk.notes:
        message(note)
    for view, svg in zip(risk.views, found.pictures, strict=True):
        _view(view, svg, several=len(risk.views) > 1)
    if risk.assumption:
        paragraph(risk.assumption)
    if risk.attacks:
        heading("What attackers could learn", 3)
        sentences(risk.attacks)


def _view(view: RiskView, svg: str, *, several: bool) -> None:
    if several:
        heading(f"{view.recipient}: {view.table}", 3)
    paragraph(f"The attacker: {view.attacker}.")
    before, after = view.before, view.after
    with figures():
        figure(
            "Highest chance to be found",
            percentage(after.prosecutor.largest),
            f"{percentage(before.prosecutor.largest)} in the original",
        )
        figure(
            "Average chance",
            percentage(after.prosecutor.average),
            f"{percentage(before.prosecutor.average)} in the original",
        )
        figure("People alone", count(after.unique), f"{count(before.unique)} in the original")
    drawing(svg, f"People by class size, {view.recipient}")
    with ui.element("p").classes("legend").props("aria-hidden=true"):
        ui.element("span").classes("swatch before")
        ui.label("the original")
        ui.element("span").classes("swatch after")
        ui.label("the release")
    with ui.element("details").classes("numbers").props("" if several else "open"):
        with ui.element("summary"):
            ui.label("In words")
        sentences(view.results, told=False)


def sentences(results: Sequence[AttackResult], *, told: bool = True) -> None:
    """List what each attacker learns, and who they are unless that was told."""
    with ui.element("ul").classes("attacks"):
        for each in results:
            with ui.element("li"):
                ui.label(each.attack.replace("_", " ")).classes("attack")
                with ui.element("div"):
                    ui.label(each.sentence)
                    if told:
                        ui.label(each.attacker).classes("muted")
