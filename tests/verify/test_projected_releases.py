"""The verifier on projected releases: ratios of its own, and every damage noticed."""

import json
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import projected_releases as small
from oracles import projections as oracle
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.opened import open_frames
from papilio.verify.projected import check_plan
from papilio.verify.promise.projected import Allowed, check_dependence, ratios
from papilio.verify.verdict import Status
from papilio.workflow.verify import verify
from sizes import examples

NOTHING = Manifest("projected", "none", (), ())


@st.composite
def columns_and_plan(draw):
    rows = draw(st.integers(1, 25))
    cell = st.one_of(st.none(), st.sampled_from("abc"))
    columns = draw(st.lists(st.lists(cell, min_size=rows, max_size=rows), min_size=1, max_size=4))
    plans = list(oracle.plans(list(range(len(columns)))))
    safe = draw(st.sets(st.sampled_from(["a", "b", None])))
    return columns, draw(st.sampled_from(plans)), tuple(safe)


@given(columns_and_plan())
@examples(60)
def test_ratios_are_as_defined(case):
    columns, plan, safe = case
    names = [f"c{i}" for i in range(len(columns))]
    frame = pl.DataFrame(
        {n: pl.Series(c, dtype=pl.String) for n, c in zip(names, columns, strict=True)}
    )
    with open_frames(NOTHING, {"original": frame.to_arrow()}, {}) as opened:
        tables = [[names[i] for i in table] for table in plan]
        loss, exposed = ratios(
            opened, "original", tables, Allowed(harmless=dict.fromkeys(names, safe))
        )
    harmless = [safe] * len(columns)
    assert loss == pytest.approx(oracle.association_loss(columns, plan), abs=1e-12)
    assert exposed == pytest.approx(oracle.exposure(columns, plan, harmless), abs=1e-12)


def test_harmless_values_of_every_type():
    frame = pl.DataFrame(
        {"n": [0, 1, 2, 0], "b": [True, False, True, True], "t": ["x", "y", None, "x"]}
    )
    plan, said = [["n", "b", "t"]], {"n": ["0", "1.0"], "b": ["true"], "t": [None, "it's"]}
    columns = [frame[name].to_list() for name in frame.columns]
    with open_frames(NOTHING, {"original": frame.to_arrow()}, {}) as opened:
        _, exposed = ratios(opened, "original", plan, Allowed(harmless=said))
    harmless = [(0, 1), (True,), (None,)]
    assert exposed == pytest.approx(oracle.exposure(columns, [(0, 1, 2)], harmless), abs=1e-12)


# -- sabotage ------------------------------------------------------------------------------------

FRAME, POLICY = small.people(), small.policy(privacy={"exposure": 0.4, "t": 0.7})


@pytest.fixture(scope="module")
def release():
    made = small.release(FRAME, POLICY)
    assert len(made.manifest.tables) > 1
    return made


def violated(release, policy=POLICY, data=FRAME, original=True):
    verdict = verify(release, original=policy, data=data) if original else verify(release)
    assert verdict.status is Status.VIOLATED
    return {f.claim for f in verdict.findings if f.status is Status.VIOLATED}


def with_table(release, number, frame=None, columns=None):
    tables = list(release.manifest.tables)
    old = tables[number]
    frame = release.frames[old.name] if frame is None else frame
    tables[number] = replace(old, columns=columns or old.columns, rows=frame.height)
    manifest = replace(release.manifest, tables=tuple(tables))
    return replace(release, manifest=manifest, frames={**release.frames, old.name: frame})


def plain(name, kind="numeric"):
    return PublishedColumn(name, "plain", kind, "value", (name,))


def test_the_release_itself_holds(release):
    assert verify(release, original=POLICY, data=FRAME).holds


def test_a_column_in_two_tables(release):
    one, two = release.manifest.tables[:2]
    shared = next(c for c in one.columns if c.role == "sensitive")
    frame = release.frames[two.name].with_columns(release.frames[one.name][shared.name])
    spoilt = with_table(release, 1, frame, (*two.columns, shared))
    assert "disjointness of the plan" in violated(spoilt, original=False)


def test_a_column_in_two_tables_under_two_names(release):
    one, two = release.manifest.tables[:2]
    shared = next(c for c in one.columns if c.role == "sensitive")
    frame = release.frames[two.name].with_columns(release.frames[one.name][shared.name])
    other = replace(shared, name="other")
    spoilt = with_table(release, 1, frame, (*two.columns, other))
    assert "disjointness of the plan" in violated(spoilt, original=False)


def test_a_row_number_in_two_tables(release):
    spoilt = release
    for number, name in enumerate(["first", "second"]):
        table = spoilt.manifest.tables[number]
        frame = spoilt.frames[table.name].with_row_index(name).with_columns(pl.col(name).cast(int))
        columns = (plain(name), *table.columns)
        spoilt = with_table(spoilt, number, frame, columns)
    assert "keys of the plan" in violated(spoilt, original=False)


def test_a_table_left_out(release):
    last = release.manifest.tables[-1].name
    manifest = replace(
        release.manifest,
        tables=release.manifest.tables[:-1],
        claims=tuple(c for c in release.manifest.claims if c.table != last),
    )
    frames = {name: frame for name, frame in release.frames.items() if name != last}
    found = violated(replace(release, manifest=manifest, frames=frames))
    assert {"promised columns", "promised claims", "truthfulness"} <= found


def test_a_table_without_a_sensitive_column(release):
    table = release.manifest.tables[0]
    columns = tuple(replace(c, role="plain") if c.role == "sensitive" else c for c in table.columns)
    found = violated(with_table(release, 0, columns=columns), original=False)
    assert "columns of the plan" in found


def test_other_quasi_identifiers_in_a_table(release):
    table = release.manifest.tables[0]
    without = tuple(c for c in table.columns if c.name != "sex")
    frame = release.frames[table.name].drop("sex")
    assert "columns of the plan" in violated(with_table(release, 0, frame, without), original=False)


def test_a_row_too_many_in_one_table(release):
    table = release.manifest.tables[0]
    frame = release.frames[table.name]
    longer = pl.concat([frame, frame.head(1)])
    found = violated(with_table(release, 0, longer))
    assert {"rows of the plan", f"truthfulness of {table.name}"} <= found


@pytest.mark.parametrize(
    ("rows", "spare", "measured", "holds"),
    [
        ((120, 120), (0, 0), "equally many", True),
        ((120, 120), (0.1, 0.1), "120 in each", True),
        ((108, 120), (0.1, 0), "from 108 to 120", True),
        ((107, 120), (0.1, 0), "from 107 to 120", False),
        ((108, 120), (0.1, 0.1), "from 108 to 120", True),
        ((120, 121), (0, 0.1), "from 120 to 121", False),
    ],
)
def test_rows_left_out_are_counted(release, rows, spare, measured, holds):
    tables = tuple(
        replace(table, rows=many, left_out_at_most=share)
        for table, many, share in zip(release.manifest.tables[:2], rows, spare, strict=True)
    )
    described = replace(release.manifest, tables=tables)
    with open_frames(described, {}, {}) as opened:
        found = next(each for each in check_plan(opened) if each.claim == "rows of the plan")
    assert (found.measured, found.status is Status.HOLDS) == (measured, holds)


def test_a_value_changed(release):
    table = release.manifest.tables[0]
    name = next(c.name for c in table.columns if c.role == "sensitive")
    frame = release.frames[table.name]
    changed = frame.with_columns(pl.lit(frame[name].unique().sort()[0]).alias(name))
    assert f"truthfulness of {table.name}" in violated(with_table(release, 0, changed))


def test_a_class_too_small(release):
    table = release.manifest.tables[0]
    frame = release.frames[table.name].sort("age_min")
    lone = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(-5).otherwise(pl.col("age_min")).alias("age_min")
    )
    assert f"k-anonymity of {table.name}" in violated(with_table(release, 0, lone), original=False)


def test_a_claim_dropped(release):
    claims = [c for c in release.manifest.claims if c.claim != "t-closeness"]
    spoilt = replace(release, manifest=replace(release.manifest, claims=tuple(claims)))
    assert violated(spoilt) == {"promised claims"}


def test_a_plan_beyond_the_limits(release):
    stricter = small.policy(privacy={"exposure": 0.001, "association_loss": 0.001, "t": 0.7})
    found = violated(release, stricter)
    assert found & {"association loss", "exposure"}


def test_limits_are_not_in_the_release(release):
    text = release.manifest.to_json()
    assert "exposure" not in text
    assert "association" not in text
    assert set(json.loads(text)["claims"][0]) == {
        "claim",
        "table",
        "recipient",
        "columns",
        "parameters",
    }


def test_ratios_are_not_checked_where_columns_do_not_fit(release):
    frame = pl.DataFrame({"x": [1]})
    with open_frames(release.manifest, {"o": frame.to_arrow()}, {}) as opened:
        found = list(check_dependence(opened, "o", Allowed()))
    assert [each.status for each in found] == [Status.NOT_CHECKED] * 2


def test_a_release_of_one_table_made_by_hand():
    frame = pl.DataFrame({"age_min": [1, 1], "age_max": [2, 2], "s": ["x", "y"]})
    columns = (
        PublishedColumn("age", "quasi", "numeric", "range", ("age_min", "age_max")),
        PublishedColumn("s", "sensitive", "category", "value", ("s",)),
    )
    claim = Claim("k-anonymity", "t_1", "everyone", ("age",), {"k": 2})
    manifest = Manifest("projected", "none", (claim,), (PublishedTable("t_1", columns, 2),))
    assert verify(Release(manifest, {"t_1": frame})).holds


# -- classes that all tables share ---------------------------------------------------------------

SHARED = small.policy(
    privacy={"exposure": 0.4, "l": {"pay": 4}}, generalise="mondrian", classes="shared"
)


@pytest.fixture(scope="module")
def shared():
    made = small.release(FRAME, SHARED)
    assert len(made.manifest.tables) > 1
    return made


def sizes_of(release):
    for table in release.manifest.tables:
        cells = [name for c in table.columns if c.role == "quasi" for name in c.published]
        frame = release.frames[table.name]
        yield sorted(frame.group_by(cells).len().rows(), key=str)


def test_all_tables_have_the_same_classes(shared):
    first, *others = sizes_of(shared)
    assert len(first) > 3
    assert all(each == first for each in others)
    found = verify(shared, original=SHARED, data=FRAME)
    assert found.holds
    claims = [each for each in found.findings if each.claim.startswith("shared-classes")]
    assert len(claims) == len(shared.manifest.tables)


def test_classes_of_their_own_are_not_what_was_ordered():
    own = small.policy(privacy={"exposure": 0.4, "l": {"pay": 4}}, generalise="mondrian")
    made = small.release(FRAME, own)
    first, *others = sizes_of(made)
    assert any(each != first for each in others)
    assert not verify(made, original=SHARED, data=FRAME).holds
    claims = [
        Claim("shared-classes", table.name, "everyone", ("age", "sex"), {})
        for table in made.manifest.tables
    ]
    lying = replace(made.manifest, claims=(*made.manifest.claims, *claims))
    found = verify(replace(made, manifest=lying))
    broken = [each for each in found.findings if each.claim.startswith("shared-classes")]
    assert any(each.status is Status.VIOLATED for each in broken)


def test_a_row_that_changes_its_class_breaks_shared_classes(shared):
    table = shared.manifest.tables[0]
    frame = shared.frames[table.name]
    cells = [name for c in table.columns if c.role == "quasi" for name in c.published]
    other = frame.filter(pl.struct(cells) != frame.select(pl.struct(cells)).item(0, 0)).head(1)
    moved = pl.concat([frame.head(1).with_columns(other.select(cells)), frame.tail(-1)])
    found = verify(replace(shared, frames={**shared.frames, table.name: moved}))
    broken = {each.claim for each in found.findings if each.status is Status.VIOLATED}
    assert any(claim.startswith("shared-classes") for claim in broken)


@pytest.mark.parametrize("engine", ["pieces", "spark"])
def test_shared_classes_are_formed_in_memory(engine):
    (fault,) = (
        each
        for each in SHARED.family.refused(SHARED, engine, "use local")
        if "classes" in each.where
    )
    assert "use local" in fault.message
