"""What a table already meets as it is, against slow twins and by hand."""

from collections import defaultdict

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import closeness
from papilio import Policy
from papilio.errors import DataError, PolicyError
from papilio.verify.verdict import Status
from papilio.workflow.check_table import check_table
from papilio.workflow.publish import publish

COLUMNS = {"age": "quasi", "zip": "quasi", "disease": "sensitive"}
FRAME = pl.DataFrame(
    {
        "age": ["20-30"] * 3 + ["30-40"] * 2,
        "zip": ["476**"] * 3 + ["479**"] * 2,
        "disease": ["flu", "flu", "cold", "cold", "cold"],
    }
)


def policy(privacy, columns=COLUMNS, **more):
    return Policy(columns=columns, privacy=privacy, **more)


def statuses(found):
    return {each.claim: each.status for each in found.verdict.findings}


def measured(found, claim):
    (text,) = [each.measured for each in found.verdict.findings if each.claim == claim]
    return text


def test_what_holds():
    found = check_table(FRAME, policy({"k": 2, "l": {"disease": 1}, "t": {"disease": 0.4}}))
    assert found.verdict.holds
    assert measured(found, "k-anonymity") == "k = 2 over 2 classes"
    assert measured(found, "distinct-l-diversity") == "l = 1 over 2 classes"
    assert measured(found, "t-closeness") == "t = 0.4 over 2 classes"
    assert found.left_out == ()


def test_what_falls_short():
    found = check_table(FRAME, policy({"k": 3, "l": {"disease": 2}, "t": {"disease": 0.3}}))
    assert set(statuses(found).values()) == {Status.VIOLATED, Status.HOLDS}
    assert statuses(found)["identifiers"] is Status.HOLDS
    assert measured(found, "k-anonymity").endswith("2 rows in 1 classes fall short")
    assert measured(found, "distinct-l-diversity").endswith("2 rows in 1 classes fall short")
    assert measured(found, "t-closeness").endswith("2 rows in 1 classes fall short")


@pytest.mark.parametrize(
    ("kind", "holds"),
    [({"entropy": 1.8}, True), ({"entropy": 1.9}, False), ({"recursive": [2.5, 2]}, True)],
)
def test_other_kinds_of_diversity(kind, holds):
    one_class = FRAME.head(3)
    assert check_table(one_class, policy({"l": {"disease": kind}})).verdict.holds is holds


def test_demands_beyond_the_table_are_findings_not_errors():
    found = check_table(FRAME, policy({"k": 1000, "l": {"disease": 9}}))
    assert measured(found, "k-anonymity") == "k = 2 over 2 classes; 5 rows in 2 classes fall short"
    assert statuses(found)["distinct-l-diversity"] is Status.VIOLATED


def test_types_and_hierarchies_of_quasi_identifiers_do_not_matter():
    columns = {
        "age": {"role": "quasi", "type": "numeric"},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [3, 2]}},
        "disease": "sensitive",
    }
    assert check_table(FRAME, policy({"k": 2}, columns)).verdict.holds


def test_every_character_of_a_cell_counts(tmp_path):
    """As numbers, 1 and 1.0 would be one class of two rows."""
    (tmp_path / "t.csv").write_text("age\n1\n1.0\n")
    found = check_table(tmp_path / "t.csv", policy({"k": 2}, {"age": "quasi"}))
    assert measured(found, "k-anonymity").startswith("k = 1 over 2 classes")


def test_missing_values_are_a_class():
    frame = pl.DataFrame({"age": [None, None, 1, 1], "disease": [None, "a", None, None]})
    order = policy({"k": 2, "l": {"disease": 2}}, {"age": "quasi", "disease": "sensitive"})
    found = check_table(frame, order)
    assert measured(found, "k-anonymity") == "k = 2 over 2 classes"
    assert measured(found, "distinct-l-diversity").startswith("l = 1 over 2 classes; 2 rows")


def test_texts_that_mean_missing(tmp_path):
    (tmp_path / "t.csv").write_text("age,x\n?,1\n,1\n")
    order = policy({"k": 2}, {"age": "quasi"}, source={"file": "o.csv", "null": ["?"]})
    assert check_table(tmp_path / "t.csv", order).verdict.holds
    assert not check_table(tmp_path / "t.csv", policy({"k": 2}, {"age": "quasi"})).verdict.holds


def test_identifiers_must_be_gone():
    columns = {**COLUMNS, "name": "identifier"}
    assert check_table(FRAME, policy({"k": 2}, columns)).verdict.holds
    named = FRAME.with_columns(name=pl.Series([f"person{i}" for i in range(5)]))
    found = check_table(named, policy({"k": 2}, columns))
    assert measured(found, "identifiers") == "1 in the table: name"
    assert statuses(found)["identifiers"] is Status.VIOLATED
    assert statuses(found)["k-anonymity"] is Status.HOLDS


def test_columns_nobody_asks_about_may_be_missing():
    columns = {**COLUMNS, "salary": "sensitive", "note": "plain"}
    found = check_table(FRAME.with_columns(extra=1), policy({"k": 2}, columns))
    assert found.verdict.holds
    assert found.left_out == ("extra",)
    assert check_table(FRAME.drop("disease"), policy({"k": 2})).verdict.holds


@pytest.mark.parametrize("column", ["age", "disease"])
def test_columns_that_are_needed(column):
    with pytest.raises(PolicyError, match=f"no column '{column}'"):
        check_table(FRAME.drop(column), policy({"k": 2, "l": {"disease": 2}}))


def test_no_rows(tmp_path):
    (tmp_path / "t.csv").write_text("age,zip,disease\n")
    with pytest.raises(DataError, match="empty"):
        check_table(tmp_path / "t.csv", policy({"k": 2}))


def test_bounds_of_a_release_are_just_columns():
    """A release's own table, judged by columns of its names, has the release's classes."""
    frame = pl.DataFrame({"age": list(range(30)), "disease": ["a", "b", "c"] * 10})
    order = Policy(
        columns={"age": "quasi", "disease": "sensitive"},
        privacy={"k": 4, "l": {"disease": 2}},
    )
    table = publish(frame, order).frames["table"]
    columns = {"age_min": "quasi", "age_max": "quasi", "disease": "sensitive"}
    assert check_table(table, policy({"k": 4, "l": {"disease": 2}}, columns)).verdict.holds
    assert not check_table(table, policy({"k": 30}, columns)).verdict.holds


@pytest.mark.parametrize("kind", ["csv", "parquet", "folder"])
def test_sources(tmp_path, kind):
    place = tmp_path / "table.parquet"
    if kind == "parquet":
        FRAME.write_parquet(place)
    else:
        place = tmp_path / "table" / "part.csv"
        place.parent.mkdir()
        FRAME.write_csv(place)
        place = place.parent if kind == "folder" else place
    assert check_table(place, policy({"k": 2})).verdict.holds


# against slow twins


@st.composite
def raw_tables(draw):
    rows = draw(st.integers(1, 25))

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))

    return pl.DataFrame(
        {
            "a": pl.Series(column(["x", "y", None]), dtype=pl.String),
            "b": pl.Series(column([1, 2]), dtype=pl.Int64),
            "s": pl.Series(column([1, 2, 3, 7, None]), dtype=pl.Int64),
        }
    )


def classes_of(frame):
    found = defaultdict(list)
    for a, b, s in frame.iter_rows():
        found[a, b].append(s)
    return list(found.values())


@settings(max_examples=80)
@given(raw_tables(), st.integers(1, 6), st.integers(1, 4), st.sampled_from(["equal", "ordered"]))
def test_verdict_equals_the_definitions(frame, k, l, distance):
    classes = classes_of(frame)
    values = frame["s"].to_list()
    domain = sorted({v for v in values if v is not None})
    domain = [None, *domain] if None in values else domain
    q = closeness.shares(values, domain)
    distances = [getattr(closeness, distance)(closeness.shares(own, domain), q) for own in classes]
    t = 0.25
    order = policy(
        {"k": k, "l": {"s": l}, "t": {"s": {"t": t, "distance": distance}}},
        {"a": "quasi", "b": "quasi", "s": "sensitive"},
    )
    found = statuses(check_table(frame, order))
    assert (found["k-anonymity"] is Status.HOLDS) == (min(map(len, classes)) >= k)
    fewest = min(len(set(own)) for own in classes)
    assert (found["distinct-l-diversity"] is Status.HOLDS) == (fewest >= l)
    assert (found["t-closeness"] is Status.HOLDS) == (max(distances) <= t)


@pytest.mark.parametrize(("t", "holds"), [(0.49, False), (0.5, True)])
def test_distances_over_a_hierarchy(tmp_path, t, holds):
    """Each class has one half of the tree; half of each moves across the root."""
    (tmp_path / "s.csv").write_text("a,left,*\nb,left,*\nc,right,*\nd,right,*\n")
    (tmp_path / "p.yaml").write_text(
        "columns: {g: quasi, s: {role: sensitive, hierarchy: s.csv}}\n"
        f"privacy: {{t: {{s: {{t: {t}, distance: hierarchical}}}}}}\n"
    )
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "s": ["a", "b", "c", "d"]})
    assert check_table(frame, Policy.load(tmp_path / "p.yaml")).verdict.holds is holds


RECIPIENTS = {"school": ["age"], "employer": ["zip"]}
PAIRS = pl.DataFrame(
    {
        "age": ["20"] * 4 + ["30"] * 4,
        "zip": ["1", "1", "2", "2"] * 2,
        "disease": ["flu", "cold"] * 4,
    }
)


def by_recipient(found):
    return {(each.claim, each.recipient): each.status.value for each in found.verdict.findings[1:]}


def test_each_recipient_has_classes_of_their_own():
    asked = policy({"k": 4, "l": {"disease": 2}}, recipients=RECIPIENTS)
    found = check_table(PAIRS, asked)
    assert by_recipient(found) == {
        (claim, name): "holds"
        for claim in ("k-anonymity", "distinct-l-diversity")
        for name in RECIPIENTS
    }
    # One recipient who knows both columns is left with two rows.
    assert not check_table(PAIRS, policy({"k": 4})).verdict.holds


def test_what_recipients_know_together_is_checked():
    asked = policy({"k": 4, "collusion_k": 3}, recipients=RECIPIENTS)
    together = ("k-anonymity", "all recipients together")
    found = by_recipient(check_table(PAIRS, asked))
    assert found[together] == "violated"
    assert [found[each] for each in found if each != together] == ["holds"] * 2
    asked = policy({"k": 4, "collusion_k": 2}, recipients=RECIPIENTS)
    assert check_table(PAIRS, asked).verdict.holds


def test_a_recipients_own_demands_and_secrets_are_checked():
    own = {
        "school": {"knows": ["age"], "secret": {"zip": 2}},
        "employer": {"knows": ["zip"], "k": 5},
    }
    found = by_recipient(check_table(PAIRS, policy({"k": 4}, recipients=own)))
    assert found == {
        ("k-anonymity", "school"): "holds",
        ("secret-column", "school"): "holds",
        ("k-anonymity", "employer"): "violated",
    }
    alike = PAIRS.with_columns(zip=pl.col("age"))
    found = by_recipient(check_table(alike, policy({"k": 4}, recipients=own)))
    assert found["secret-column", "school"] == "violated"


OVER_PEOPLE = {"person": "pid", "columns": {**COLUMNS, "pid": "identifier"}}


def owned(*people):
    return FRAME.with_columns(pid=pl.Series(people))


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("as_file", [True, False])
def test_people_are_counted_where_the_table_says_whose_rows_they_are(tmp_path, listed, as_file):
    said = policy({"k": 2}, OVER_PEOPLE["columns"] if listed else COLUMNS, person="pid")
    for people, share, status in (
        ((1, 2, 3, 1, 2), "2", Status.HOLDS),
        ((1, 1, 3, 1, 2), "1.5", Status.VIOLATED),
        ((1, 2, 3, 1, 1), "1", Status.VIOLATED),
    ):
        table = owned(*people)
        table.write_csv(tmp_path / "t.csv")
        found = check_table(tmp_path / "t.csv" if as_file else table, said)
        assert statuses(found)["k-anonymity"] is Status.HOLDS
        assert statuses(found)["k-anonymity over people"] is status
        assert f"one row in {share} at most" in measured(found, "k-anonymity over people")
        # It must not go out with the column, whatever else holds.
        assert measured(found, "identifiers") == "1 in the table: pid"
        assert not found.verdict.holds
        assert found.left_out == ()


def test_one_person_does_not_make_a_class_diverse():
    said = policy({"l": {"disease": 2}}, person="pid")
    diverse = FRAME.with_columns(disease=pl.Series(["flu", "cold", "cold", "cold", "flu"]))
    for people, status in (((1, 2, 3, 4, 5), Status.HOLDS), ((1, 2, 1, 4, 5), Status.VIOLATED)):
        found = check_table(diverse.with_columns(pid=pl.Series(people)), said)
        assert statuses(found)["distinct-l-diversity"] is Status.HOLDS
        assert statuses(found)["distinct-l-diversity over people"] is status


@pytest.mark.parametrize("as_file", [True, False])
def test_without_the_column_only_rows_are_counted_and_it_is_said(tmp_path, as_file):
    FRAME.write_csv(tmp_path / "t.csv")
    found = check_table(tmp_path / "t.csv" if as_file else FRAME, policy({"k": 2}, **OVER_PEOPLE))
    assert statuses(found)["identifiers"] is Status.HOLDS
    assert statuses(found)["k-anonymity"] is Status.HOLDS
    assert statuses(found)["k-anonymity over people"] is Status.NOT_CHECKED
    assert "only rows were counted" in measured(found, "k-anonymity over people")
    stricter = check_table(FRAME, policy({"k": 3}, **OVER_PEOPLE))
    assert statuses(stricter)["k-anonymity"] is Status.VIOLATED


def test_people_of_each_recipient_are_counted():
    asked = policy({"k": 2}, COLUMNS, recipients=RECIPIENTS, person="pid")
    found = check_table(PAIRS.with_columns(pid=pl.Series([2, 3, 4, 5, 1, 1, 1, 2])), asked)
    told = by_recipient(found)
    assert told["k-anonymity over people", "school"] == "violated"
    assert told["k-anonymity over people", "employer"] == "holds"


def test_people_are_counted_for_each_recipient():
    """Who knows the age alone sees the classes of three and two rows, as who knows the zip does."""
    known = {"insurer": ["age"], "school": ["zip"]}
    said = policy({"k": 2}, **OVER_PEOPLE, recipients=known)
    mixed = owned(1, 2, 3, 4, 4).with_columns(zip=pl.Series(["1", "2", "1", "2", "1"]))
    found = check_table(mixed, said)
    status = {
        each.recipient: each.status
        for each in found.verdict.findings
        if each.claim == "k-anonymity over people"
    }
    assert status == {"insurer": Status.VIOLATED, "school": Status.HOLDS}
