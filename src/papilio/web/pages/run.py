"""The Run step: what will be done, the run itself, and what to do if it cannot be done."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from papilio.policy.policy import Policy
from papilio.web.draft import Draft, change, load_draft, on_change
from papilio.web.frame import fault_text
from papilio.web.jobs.run import Job, State, running, start
from papilio.web.jobs.worker import Failure
from papilio.web.pages import address
from papilio.web.parts.blocks import message, section
from papilio.web.parts.progress import progress
from papilio.web.project import Project
from papilio.web.records import load_profiles
from papilio.workflow.publish import choice_of

_ROLES = {
    "quasi": "quasi-identifiers",
    "sensitive": "sensitive",
    "plain": "published as they are",
    "identifier": "never published",
}


def order_summary(project: Project, draft: Draft) -> None:
    """Say what will be done, with which method, and why; the policy must have no faults."""
    lines = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(said)}</dd></div>"
        for name, said in _lines(project, draft, draft.policy())
    )
    ui.html(f"<dl>{lines}</dl>", sanitize=False).classes("order")


def _lines(project: Project, draft: Draft, policy: Policy) -> Iterator[tuple[str, str]]:
    tables = [each.profile.get("rows") for each in load_profiles(project)]
    rows = [each for each in tables if isinstance(each, int)]
    yield "Kind of release", policy.family.words.title
    if rows:
        several = f", {len(rows)} tables" if len(rows) > 1 else ""
        yield "Data", f"{sum(rows):,} rows{several}"
    if policy.columns:
        yield "Columns", _columns(policy)
    if policy.recipients:
        yield "Recipients", "; ".join(f"{who} knows {', '.join(what)}" for who, what in _of(policy))
    yield "Demanded", "; ".join(_demands(draft.get(("privacy",)) or {}))
    choice = choice_of(policy, max(rows, default=0))
    yield "Method", f"{choice.method} ({choice.why})"


def _of(policy: Policy) -> Iterator[tuple[str, list[str]]]:
    for who, columns in policy.known.items():
        yield who, list(columns) or ["none of the quasi-identifiers"]


def _columns(policy: Policy) -> str:
    roles = [column.role.value for column in policy.columns.values()]
    counts = ((name, roles.count(role)) for role, name in _ROLES.items())
    return ", ".join(f"{number} {name}" for name, number in counts if number)


def _demands(privacy: Mapping[str, Any]) -> Iterator[str]:
    for key, said in privacy.items():
        if isinstance(said, Mapping):
            yield from (f"{key} of {name} = {_text(each)}" for name, each in said.items())
        else:
            yield f"{key} = {_text(said)}"


def _text(said: Any) -> str:
    if isinstance(said, Mapping):
        return ", ".join(f"{key} {_text(each)}" for key, each in said.items())
    if isinstance(said, list):
        return ", ".join(_text(each) for each in said)
    return str(said)


_NUMBER = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True)
class Nearest:
    """A change that would do.

    Attributes
    ----------
    words
        What it sets, such as ``k = 3``.
    draft
        The policy with it.
    """

    words: str
    draft: Draft


def nearest(failure: Failure, draft: Draft) -> Nearest | None:
    """Find the change that the message of a failure names; ``None`` if it names none."""
    for pattern, make in _FORMS:
        match = re.search(pattern, failure.message)
        if match is not None:
            return make(match, draft, failure.message)
    return None


def _value(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _plain(key: str) -> Callable[[re.Match[str], Draft, str], Nearest]:
    def make(match: re.Match[str], draft: Draft, message: str) -> Nearest:
        del message
        found: Any = match[1] if key == "suppress" else _value(match[1])
        return Nearest(f"{key} = {found}", draft.with_value(("privacy", key), found))

    return make


def _letter(match: re.Match[str], draft: Draft, message: str) -> Nearest:
    del message
    found = int(match[2])
    return Nearest(f"{match[1]} = {found}", draft.with_value(("privacy", match[1]), found))


def _k_and_e(match: re.Match[str], draft: Draft, message: str) -> Nearest:
    del message
    found = {}
    for key, text in (("k", match[1]), ("e", match[2])):
        now = draft.get(("privacy", key))
        if isinstance(now, int | float) and now > float(text):
            found[key] = _value(text)
    for key, number in found.items():
        draft = draft.with_value(("privacy", key), number)
    return Nearest(", ".join(f"{key} = {number}" for key, number in found.items()), draft)


def _diversity(match: re.Match[str], draft: Draft, message: str) -> Nearest | None:
    found = _value(match[2])
    column = re.match(r"column '(.*?)': ", message)
    now = draft.get(("privacy", "l"))
    if column is None:
        return None
    said: Any = {"entropy": found} if match[1] else found
    if isinstance(now, dict):
        before = now.get(column[1])
        if isinstance(before, dict) and "recursive" in before:
            said = {"recursive": [before["recursive"][0], found]}
        path: tuple[str, ...] = ("privacy", "l", column[1])
    else:
        path = ("privacy", "l")
    return Nearest(f"l of {column[1]} = {found}", draft.with_value(path, said))


def _recursive(match: re.Match[str], draft: Draft, message: str) -> Nearest | None:
    column = re.match(r"column '(.*?)': .* l = (\d+) cannot", message)
    if column is None:
        return None
    found = _value(match[1])
    said = {"recursive": [found, int(column[2])]}
    one = isinstance(draft.get(("privacy", "l")), dict)
    path = ("privacy", "l", column[1]) if one else ("privacy", "l")
    return Nearest(f"c of {column[1]} = {found}", draft.with_value(path, said))


_FORMS: tuple[tuple[str, Callable[[re.Match[str], Draft, str], Nearest | None]], ...] = (
    (rf"a k of at most {_NUMBER} and an e of at most {_NUMBER} are accepted", _k_and_e),
    (rf"a k of at most {_NUMBER} is accepted", _plain("k")),
    (rf"an (entropy )?l of at most {_NUMBER} is accepted", _diversity),
    (rf"with this l, a c of at least {_NUMBER} is accepted", _recursive),
    (rf"classes of up to {_NUMBER} rows can be met", _plain("k")),
    (rf"the largest (k|l) that was found to work is {_NUMBER}", _letter),
    (r"a suppress of (\d+%) is met", _plain("suppress")),
    (rf"an association_loss of {_NUMBER} is accepted", _plain("association_loss")),
)


def page(project: Project) -> None:
    """Draw the page."""
    with section("What will be done"):
        summary = ui.element("div")
    with section(
        "Run", "Papilio anonymises the data, verifies the result, and only then writes it."
    ):
        body = ui.element("div").props("id=run")
    view = _Run(project, summary, body)
    on_change(project, view.show)
    view.show(load_draft(project))
    job = running(project)
    if job is not None:
        view.follow(job)


def begin(project: Project) -> Job:
    """Start the run that the policy orders.

    Raises
    ------
    PapilioError
        If the project is busy with another one.
    """
    target = project.next_release()
    order = {"text": load_draft(project).text, "number": int(target.name)}
    return start(project, "publish", order, makes=target)


class _Run:
    """The two cards of the page, redrawn when the policy changes."""

    def __init__(self, project: Project, summary: ui.element, body: ui.element) -> None:
        self._project = project
        self._summary = summary
        self._body = body
        self._busy = False

    def show(self, draft: Draft, failure: Failure | None = None) -> None:
        """Show what the policy orders, and the button."""
        faults = draft.faults()
        self._summary.clear()
        with self._summary:
            if faults:
                message("The policy is not complete yet:", "warning")
                for fault in faults:
                    ui.label(fault_text(fault)).classes("fault")
            else:
                order_summary(self._project, draft)
        if not self._busy:
            self._offer(draft, ready=not faults, failure=failure)

    def follow(self, job: Job) -> None:
        """Show how far a run is."""
        self._busy = True
        self._body.clear()
        with self._body:
            if job.verb != "publish":
                message(f"This project is busy with another piece of work ({job.verb}).")
            progress(job, self._over, title="Progress of the run")

    def _offer(self, draft: Draft, *, ready: bool, failure: Failure | None) -> None:
        self._body.clear()
        with self._body:
            if failure is not None:
                self._failed(draft, failure)
            button = ui.button("Run", icon="play_arrow", on_click=self._start).classes("primary")
            button.set_enabled(ready)

    def _start(self) -> None:
        self.follow(begin(self._project))

    def _over(self, job: Job) -> None:
        self._busy = False
        if job.state is State.DONE and job.verb == "publish":
            number = job.result().number
            ui.navigate.to(address(self._project, "result", release=number))
            return
        self.show(load_draft(self._project), job.failure)

    def _failed(self, draft: Draft, failure: Failure) -> None:
        if failure.reason == "cancelled":
            message("Cancelled. Nothing was written.", "warning")
            return
        if failure.faults:
            message("The policy does not fit the data:", "error")
            for fault in failure.faults:
                ui.label(fault_text(fault)).classes("fault")
            return
        message(f"{failure.message[:1].upper()}{failure.message[1:]}.", "error")
        found = nearest(failure, draft)
        if found is not None:
            ui.button(f"Use that: {found.words}", on_click=lambda: self._use(found.draft)).classes(
                "secondary"
            )

    def _use(self, draft: Draft) -> None:
        change(self._project, draft)
        self._start()
