"""An eighth family that lives in the tests: one class for all, so that nobody can be told apart.

It shows what whoever adds a family writes: a value for Papilio, a kind for the verifier, which
shares nothing with it, a document and an attack. See ``docs/guides/add-a-family.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from papilio.attack.result import AttackResult, Exposed
from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.document.model import Numbers, Tile
from papilio.document.of_release import document_of_release
from papilio.families import forget, register
from papilio.families.choices import Choices, Line, Measure, Measured, sizes
from papilio.families.classes import Classes
from papilio.families.family import (
    GENERALISED,
    ONE_SOURCE,
    Attack,
    Choice,
    Family,
    FamilyWords,
    Method,
    keys,
)
from papilio.families.generalising.publish import generalised_release
from papilio.families.tables import (
    ask_table,
    check_same_table,
    class_requirements,
    one_source_faults,
    read_table,
    rewrite_table,
    table_questions,
)
from papilio.policy.remedy import Remedy
from papilio.release.layout import GENERALISED_LAYOUT
from papilio.verify.kinds import Kind, forget_kind, register_kind
from papilio.verify.line_order_kinds import generalised_sequences
from papilio.verify.line_order_source import of_tables
from papilio.verify.lines import rows_of_tables
from papilio.verify.promise.columns import promise_generalised
from papilio.verify.tables import judge_generalised
from papilio.verify.witness.held import ORIGINAL
from papilio.verify.witness.table import check_table

METHOD, KIND = "one-class", "in-one-class"
POLICY = {
    "papilio": 1,
    "source": "people.csv",
    "columns": {"name": "identifier", "age": "quasi", "town": "quasi", "ill": "sensitive"},
    "privacy": {"k": 3},
    "method": METHOD,
}


def _make(original, choice, randomness, tell):
    table, policy = original.order.table, original.policy
    tell("generalising", 0.5)
    rows = np.arange(table.height, dtype=np.int32)
    made = generalised_release(
        table,
        encode(table, table.with_role(Role.QUASI)),
        Classes(rows, np.array([0, table.height], np.int64)),
        policy.requirements,
        method=choice.method,
        text=False,
        randomness=randomness,
        kind=original.kind,
    )
    manifest = replace(made.release.manifest, kind=KIND)
    return replace(made, release=replace(made.release, manifest=manifest))


def guess_the_class(release, original, policy) -> Iterator[AttackResult]:
    """Find a person among all others."""
    (table,) = release.manifest.tables
    yield AttackResult(
        "guess_the_class", "anyone", f"nobody among {table.rows} people", {"rows": table.rows}
    )


def read_the_class(release, original, policy) -> Iterator[AttackResult]:
    """Read values that the whole class has."""
    (table,) = release.manifest.tables
    frame = release.frames[table.name]
    secret = [column.name for column in table.columns if column.role == Role.SENSITIVE]
    exposed = tuple(
        Exposed(table.rows if frame.get_column(name).n_unique() == 1 else 0, table.rows, name)
        for name in secret
    )
    yield AttackResult("read_the_class", "anyone", "They read it.", {}, exposed)


def _without(exposed, policy):
    """Whose value everybody has can only be left out."""
    return Remedy(((("columns", exposed.column), "identifier"),), "It is then not published.")


def _document(owned):
    (table,) = owned.release.manifest.tables
    return document_of_release(
        owned,
        table.name,
        size=f"{table.rows} rows",
        loss=1.0,
        tiles=(Tile("1", "class", "Everybody is in it."),),
        promises=(("Nobody can be told apart from the others.", "everyone"),),
        assumptions=("Whoever gets the release may know every quasi-identifier.",),
        limits=(("Values that everybody has", "They are everybody's."),),
        columns=Numbers(("column", "role"), tuple((c.name, c.role) for c in table.columns)),
        parts=(),
        words=(("Class", "Rows that look alike."),),
    )


class _Bench:
    """Whoever is in the release is as hidden as the others."""

    measures = ()

    def measure(self, release, policy):
        (table,) = release.manifest.tables
        return Measured(1.0, 1 / table.rows, table.rows)


def _variants(policy):
    return Choices(
        (Line(METHOD),),
        (METHOD,),
        (sizes(policy.privacy.k, (2, 3)),),
        Measure("loss", "Loss", "All of it.", share=True),
        Measure("risk", "Risk", "Chance to find somebody.", share=True),
        lambda order, policy: _Bench(),
    )


TOY = Family(
    name="toy",
    kind=KIND,
    called="one class",
    words=FamilyWords("One class", "When nothing but the sensitive column matters.", "lens"),
    keys=keys(ONE_SOURCE),
    demands=keys("k"),
    columns=GENERALISED,
    methods=(Method(METHOD),),
    layout=lambda: GENERALISED_LAYOUT,
    why=lambda _: None,
    choose=lambda _, __: Choice(METHOD, "there is no other"),
    faults=one_source_faults,
    requirements=class_requirements,
    read=read_table,
    make=_make,
    ask=ask_table,
    rewrite=rewrite_table,
    questions=table_questions,
    attacks=(
        Attack("guess_the_class", "alone", __name__),
        Attack("read_the_class", "secret", __name__, _without, otherwise="Leave it out."),
    ),
    document=_document,
    loss=lambda _: 1.0,
    loss_words="everything",
    variants=_variants,
    check_policy=check_same_table,
)


def _witness(opened, originals, witness):
    for table in opened.manifest.tables:
        yield check_table(opened, table, originals[ORIGINAL], witness.get(table.name))


JUDGED = Kind(
    KIND,
    orders=lambda policy: policy.method == METHOD,
    promise=lambda policy, facts, manifest: replace(
        promise_generalised(policy, facts, manifest), kind=KIND
    ),
    content=judge_generalised,
    sequences=generalised_sequences,
    rows=rows_of_tables,
    follows=of_tables,
    witness=_witness,
)


@contextmanager
def toy_family() -> Iterator[Family]:
    """Papilio with an eighth family."""
    register(TOY)
    register_kind(JUDGED)
    try:
        yield TOY
    finally:
        forget(TOY)
        forget_kind(JUDGED)
