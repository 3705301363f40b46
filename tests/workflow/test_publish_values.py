"""Publishing with demands on sensitive values: every claim holds, and damage is found."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import closeness, diversity
from papilio import K, L, Policy, T, publish
from papilio.cli.app import run
from papilio.data.hierarchy.rules import AutomaticRule, IntervalsRule, PrefixRule
from papilio.errors import InfeasibleError, PolicyError
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.verify import verify
from sizes import spread
from tables import quasi_tables

ILLS = ["flu", "gastritis", "hiv", "none", "ulcer"]
TREE = "flu,viral,*\nhiv,viral,*\ngastritis,stomach,*\nulcer,stomach,*\nnone,*\n"


def policy_of(made, privacy, **more):
    def said(column):
        match column.hierarchy:
            case PrefixRule(keep):
                rule = {"prefix": list(keep)}
            case IntervalsRule(widths):
                rule = {"intervals": list(widths)}
            case AutomaticRule():
                rule = "automatic"
            case _:
                rule = None
        described = {"role": column.role.value, "type": column.type.value}
        return described if rule is None else {**described, "hierarchy": rule}

    columns = {column.name: said(column) for column in made.columns}
    return Policy(columns={**columns, "pay2": "sensitive"}, privacy=privacy, **more)


demands = st.lists(
    st.one_of(
        st.builds(K, st.integers(1, 4)),
        st.builds(L, st.sampled_from(["disease", "pay2"]), st.integers(1, 3)),
        st.builds(lambda least: L("disease", entropy=least), st.sampled_from([1, 1.5, 2])),
        st.builds(lambda least: L("pay2", recursive=(2.5, least)), st.integers(1, 3)),
        st.builds(T, st.sampled_from(["disease", "pay2"]), st.sampled_from([0, 0.1, 0.25, 0.5])),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60)
@given(quasi_tables(min_rows=4, max_rows=30), demands, st.data())
def test_publications_hold_what_they_claim(made, privacy, data):
    pay = st.lists(st.sampled_from([None, 1, 2, 5, 90]), min_size=made.height, max_size=made.height)
    frame = made.frame.with_columns(pay2=pl.Series(data.draw(pay), dtype=pl.Int64))
    policy = policy_of(made, privacy)
    try:
        release = publish(frame, policy)
    except InfeasibleError:
        everything = [frame.to_dict(as_series=False)]
        assert not all(_holds(each, everything, frame) for each in privacy)
        return
    verdict = release.verify(original=policy, data=frame)
    assert verdict.holds, verdict.to_dict()
    claims = release.manifest.claims
    sizes = [each.k for each in privacy if hasattr(each, "k")]
    assert len(claims) == len(privacy) - max(len(sizes) - 1, 0)
    classes = _classes(release)
    assert all(_holds(each, classes, frame) for each in privacy)


def _classes(release):
    table = release.manifest.tables[0]
    cells = [
        name for column in table.columns if column.role == "quasi" for name in column.published
    ]
    parts = release.frames["table"].partition_by(cells, include_key=False)
    return [part.to_dict(as_series=False) for part in parts]


def _holds(requirement, classes, frame):
    """A definition that every class must satisfy; uniform or not does not matter here."""
    if hasattr(requirement, "k"):
        return all(len(each["disease"]) >= requirement.k for each in classes)
    values = [each[requirement.column] for each in classes]
    match requirement.name:
        case "distinct-l-diversity":
            return all(diversity.distinct(each, requirement.l) for each in values)
        case "entropy-l-diversity":
            return all(diversity.entropy(each, requirement.l) for each in values)
        case "recursive-l-diversity":
            return all(diversity.recursive(each, requirement.c, requirement.l) for each in values)
    everyone = frame[requirement.column].to_list()
    domain = sorted(set(everyone), key=lambda v: (v is not None, v))
    measure = closeness.ordered if requirement.column == "pay2" else closeness.equal
    base = closeness.shares(everyone, domain)
    return all(measure(closeness.shares(each, domain), base) <= requirement.t for each in values)


def people(rows=200):
    return pl.DataFrame(
        {
            "age": [20 + (7 * i) % 60 for i in range(rows)],
            "ill": [ILLS[(i * 7919) % 101 % 5] for i in range(rows)],
            "pay": [1000 * ((i * 13) % 17) for i in range(rows)],
            "size": [("S", "M", "L")[(i // 3) % 3] for i in range(rows)],
        }
    )


@pytest.fixture
def tree(tmp_path):
    file = tmp_path / "ill.csv"
    file.write_text(TREE, encoding="utf-8")
    return str(file)


def everything(tree):
    return Policy(
        columns={
            "age": "quasi",
            "ill": {"role": "sensitive", "hierarchy": tree},
            "pay": "sensitive",
            "size": {"role": "sensitive", "domain": ["S", "M", "L", "XL"]},
        },
        privacy={
            "k": 4,
            "l": {"ill": [3, {"entropy": 2}, {"recursive": [3, 2]}]},
            "t": {"ill": 0.3, "pay": 0.3, "size": [0.4, {"t": 0.3, "distance": "ordered"}]},
        },
    )


def test_claims_say_all_that_a_stranger_needs(tree):
    release = publish(people(), everything(tree))
    claims = [(each.claim, each.parameters) for each in release.manifest.claims]
    assert claims == [
        ("k-anonymity", {"k": 4}),
        ("distinct-l-diversity", {"column": "ill", "l": 3}),
        ("entropy-l-diversity", {"column": "ill", "l": 2}),
        ("recursive-l-diversity", {"column": "ill", "c": 3, "l": 2}),
        ("t-closeness", {"column": "ill", "t": 0.3, "distance": "hierarchical"}),
        ("t-closeness", {"column": "pay", "t": 0.3, "distance": "ordered"}),
        ("t-closeness", {"column": "size", "t": 0.4, "distance": "equal"}),
        (
            "t-closeness",
            {"column": "size", "t": 0.3, "distance": "ordered", "order": ["S", "M", "L", "XL"]},
        ),
    ]
    described = {column.name: column for column in release.manifest.tables[0].columns}
    file = described["ill"].hierarchy["paths"]
    assert sorted(release.hierarchies[file].splitlines()) == sorted(TREE.splitlines())
    assert described["pay"].hierarchy is None


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_release_on_disk_is_judged_the_same(tree, tmp_path, form):
    release = publish(people(), everything(tree))
    release.save(tmp_path / "out", format=form)
    verdict = verify(tmp_path / "out", original=everything(tree), data=people())
    assert verdict.holds, verdict.to_dict()
    assert verify(Release.open(tmp_path / "out")).holds


def test_hierarchies_that_no_claim_needs_are_not_published(tree):
    policy = everything(tree)
    policy = Policy(columns=dict(policy.columns), privacy={"k": 4, "l": {"ill": 2}})
    release = publish(people(), policy)
    assert not release.hierarchies
    assert all(column.hierarchy is None for column in release.manifest.tables[0].columns)


# Sensitive values of one class all alike, taken from rows of others: the table as a whole keeps
# its distribution and its classes, only who has what changes.
BROKEN = {
    "l": [L("ill", 2)],
    "entropy": [L("ill", entropy=1.5)],
    "recursive": [L("ill", recursive=(3, 2))],
    "equal": [T("ill", 0.5, "equal")],
    "ordered": [T("pay", 0.3)],
    "hierarchical": [T("ill", 0.6, "hierarchical")],
}


@pytest.mark.parametrize("name", spread(sorted(BROKEN), 2))
def test_values_swapped_between_classes_are_found(tree, name):
    columns = dict(everything(tree).columns)
    release = publish(people(), Policy(columns=columns, privacy=[K(4), *BROKEN[name]]))
    assert release.verify().holds
    column = BROKEN[name][0].column
    frame = release.frames["table"].sort("age_min", "age_max", column)
    first = frame["age_min"].to_list().count(frame["age_min"][0])
    values = frame[column].to_list()
    wanted = max(values) if column == "pay" else "hiv"
    for row in range(first):
        if values[row] != wanted:
            donor = next(r for r in range(first, len(values)) if values[r] == wanted)
            values[row], values[donor] = values[donor], values[row]
    swapped = frame.with_columns(pl.Series(column, values))
    assert sorted(swapped[column]) == sorted(frame[column])
    found = replace(release, frames={"table": swapped}).verify()
    broken = {each.claim for each in found.findings if each.status is not Status.HOLDS}
    assert broken == {BROKEN[name][0].name}


def test_a_damaged_hierarchy_is_found(tree):
    columns = dict(everything(tree).columns)
    release = publish(people(), Policy(columns=columns, privacy=[T("ill", 0.3)]))
    (file,) = release.hierarchies
    assert not replace(release, hierarchies={}).verify().holds
    assert (
        not replace(release, hierarchies={file: TREE.replace("flu,viral", "flue,viral")})
        .verify()
        .holds
    )


def test_the_ordered_distance_needs_an_order():
    policy = Policy.parse(
        "columns: {age: quasi, ill: sensitive}\n"
        "privacy:\n  k: 2\n  t:\n    ill: {t: 0.2, distance: ordered}\n"
    )
    with pytest.raises(PolicyError) as caught:
        publish(people(), policy)
    (fault,) = caught.value.faults
    assert (fault.where, fault.line) == ("privacy.t.ill", 5)
    assert "a column with a domain" in fault.message


@pytest.mark.parametrize(
    ("privacy", "nearest"),
    [
        ("l: {ill: 6}", "an l of at most 5 is accepted"),
        ("l: {ill: {entropy: 5}}", "an entropy l of at most 4.13 is accepted"),
        ("l: {ill: {recursive: [0.3, 2]}}", "a c of at least 0.6667 is accepted"),
    ],
)
def test_the_command_line_names_the_nearest(tmp_path, capsys, monkeypatch, privacy, nearest):
    monkeypatch.chdir(tmp_path)
    ills = ["flu"] * 4 + ["none"] * 3 + ["hiv", "ulcer", "cold"]
    lines = "".join(f"{age},{ill}\n" for age, ill in enumerate(ills))
    (tmp_path / "people.csv").write_text("age,ill\n" + lines, encoding="utf-8")
    (tmp_path / "policy.yaml").write_text(
        f"source: people.csv\ncolumns: {{age: quasi, ill: sensitive}}\nprivacy: {{{privacy}}}\n",
        encoding="utf-8",
    )
    code = run(["publish", "policy.yaml", "-o", "out"])
    error = capsys.readouterr().err
    assert code == 1
    assert nearest in error
    assert not any(ill in error for ill in ("flu", "hiv", "ulcer"))
    assert not (tmp_path / "out").exists()
