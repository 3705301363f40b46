"""Six visits of two patients, counted by hand: what is said of people, and where."""

import json

import polars as pl
import pytest

import papilio as pp
from papilio.workflow.report import document

AGES = [30, 31, 40, 41, 50, 51]
#: Looked for in everything that is said.
SECRET = "secretvalue"


def visits(persons="ababab", ages=AGES):
    ill = ["flu", "cold", SECRET, "flu", "cold", "flu"]
    return pl.DataFrame({"pid": list(persons), "age": ages, "ill": ill})


def policy(person="pid", k=2, **more):
    columns = {"pid": "identifier", "age": "quasi", "ill": "sensitive"}
    return pp.Policy(columns=columns, privacy=pp.K(k), person=person, **more)


@pytest.fixture(scope="module")
def released():
    return pp.publish(visits(), policy(), name="visits")


@pytest.fixture(scope="module")
def found(released):
    return pp.risk(released, original=policy(), data=visits())


def attack_of(found, name):
    return next(each for each in found.attacks if each.attack == name)


def test_each_visit_is_beside_one_of_the_other_patient(released, found):
    """Three classes, each of one row of either: a row drawn from one is theirs by half."""
    (view,) = found.views
    assert released.frames["visits"].group_by("age_min").len()["len"].to_list() == [2, 2, 2]
    before, after = view.before, view.after
    assert (before.people, after.people, after.classes) == (2, 2, 3)
    assert (before.prosecutor.largest, after.prosecutor.largest) == (1.0, 0.5)
    assert (before.prosecutor.at_risk, after.prosecutor.at_risk) == (2, 2)
    assert (before.marketer.expected, after.marketer.expected) == (2.0, 1.0)
    assert (before.unique, after.unique) == (2, 0)
    assert (before.several.together, after.several.together) == (2, 0)
    assert (before.several.smallest, after.several.smallest) == (1, 2)
    assert (after.smallest, after.several.rows, after.several.uncertain) == (2, 6, 0)


def test_attacks_on_the_six_visits(found):
    linkage = attack_of(found, "linkage").figures
    assert linkage["people"] == 2
    assert (linkage["smallest"], linkage["average"]) == (2, 2.0)
    assert (linkage["singled_out"], linkage["expected"]) == (0, 1.0)
    assert linkage["learnt: ill"] == 0
    # Three times one of two rows; both patients have a row in each class.
    several = attack_of(found, "several_rows").figures
    assert (several["people"], several["tried"], several["ways"]) == (2, 2, pytest.approx(8))
    assert (several["smallest"], several["singled_out"]) == (2, 0)
    homogeneity = attack_of(found, "homogeneity").figures
    assert (homogeneity["people"], homogeneity["people_learnt"]) == (2, 0)


def test_over_rows_the_classes_of_one_patient_look_safe_and_over_people_they_are_found():
    """The gap itself: with k = 3 over rows each class is one patient."""
    data = visits("aaabbb", [30, 31, 32, 60, 61, 62])
    release = pp.publish(data, policy("rows", k=3), name="visits")
    over_rows = pp.risk(release, original=policy("rows", k=3), data=data)
    over_people = pp.risk(release, original=policy("pid", k=2), data=data)
    assert over_rows.views[0].after.several is None
    assert over_rows.views[0].after.prosecutor.largest == pytest.approx(1 / 3)
    (view,) = over_people.views
    assert (view.after.people, view.after.unique, view.after.prosecutor.largest) == (2, 2, 1.0)
    assert attack_of(over_rows, "linkage").figures["singled_out"] == 0
    assert attack_of(over_people, "linkage").figures["singled_out"] == 2
    assert attack_of(over_people, "several_rows").figures["singled_out"] == 2
    assert "several_rows" not in {each.attack for each in over_rows.attacks}


def test_a_population_is_compared_with_people(released):
    risk = pp.risk(released, original=policy(), data=visits(), population=2)
    assert risk.population == 2
    with pytest.raises(pp.PapilioError, match="which has 2 people"):
        pp.risk(released, original=policy(), data=visits(), population=1)


def test_what_is_said_names_people_and_never_a_value(found):
    said = json.dumps(found.to_dict())
    assert SECRET not in said
    (view,) = found.views
    told = {each.attack: each.sentence for each in view.results}
    assert "a row of theirs" in told["prosecutor"]
    assert "one of their rows" in told["marketer"]
    assert "which rows are one person's" in told["sample_uniqueness"]
    assert "not defined over people" in told["population_uniqueness"]
    assert found.notes[0].startswith("People are counted, each once")
    assert json.loads(said)["views"][0]["after"]["several"]["rows"] == 6


def test_the_document_says_people_where_it_means_people(released):
    told = document(released, original=policy(), data=visits())
    assert told.subtitle.startswith("6 rows of 2 people")
    first = told.tiles[0]
    assert first.value == "2"
    assert first.name == ("people in the class that has fewest; 2 demanded; 2 rows in the smallest")
    promised = repr(told.head[0])
    assert "finds rows of at least 2 people" in promised
    assert "one person’s" in repr(told.parts)


def test_the_report_counts_people(released, tmp_path):
    path = pp.report(released, tmp_path / "r.html", original=policy(), data=visits())
    text = path.read_text()
    assert "by all their rows together" in text
    assert "people in the class that has fewest" in text
    assert "not defined" in text


def test_variants_are_compared_over_people():
    data = visits("aabbab")
    found = pp.compare(policy(), data=data, methods=["mondrian"], k=[2])
    assert found.people == 2
    (trial,) = found.trials
    assert (trial.outcome.people, trial.outcome.left_out) == (2, 0)
    assert trial.outcome.risk == 0.5
    assert "one person owns" in found.risk.words


def test_recipients_are_told_in_people():
    rows = 24
    data = pl.DataFrame(
        {
            "pid": [f"p{row % 8}" for row in range(rows)],
            "age": [20 + row for row in range(rows)],
            "town": [f"t{row % 5}" for row in range(rows)],
            "ill": [("flu", "cold", "none")[row % 3] for row in range(rows)],
        }
    )
    order = pp.Policy(
        columns={"age": "quasi", "town": "quasi", "ill": "sensitive"},
        privacy=pp.K(3),
        person="pid",
        recipients={"clinic": ["age"], "insurer": ["town"]},
    )
    release = pp.publish(data, order, name="visits")
    risk = pp.risk(release, original=order, data=data)
    assert [view.after.people for view in risk.views] == [8, 8, 8]
    assert all(view.after.prosecutor.largest <= 1 / 3 for view in risk.views[:2])
    together = [each for each in risk.attacks if each.attack == "collusion"]
    assert [each.figures["people"] for each in together] == [8]
    assert sum(each.attack == "several_rows" for each in risk.attacks) == 3
    told = document(release, original=order, data=data)
    assert told.tiles[0].name.startswith("people in the class of any recipient that has fewest")
    assert "Fewest people in a class" in repr(told.parts)
