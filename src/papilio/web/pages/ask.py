"""The Ask step: SQL of a release, answered with bounds."""

from __future__ import annotations

import json

from nicegui import ui

from papilio.web.jobs.run import Job, start, start_or_join
from papilio.web.pages import address
from papilio.web.parts.blocks import drawing, heading, message, paragraph, plain_table, section
from papilio.web.parts.progress import progress
from papilio.web.parts.which_release import policy_of, release_picker, which_release
from papilio.web.project import Project
from papilio.web.verbs.ask import Asked


def answer(asked: Asked) -> None:
    """Show an answer, how it looks, and the query that gave it."""
    heading("Answer", 3)
    if not asked.lines:
        message("No group of the release meets the condition.")
    else:
        plain_table(asked.head, asked.lines, "Bounds")
    if asked.left:
        paragraph(f"{asked.left:,} more lines are not shown; ask with LIMIT.")
    for note in asked.notes:
        message(note)
    for name, svg in asked.pictures.items():
        drawing(svg, f"Bounds of {name}")
    if asked.pictures:
        truth = ", a diamond is the truth" if asked.head[-1] == "the truth" else ""
        paragraph(f"A line runs from bound to bound, a dot is the estimate{truth}.")
    with ui.element("details").classes("numbers"):
        with ui.element("summary"):
            ui.label("The query as it runs over the published tables")
        ui.code(asked.rewritten, language="sql")


#: Dialects of the rewritten query, and their names.
_DIALECTS = {"duckdb": "DuckDB", "postgres": "PostgreSQL", "spark": "Spark"}


def page(project: Project) -> None:
    """Draw the page."""
    number = which_release(project)
    if number is None:
        message("There is no release to ask yet. Run the policy first.")
        ui.link("To the run", address(project, "run")).classes("button primary")
        return
    release_picker(project, number, "ask")
    with section(
        "Your question",
        "Ask as if it were the original. The answer is a range that surely holds the true one, "
        "whatever the original was.",
    ):
        _Question(project, number)


#: Writes into the box as somebody does who types. If the server wrote into it, what is being typed
#: at that moment would be lost.
_WRITE = """(name, text, only_if_free) => {
  const box = document.querySelector(`textarea#${name}`);
  if (!box || (only_if_free && (box.value || document.activeElement === box))) return;
  box.value = text;
  box.dispatchEvent(new Event("input", {bubbles: true}));
}"""


class _Question:
    """The form, and the answer under it."""

    def __init__(self, project: Project, number: int) -> None:
        self._project = project
        self._number = number
        examples = ui.element("div")
        self._sql = ui.textarea("SQL", placeholder="SELECT count(*) FROM …")
        self._sql.classes("sql full").props("outlined autogrow spellcheck=false")
        self._sql.on("keydown.ctrl.enter", self._ask)
        with ui.element("div").classes("ask-options"):
            ui.button("Ask", icon="help_outline", on_click=self._ask).classes("primary")
            self._truth = ui.checkbox("Show the true answer beside it, for my eyes only")
            self._dialect = ui.select(_DIALECTS, value="duckdb", label="Rewritten for")
            self._dialect.props("outlined dense").classes("dialect")
        self._answer = ui.element("div").props("id=answer aria-live=polite")
        with examples:
            job = start_or_join(project, "examples", {"number": number})
            progress(job, self._offer, title="Looking for examples", cancel=False)

    def _offer(self, job: Job) -> None:
        """Offer questions that fit the release."""
        found = () if job.failure is not None else job.result()
        with ui.element("div").classes("chips").props('role=group aria-label="Examples"'):
            for sql in found:
                ui.button(sql, on_click=lambda sql=sql: self._take(sql)).classes("chip").props(
                    "flat no-caps"
                )
        if found:
            self._write(found[0], only_if_free=True)

    def _write(self, sql: str, *, only_if_free: bool) -> None:
        """Write a question into the box; if it has to be free, only where nobody is writing."""
        said = ", ".join(map(json.dumps, (self._sql.html_id, sql, only_if_free)))
        ui.run_javascript(f"({_WRITE})({said})")

    def _take(self, sql: str) -> None:
        self._write(sql, only_if_free=False)
        self._answer_to(sql)

    def _ask(self) -> None:
        self._answer_to((self._sql.value or "").strip())

    def _answer_to(self, sql: str) -> None:
        self._answer.clear()
        with self._answer:
            if not sql:
                message("Write a query, or take one of the examples.", "warning")
                return
            order = {"number": self._number, "sql": sql, "to": self._dialect.value}
            if self._truth.value:
                order["text"] = policy_of(self._project, self._number)
            job = start(self._project, "ask", order)
            progress(job, self._show, title="Asking")

    def _show(self, job: Job) -> None:
        if job.failure is None:
            answer(job.result())
        else:
            message(job.failure.message, "error")
