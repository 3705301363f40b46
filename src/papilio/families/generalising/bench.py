"""What releases of one generalised table are measured by, for one recipient or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from papilio.attack.holdings import holdings_after
from papilio.attack.result import AttackResult
from papilio.data.encode import EncodedTable, encode
from papilio.data.table import Role, Table
from papilio.families.choices import Measure, Measured
from papilio.families.generalising.facts import found_alone
from papilio.measure.distribution_shift import distribution_shift
from papilio.measure.losses import average_class_size, discernibility, ncp
from papilio.measure.possible_values import exact_values, possible_values
from papilio.measure.published_classes import class_sizes, published_classes
from papilio.measure.usefulness import Queries, classification, query_ratio, random_queries
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.randomness import Randomness
from papilio.release.release import Release

#: A column has few values, and is worth predicting, up to so many.
_FEW_VALUES = 20


#: Nothing of it is published, so lots may be drawn alike in every comparison: its numbers repeat.
_SEED = 0


_MEANS = " Each recipient sees other classes; this is the mean over them."


#: What follows from the cells of a release alone.
CERTAIN = Measure(
    "certain",
    "certain",
    "Share of the people whose complete row must be in the original, as follows from the cells "
    "alone, and is shared by fewer than k people.",
    share=True,
    drawn=True,
)


@dataclass(frozen=True, eq=False)
class ClassBench:
    """A table, its quasi-identifiers as codes, and queries that every release is asked.

    Attributes
    ----------
    table, encoded, queries
        The table, its codes, and the queries.
    label
        Column to predict, if there is one.
    recipients
        What each recipient knows; empty for one who knows all quasi-identifiers.
    """

    table: Table
    encoded: EncodedTable
    queries: Queries
    label: str | None
    recipients: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, order: Order, policy: Policy) -> ClassBench:
        """Encode the table and draw the queries, once for all variants."""
        table = order.table
        encoded = encode(table, table.with_role(Role.QUASI))
        known = tuple(columns for columns in policy.known.values() if columns)
        queries = random_queries(encoded, Randomness(_SEED))
        return cls(table, encoded, queries, _label(table), known)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Classes, queries and distributions; the label only if there is one."""
        mean = _MEANS if self.recipients else ""
        exact = query_ratio(exact_values(self.encoded), self.queries)
        every = (
            Measure(
                "discernibility",
                "DM",
                "Discernibility: the sum of squared class sizes. Each row costs the number of rows "
                f"it cannot be told from; at best about rows × k.{mean}",
            ),
            Measure("classes", "classes", f"How many classes there are.{mean}"),
            Measure("smallest", "least", "Rows of the smallest class that anybody sees."),
            Measure(
                "average_class_size",
                "C_avg",
                f"Rows per class in units of k. 1 is the best possible.{mean}",
                drawn=True,
            ),
            Measure(
                "query_ratio",
                "ratio",
                f"Query ratio: {len(self.queries.values):,} random queries ask for equality on "
                "quasi-identifiers; the share of the rows that an average one finds, counting "
                f"every row that may match. The original itself has {exact:.2%}; the closer to "
                "that, the more precise the answers.",
                share=True,
                drawn=True,
                reference=exact,
            ),
            Measure(
                "divergence",
                "divergence",
                "Kullback–Leibler divergence, in bits, between a quasi-identifier and a "
                "recipient’s best guess of it; the mean over the columns. 0 if the guess is right.",
            ),
            CERTAIN,
            Measure(
                "classification",
                "CM",
                f"Classification metric: the share of rows whose ‘{self.label}’ is not the most "
                f"frequent one of their class, or that are left out.{mean}",
                share=True,
                drawn=True,
            ),
        )
        return every if self.label is not None else every[:-1]

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure cells as they are, and classes as each recipient sees them."""
        views = [_seen_by(columns, release) for columns in self.recipients] or [release]
        seen = [published_classes(view, self.table) for view in views]
        sizes = [class_sizes(each) for each in seen]
        cells = possible_values(release, self.table, encoded=self.encoded)
        shifts = distribution_shift(cells, self.encoded).values()
        k, smallest = policy.privacy.k or 1, min(each.smallest for each in sizes)
        more: dict[str, float | None] = {
            "discernibility": round(np.mean([discernibility(each) for each in seen])),
            "classes": round(np.mean([each.classes for each in sizes])),
            "smallest": smallest,
            "average_class_size": float(np.mean([average_class_size(each, k) for each in seen])),
            "query_ratio": query_ratio(cells, self.queries),
            "divergence": float(np.mean([each.divergence for each in shifts])),
            "certain": certain_share(found_alone(release, self.table, policy)),
        }
        if self.label is not None:
            found = [classification(view, self.table, self.label) for view in views]
            more["classification"] = float(np.mean(found))
        loss = ncp(published_classes(release, self.table)).overall
        risk, people, left_out = self._risk(release, smallest, sizes[0].rows)
        return Measured(loss, risk, people, left_out, more)

    def _risk(self, release: Release, smallest: int, rows: int) -> tuple[float, int, int]:
        """Highest chance to be found, people in the release, and people who were left out."""
        everybody = self.table.people
        if everybody is None:
            return 1 / smallest if rows else 0.0, rows, self.table.height - rows
        (table,) = release.manifest.tables
        known = self.recipients or (tuple(c.name for c in self.table.with_role(Role.QUASI)),)
        held = [holdings_after(release, table, self.table, columns) for columns in known]
        risk = max(float(each.chances.max(initial=0.0)) for each in held)
        return risk, held[0].people, everybody.count - held[0].people


def certain_share(found: Sequence[AttackResult]) -> float | None:
    """Share of the people whose complete row follows and few share, if that was looked for."""
    shares = [each.exposed[0].share for each in found if each.exposed]
    return max(shares, default=None)


def _label(table: Table) -> str | None:
    """First sensitive column that has a few values, but more than one."""
    for column in table.with_role(Role.SENSITIVE):
        if 1 < table.frame.get_column(column.name).n_unique() <= _FEW_VALUES:
            return column.name
    return None


def _seen_by(columns: tuple[str, ...], release: Release) -> Release:
    """The release as somebody sees it to whom the other quasi-identifiers tell nothing."""
    (table,) = release.manifest.tables
    described = tuple(
        each if each.role != Role.QUASI or each.name in columns else replace(each, role="plain")
        for each in table.columns
    )
    manifest = replace(release.manifest, tables=(replace(table, columns=described),))
    return replace(release, manifest=manifest)
