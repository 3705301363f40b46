"""The Compare step: variants of the policy side by side, each to be opened with a click."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from papilio.attack.lights import TITLES
from papilio.document.compare import Comparison, Trial, what_helps
from papilio.document.text import percentage
from papilio.errors import PolicyError
from papilio.families.choices import Choices
from papilio.web.draft import change, load_draft
from papilio.web.jobs.run import Job, running, start
from papilio.web.pages import address
from papilio.web.pages.run import begin
from papilio.web.parts.blocks import message, section
from papilio.web.parts.progress import progress
from papilio.web.parts.trade_off import Point, trade_off
from papilio.web.parts.which_release import title
from papilio.web.project import Project
from papilio.web.records import Record, load_comparison, records


class VariantsForm:
    """Boxes for the methods, and for the values of everything that may vary."""

    def __init__(self, choices: Choices) -> None:
        possible = tuple(line.name for line in choices.lines if line.why_not is None)
        with ui.element("div").classes("settings-form"):
            self._methods = _boxes("Methods", possible, choices.usual)
            self._values = {
                each.key: _boxes(each.title, each.values, each.usual)
                for each in choices.varied
                if each.values
            }

    @property
    def methods(self) -> list[str]:
        """Methods that are chosen."""
        return _chosen(self._methods)

    @property
    def variants(self) -> dict[str, list[Any]]:
        """Values that are chosen, by key; keys without any stay as the policy has them."""
        chosen = {key: _chosen(boxes) for key, boxes in self._values.items()}
        return {key: values for key, values in chosen.items() if values}


def _boxes(
    name: str, options: Sequence[Any], usual: Sequence[Any]
) -> list[tuple[Any, ui.checkbox]]:
    with ui.element("fieldset").classes("boxes"):
        with ui.element("legend"):
            ui.label(name)
        return [(each, ui.checkbox(_said(each), value=each in usual)) for each in options]


def _chosen(boxes: list[tuple[Any, ui.checkbox]]) -> list[Any]:
    return [value for value, box in boxes if box.value]


def _said(option: Any) -> str:
    return option if isinstance(option, str) else f"{option:g}"


def variants_table(
    comparison: Comparison | None,
    made: Sequence[Record],
    opener: Callable[[Trial], Callable[[], None]],
    shower: Callable[[Record], Callable[[], None]],
    adviser: Callable[[Trial, Mapping[str, Any]], Callable[[], None]],
) -> None:
    """Show variants by their loss, and releases after them.

    Parameters
    ----------
    comparison, made
        What was tried, and what was published.
    opener, shower
        Make what the button of a variant, and of a release, does.
    adviser
        Makes what the button beside a remedy of a variant does.
    """
    risk = "Risk" if comparison is None else comparison.risk.title
    with (
        ui.element("div")
        .classes("plain-table")
        .props('tabindex=0 role=group aria-label="All settings"'),
        ui.element("table"),
    ):
        with ui.element("thead"), ui.element("tr"):
            for name in ("Setting", "Loss", risk, "People", "Seconds", "Lights", "Open"):
                with ui.element("th").props("scope=col"):
                    ui.label(name)
        with ui.element("tbody"):
            if comparison is not None:
                for trial in sorted(comparison.trials, key=lambda each: _order(comparison, each)):
                    _trial(trial, opener(trial), adviser, starred=trial in comparison.starred)
            for record in made:
                _record(record, shower(record))
    if comparison is not None:
        for each in (comparison.loss, comparison.risk):
            ui.label(f"{each.title}: {each.words}").classes("muted")
    ui.label(f"Lights: {'; '.join(TITLES.values())}.").classes("muted")


def _order(comparison: Comparison, trial: Trial) -> tuple[bool, float, float]:
    loss = 0.0 if trial.outcome is None else trial.outcome.loss
    return trial.outcome is None, comparison.place(trial), loss


def _trial(
    trial: Trial,
    action: Callable[[], None],
    adviser: Callable[[Trial, Mapping[str, Any]], Callable[[], None]],
    *,
    starred: bool,
) -> None:
    if trial.outcome is None:
        with ui.element("tr"):
            _cell(trial.words)
            with ui.element("td").props("colspan=6"):
                ui.label(f"not possible: {trial.why_not}").classes("muted")
        return
    found = trial.outcome
    figures = (percentage(found.loss), percentage(found.risk), f"{found.people:,}")
    _row(trial.words, (*figures, f"{found.seconds:.2f}", found.lit), action, " ★" * starred)
    for reason in found.reasons:
        with ui.element("tr").classes("reason"), ui.element("td").props("colspan=7"):
            ui.label(f"{reason['colour']}: {reason['sentence']} {what_helps(reason)}")
            if reason["remedy"] is not None:
                _advice(trial, reason["remedy"], adviser(trial, reason["remedy"]))


def _advice(trial: Trial, remedy: Mapping[str, Any], action: Callable[[], None]) -> None:
    name = f"Write into the policy, for {trial.words}: {remedy['line']}".replace('"', "’")
    button = ui.button("Write it into the policy", icon="edit", on_click=action)
    button.classes("secondary small").props(f'aria-label="{name}"')


def _record(record: Record, action: Callable[[], None]) -> None:
    loss = "–" if record.loss is None else percentage(record.loss)
    said = record.lights or {"lights": ()}
    lit = "/".join(light["colour"] for light in said["lights"]) or "–"
    figures = (loss, "–", "–", f"{record.seconds:.2f}", lit)
    _row(title(record.number, record), figures, action)


def _row(name: str, figures: Sequence[str], action: Callable[[], None], star: str = "") -> None:
    with ui.element("tr"):
        for text in (name + star, *figures):
            _cell(text)
        with ui.element("td"):
            ui.button("Open", on_click=action).classes("secondary small").props(
                f'aria-label="Open {name}"'
            )


def _cell(text: str) -> None:
    with ui.element("td"):
        ui.label(text)


def page(project: Project) -> None:
    """Draw the page."""
    try:
        policy = load_draft(project).policy()
    except PolicyError:
        message("The policy is not complete yet; what is missing stands beside it.", "warning")
        return
    choices = policy.family.variants(policy)
    with section(
        "Settings to try",
        "Each is tried on your data, verified and measured. Nothing is published.",
    ):
        form = VariantsForm(choices)
        work = ui.element("div").props("id=comparing")
    shown = ui.element("div").props("id=compared")
    view = _Compare(project, form, work, shown, choices.loss.title)
    view.offer()
    view.show()


class _Compare:
    """The button, and the chart under it."""

    def __init__(
        self,
        project: Project,
        form: VariantsForm,
        work: ui.element,
        shown: ui.element,
        loss: str,
    ) -> None:
        self._project = project
        self._form = form
        self._work = work
        self._shown = shown
        self._loss = loss

    def offer(self, failed: str = "") -> None:
        """Show the button, or the comparison that is under way."""
        self._work.clear()
        job = running(self._project)
        with self._work:
            if job is not None:
                progress(job, self._over, title="Progress of the comparison")
                return
            if failed:
                message(failed, "error")
            ui.button("Compare", icon="insights", on_click=self._start).classes("primary")

    def show(self) -> None:
        """Show what was tried last, and the releases there are."""
        comparison, made = load_comparison(self._project), tuple(records(self._project))
        self._shown.clear()
        with self._shown:
            if comparison is None and not made:
                return
            with section(
                "Loss and privacy",
                "The lower a point, the more detail is kept. Click one to open it: its setting is "
                "written into the policy and run.",
            ):
                along = "k" if comparison is None else comparison.parameter or ""
                points = [] if comparison is None else self._tried(comparison)
                # A release stands where its k is, if that is what runs along the picture.
                points += self._made(made) if along == "k" else []
                if points:
                    trade_off(points, along, self._loss)
                variants_table(comparison, made, self._opener, self._shower, self._adviser)

    def _start(self) -> None:
        if not self._form.methods or not self._form.variants:
            self.offer("choose at least one of each")
            return
        order = {
            "text": load_draft(self._project).text,
            "methods": self._form.methods,
            "variants": self._form.variants,
        }
        start(self._project, "compare", order)
        self.offer()

    def _over(self, job: Job) -> None:
        failed = "" if job.failure is None else job.failure.message
        self.offer(failed)
        self.show()

    def _tried(self, comparison: Comparison) -> list[Point]:
        return [
            Point(
                comparison.series(trial),
                comparison.place(trial),
                outcome.loss,
                f"{trial.words}, loss {percentage(outcome.loss)}, risk {percentage(outcome.risk)}",
                self._opener(trial),
                best=trial in comparison.starred,
            )
            for trial, outcome in comparison.done
        ]

    def _made(self, made: tuple[Record, ...]) -> list[Point]:
        return [
            Point("", each.k, each.loss, title(each.number, each), self._shower(each))
            for each in made
            if each.loss is not None and each.k is not None
        ]

    def _opener(self, trial: Trial) -> Callable[[], None]:
        """Write a variant into the policy and run it, or show the release it gave already."""

        def open_variant() -> None:
            draft = load_draft(self._project)
            for path, value in trial.changes:
                draft = draft.without(path) if value is None else draft.with_value(path, value)
            change(self._project, draft)
            made = next((r for r in records(self._project) if r.text == draft.text), None)
            if made is not None:
                self._shower(made)()
                return
            begin(self._project)
            ui.navigate.to(address(self._project, "run"))

        return open_variant

    def _adviser(self, trial: Trial, remedy: Mapping[str, Any]) -> Callable[[], None]:
        """Write a variant and what would help it into the policy, and lead to the run."""
        more = tuple((tuple(each["path"]), each["value"]) for each in remedy["changes"])

        def write() -> None:
            draft = load_draft(self._project)
            for path, value in (*trial.changes, *more):
                draft = draft.without(path) if value is None else draft.with_value(path, value)
            change(self._project, draft)
            ui.navigate.to(address(self._project, "run"))

        return write

    def _shower(self, record: Record) -> Callable[[], None]:
        target = address(self._project, "result", release=record.number)
        return lambda: ui.navigate.to(target)
