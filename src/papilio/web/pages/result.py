"""The Result step: verdict, risk, loss, rows before and after, and what to do with it."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from papilio.attack.result import AttackResult
from papilio.attack.risk import RiskView
from papilio.document import Document, Part, Tile
from papilio.document.html import part_markup
from papilio.document.text import count, legible, percentage
from papilio.verify.verdict import Status, Verdict
from papilio.web.jobs.run import Job, start, start_or_join
from papilio.web.pages import address
from papilio.web.parts.blocks import drawing, figure, figures, heading, message, paragraph, section
from papilio.web.parts.lights import Download, show_lights
from papilio.web.parts.progress import progress
from papilio.web.parts.which_release import policy_of, release_picker, which_release
from papilio.web.project import Project
from papilio.web.records import Record, load_record
from papilio.web.transfers import download_address
from papilio.web.verbs.documents import RiskFound


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
        if after.several is not None:
            rows = f"and {count(after.smallest)} rows in the smallest"
            figure("Fewest people in a class", count(after.several.smallest), rows)
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


def show_risk(
    project: Project,
    number: int,
    place: ui.element,
    population: int | None = None,
    told: Callable[[RiskFound], None] | None = None,
) -> None:
    """Measure the risk of a release and show it in a place of the page.

    Parameters
    ----------
    project, number
        The release.
    place
        Where; what stands there goes.
    population
        People the table was drawn from; left out, the table is taken for all of them.
    told
        Told what was found.
    """

    def over(job: Job) -> None:
        if job.failure is None:
            found = job.result()
            risk_view(found)
            if told is not None:
                told(found)
        else:
            message(job.failure.message, "error")

    order = {"text": policy_of(project, number), "number": number, "population": population}
    place.clear()
    with place:
        job = start_or_join(project, "risk", order)
        progress(job, over, title="Progress of the attacks", cancel=False)


def population(project: Project, number: int, place: ui.element) -> None:
    """Let the reader say how many people the data was drawn from."""
    with ui.element("div").classes("ask-options"):
        size = ui.number("People it was drawn from, if a sample", min=1, step=1, precision=0)
        size.props("outlined dense").classes("population")

        def measure() -> None:
            show_risk(project, number, place, int(size.value) if size.value else None)

        ui.button("Estimate", on_click=measure).classes("secondary")


_ICONS = {
    Status.HOLDS: ("check_circle", "good"),
    Status.VIOLATED: ("cancel", "bad"),
    Status.NOT_CHECKED: ("help", "warning"),
}
_SENTENCES = {
    Status.HOLDS: (
        "The claims hold",
        "An independent reader of the release confirms every claim. Whether people are exposed all "
        "the same is what the lights say.",
    ),
    Status.VIOLATED: ("Violated", "Do not hand this release out: a claim does not hold."),
    Status.NOT_CHECKED: ("Not fully checked", "Some of it could not be confirmed."),
}


def verdict_banner(verdict: Verdict) -> None:
    """Say how the release stands as a whole."""
    icon, kind = _ICONS[verdict.status]
    word, sentence = _SENTENCES[verdict.status]
    with ui.element("div").classes(f"banner {kind}").props("role=status"):
        ui.icon(icon).props("aria-hidden=true")
        with ui.element("div"):
            heading(word, 2)
            ui.label(sentence)


# Printing has to begin in the browser, at the click itself.
_PRINT = """() => {
  const frame = document.createElement('iframe');
  frame.style.display = 'none';
  frame.src = ADDRESS;
  frame.onload = () => frame.contentWindow.print();
  document.body.appendChild(frame);
}"""


def report_button(project: Project, number: int) -> None:
    """Offer the report on a release."""
    name = f"report-{number}.html"
    with ui.element("div").classes("report-button") as box:
        _offer(project, number, name, box)


def _offer(project: Project, number: int, name: str, box: ui.element) -> None:
    if (project.reports / name).is_file():
        _links(project, name)
        return

    def make() -> None:
        order = {"text": policy_of(project, number), "number": number, "name": name}
        job = start(project, "report", order, makes=project.reports / name)
        box.clear()
        with box:
            progress(job, over, title="Progress of the report")

    def over(job: Job) -> None:
        if job.failure is not None:
            message(job.failure.message, "error")
        else:
            _links(project, name)

    ui.button("Make the owner’s report", icon="description", on_click=make).classes("secondary")


def _links(project: Project, name: str) -> None:
    shown = download_address(project, "reports", name, inline=True)
    with ui.element("div").classes("buttons"):
        ui.link("Open the report", shown, new_tab=True).classes("button secondary")
        link = ui.link("Save the report", download_address(project, "reports", name))
        link.classes("button secondary").props["download"] = True
        ui.button("Print / PDF", icon="print").classes("secondary").on(
            "click", js_handler=_PRINT.replace("ADDRESS", repr(shown))
        )


def head_of_document(document: Document) -> None:
    """Show the figures that sum up, and what is to be read first."""
    for warning in document.warnings:
        message(warning, "warning")
    tiles = "".join(
        f"<div><dd>{html.escape(tile.value)}</dd><dt>{html.escape(_name(tile))}</dt></div>"
        for tile in document.tiles
    )
    ui.html(f"<dl>{tiles}</dl>", sanitize=False).classes("tiles")
    show_parts(document.head)


def _name(tile: Tile) -> str:
    return legible(f"{tile.name}. {tile.note}" if tile.note else tile.name)


def show_parts(parts: Sequence[Part]) -> None:
    """Show parts that are for pages; those that are folded open on demand."""
    for part in parts:
        if part.where == "report":
            continue
        if part.folded:
            _folded(part)
        else:
            with section(part.title, part.lead):
                _contents(part)


def _folded(part: Part) -> None:
    with (
        ui.element("section").classes("card"),
        ui.element("details").classes("folded"),
    ):
        with ui.element("summary"):
            heading(part.title, 2)
        if part.lead:
            paragraph(part.lead)
        _contents(part)


def _contents(part: Part) -> None:
    """What a part shows: markup of the template that writes reports, which escapes all text."""
    if part.contents:
        ui.html(str(part_markup(part)), sanitize=False).classes("part")


#: Rows above which nothing is measured unasked: it reads the original into memory.
_MANY = 5_000_000


def page(project: Project) -> None:
    """Draw the page."""
    number = which_release(project)
    if number is None:
        message("There is no release yet. Run the policy first.")
        ui.link("To the run", address(project, "run")).classes("button primary")
        return
    release_picker(project, number, "result")
    record = load_record(project, number)
    view = _Result(project, number)
    if record is not None:
        if record.lights is not None:
            view.show_lights(record.lights)
        elif record.findings:
            view.show_verdict(Verdict(record.findings))
        _about(record)
    if record is None or record.rows <= _MANY:
        view.measure()
    else:
        view.offer(record.rows)


class _Result:
    """The parts of the page that are filled when they are known."""

    def __init__(self, project: Project, number: int) -> None:
        self._project = project
        self._number = number
        self._verdict = ui.element("div").props("id=verdict")
        self._lit = False
        self._head = ui.element("div")
        self._download = _actions(project, number)
        with section(
            "Risk",
            "Who could be found in the release, and what could be learnt of how many people.",
        ):
            self._risk = ui.element("div").props("id=risk")
            population(project, number, self._risk)
        self._rest = ui.element("div")

    def show_lights(self, said: Mapping[str, Any]) -> None:
        """Show the three lights in place of the verdict, which is the first of them."""
        self._lit = True
        self._verdict.clear()
        with self._verdict:
            show_lights(self._project, said)
        self._download.show(said)

    def show_verdict(self, verdict: Verdict) -> None:
        """Say how the release stands as a whole, until the lights are known."""
        if self._lit:
            return
        self._verdict.clear()
        with self._verdict:
            verdict_banner(verdict)

    def measure(self) -> None:
        """Measure loss and risk beside the original."""
        order = {"text": policy_of(self._project, self._number), "number": self._number}
        self._head.clear()
        with self._head:
            job = start_or_join(self._project, "document", order)
            progress(job, self._measured, title="Progress of the measures", cancel=False)
        show_risk(self._project, self._number, self._risk, told=self._attacked)

    def _attacked(self, found: RiskFound) -> None:
        if found.risk.lights is not None:
            self.show_lights(found.risk.lights.to_dict())

    def offer(self, rows: int) -> None:
        """Let the reader decide whether to measure a release of many rows."""
        with self._head:
            message(
                f"The release has {rows:,} rows. Measuring risk and loss reads the original into "
                "memory and takes a while."
            )
            ui.button("Measure", icon="speed", on_click=self.measure).classes("secondary")

    def _measured(self, job: Job) -> None:
        if job.failure is not None:
            message(job.failure.message, "error")
            return
        document = job.result()
        self.show_verdict(document.verdict)
        with self._head:
            head_of_document(document)
        with self._rest:
            show_parts(document.parts)


def _actions(project: Project, number: int) -> Download:
    with section("Hand it out, and keep the report to yourself"):
        with ui.element("div").classes("buttons"):
            target = download_address(project, "releases", f"{number}")
            download = Download(target)
            asking = address(project, "ask", release=number)
            ui.link("Ask it in SQL", asking).classes("button secondary")
            ui.link("Try other settings", address(project, "compare")).classes("button secondary")
        report_button(project, number)
    return download


def _about(record: Record) -> None:
    """Say how the release came about."""
    with section("How it was made"):
        ui.label(f"Method: {record.method} ({record.why}). It took {record.seconds:.1f} seconds.")
        if record.left_out:
            names = ", ".join(record.left_out)
            ui.label(f"Not published, because the policy does not mention them: {names}.")
        for note in record.notes:
            ui.label(note)
        with ui.element("details").classes("numbers"):
            with ui.element("summary"):
                ui.label("The policy it was made with")
            ui.code(record.text, language="yaml")
