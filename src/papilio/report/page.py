"""The page: content to one self-contained HTML file."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from papilio.attack.risk import RiskView
from papilio.report.charts.butterfly import butterfly_chart
from papilio.report.charts.class_sizes import SizeBar, class_sizes_chart, size_bars
from papilio.report.charts.distribution import distribution_chart
from papilio.report.charts.loss import loss_chart
from papilio.report.charts.risk_bands import risk_bands_chart
from papilio.report.content import ReportContent
from papilio.report.distributions import Distribution
from papilio.report.head import ReportHead
from papilio.report.risk import BandBar, RiskRow, band_bars, risk_rows
from papilio.report.templates import environment, style
from papilio.verify.verdict import Status, Verdict

#: Width of a picture across the page, and of one of two beside each other.
_WIDE, _NARROW = 940, 440

#: How each kind of cell is told to people.
CELLS = {
    "value": "as it was",
    "range": "smallest and largest possible value",
    "node": "label in a hierarchy",
    "set": "list of possible values",
}


@dataclass(frozen=True)
class Pictures:
    """Drawings of a page.

    Attributes
    ----------
    class_sizes, loss
        One each.
    distributions
        One per quasi-identifier, with what it shows.
    recipients
        Class sizes of each recipient, if there are several.
    butterfly
        One butterfly, if there is any.
    """

    class_sizes: Markup
    loss: Markup
    distributions: tuple[tuple[Distribution, Markup], ...]
    recipients: tuple[Markup, ...] = ()
    butterfly: Markup | None = None


def render(content: ReportContent) -> str:
    """Write the page.

    The page needs no network and runs no script; its own policy forbids the browser both. All text
    of the data is escaped. Cost: about 50 ms per picture, and half a second for the first.
    """
    return fill(
        "page.html.j2",
        content,
        pictures=draw(content),
        size_bars=_size_rows(content),
        risk=_risk(content),
        cells=CELLS,
        least_discernibility=_least_discernibility(content),
        most_penalty=content.sizes.rows * len(content.loss.per_column),
    )


def fill(template: str, content: ReportHead, **more: object) -> str:
    """Fill the template of a kind of release; ``more`` is what only this kind has."""
    return (
        environment()
        .get_template(template)
        .render(
            content=content,
            css=style("style.css"),
            judgement=judgement(content.verdict),
            **more,
        )
    )


def draw(content: ReportContent) -> Pictures:
    """Draw all pictures."""
    sharing = content.sharing
    parts = () if sharing is None else sharing.recipients
    butterfly = None if sharing is None else sharing.butterfly
    return Pictures(
        class_sizes_chart(content.sizes, content.k, width=_WIDE),
        loss_chart(content.loss, width=_WIDE),
        tuple((each, distribution_chart(each, width=_NARROW)) for each in content.distributions),
        tuple(class_sizes_chart(each.sizes, each.k, width=_WIDE) for each in parts),
        None if butterfly is None else butterfly_chart(butterfly),
    )


def judgement(verdict: Verdict) -> str:
    """Sum up a verdict in a sentence."""
    match verdict.status:
        case Status.HOLDS:
            return "Verified: everything that was checked holds."
        case Status.VIOLATED:
            return "Violated: do not hand this release out."
        case _:
            return "Not fully checked: some of it is not confirmed."


def _size_rows(content: ReportContent) -> list[SizeBar]:
    return [bar for bar in size_bars(content.sizes, content.k) if bar.classes]


def _risk(content: ReportContent) -> list[tuple[RiskView, list[RiskRow], Markup, list[BandBar]]]:
    """Each attacker with their table, their picture and its numbers."""
    views = () if content.risk is None else content.risk.views
    return [
        (each, risk_rows(each), risk_bands_chart(band_bars(each), width=_WIDE), band_bars(each))
        for each in views
    ]


def _least_discernibility(content: ReportContent) -> int | None:
    """Discernibility of classes of k rows each, which no release for k can fall below."""
    # Of several recipients each has classes of k rows, and those that all see may be smaller.
    unknown = content.k is None or content.sharing is not None
    return None if unknown else content.sizes.rows * (content.k or 1)
