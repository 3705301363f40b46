"""Values that are certain, against every world that fits a release."""

import polars as pl
import pytest

import papilio as pp
from disguise_releases import COLUMNS, KINDS, PAPER, random_frame, release_of
from grouped_cases import tiny
from oracles import grouped_attacks as oracle
from papilio.attack.certain_value import certain_figures
from papilio.attack.result import Exposed
from sizes import some, tries

PAY = {"age": "quasi", "pay": "sensitive"}


def result_of(release, policy, frame):
    results = pp.attack(release, original=policy, data=frame)
    (result,) = (each for each in results if each.attack == "certain_value")
    return result


def paper(frame=PAPER, **privacy):
    """The attack on Table 3.1, without its column of areas."""
    columns = {name: COLUMNS[name] for name in ("zipcode", "gender", "salary")}
    policy = pp.Policy(columns=columns, privacy=privacy)
    return result_of(pp.publish(frame, policy, name="staff"), policy, frame)


def test_the_table_of_the_thesis_with_its_own_distribution():
    """Eight people live alone in their zipcode: their group is one exact salary."""
    result = paper(target={"salary": {"distribution": "same", "by": ["zipcode"]}})
    assert result.figures == {"rows": 11, "certain": 8, "groups": 8}
    assert result.exposed == (Exposed(8, 11, "salary"),)
    assert "salary of 8 people (72.7%) is certain" in result.sentence


def test_the_table_of_the_thesis_with_full_tolerance():
    """Per class the woman of the first zipcode is alone as well."""
    result = paper(target={"salary": {"distribution": "uniform", "mode": "per-class"}}, shift=1)
    assert result.exposed == (Exposed(9, 11, "salary"),)


def test_silent_where_ranges_leave_several_values():
    result = paper(target={"salary": "uniform"})
    assert result.exposed == (Exposed(0, 11, "salary"),)
    assert result.sentence.startswith("Nobody's salary is certain")


def test_permuted_values_are_certain_only_if_one_is_enough():
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "pay": [7, 7, 7, 7]})
    for k, certain in ((1, 4), (2, 0)):
        shown = frame if k == 1 else frame.with_columns(pay=pl.Series([7, 7, 7, 8]))
        policy = pp.Policy(columns=PAY, privacy=pp.KE(k, 0))
        release = pp.publish(shown, policy, name="staff")
        assert result_of(release, policy, shown).exposed == (Exposed(certain, 4, "pay"),)


@pytest.mark.searches
@pytest.mark.parametrize("ranges", [False, True])
def test_figures_are_those_of_every_world(ranges):
    some_certain = 0
    for seed in range(tries(120, 600)):
        case = tiny(seed, ranges=ranges)
        figures = certain_figures(case.reading)
        assert figures["certain"] == oracle.certain(case.rows, case.cells), seed
        some_certain += 0 < figures["certain"] < figures["rows"]
    assert some_certain > 5


@pytest.mark.parametrize("kind", some(KINDS, "same", "personal", "fakes"))
def test_published_disguises_are_those_of_every_world(kind):
    frame = random_frame(3, rows=5).with_columns(level=pl.lit("1"))
    release, policy = release_of(kind, frame, seed=1)
    rows, cells = plain(release, ["zipcode", "area", "gender"])
    result = result_of(release, policy, frame)
    assert result.figures["certain"] == oracle.certain(rows, cells)


def plain(release, known):
    """People and cells of a disguised release of salaries, for the oracle."""
    people, values = release.frames["people"], release.frames["people_values"]
    rows = [(tuple(row[name] for name in known), row["group"]) for row in people.to_dicts()]
    cells = {}
    for group, low, high in values.select("group", "salary_min", "salary_max").iter_rows():
        cells.setdefault(group, []).append(tuple(sorted({low, (low + high) // 2, high})))
    return rows, cells


def test_no_value_is_told():
    frame = pl.DataFrame({"age": [1, 2], "pay": [987654, 987654]})
    policy = pp.Policy(columns=PAY, privacy=pp.KE(1, 0))
    result = result_of(pp.publish(frame, policy, name="staff"), policy, frame)
    assert result.exposed[0].people == 2
    assert "987654" not in str(result)
