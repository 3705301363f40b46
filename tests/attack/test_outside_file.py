"""A list of people from elsewhere joined with a release, against comparing all with all."""

import json
import random

import polars as pl
import pytest

import papilio as pp
from oracles import recipient_demands as oracle
from papilio.attack.outside_file import OutsideFile, outside_file
from papilio.attack.result import Exposed
from papilio.cli.app import run
from papilio.errors import PapilioError
from papilio.workflow.risk import Beside
from seven_families import policy_of, write_family
from shared_releases import shared_release
from sizes import spread, tries

RECIPIENTS = {"one": ("age",), "two": ("job", "city")}


def random_release(draw):
    rows = draw.randrange(3, 7)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(4) for _ in range(rows)],
            "job": [draw.choice("ab") for _ in range(rows)],
            "city": [draw.choice("xyz") for _ in range(rows)],
            "ill": [draw.choice(["flu", "none"]) for _ in range(rows)],
        }
    )
    blocks = {name: [draw.randrange(3) for _ in range(rows)] for name in ("age", "job")}
    return shared_release(
        frame, blocks, {"one": ("age",), "two": ("job",)}, sensitive=("ill",), k=3
    )


def as_sets(row):
    return {name: {cell} if isinstance(cell, str) else set(cell) for name, cell in row.items()}


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(6, 400, "PAPILIO_LISTS")))
def test_as_by_comparing_all_with_all(seed):
    draw = random.Random(seed)
    made = random_release(draw)
    size = draw.randrange(1, 6)
    listed = pl.DataFrame(
        {
            "city": [draw.choice(["x", "y", "w", None]) for _ in range(size)],
            "age": [draw.choice([0, 1, 2, 3, 7, None]) for _ in range(size)],
            "party": ["p"] * size,
            "id": [f"{draw.randrange(8)}" for _ in range(size)],
        },
        schema_overrides={"age": pl.Int64, "city": pl.String},
    )
    own = pl.Series("id", [f"{row}" for row in range(len(made.people))])
    who = draw.choice([None, "one"])
    known = ("age",) if who else ("age", "city")
    file = OutsideFile(listed, True, who, (listed["id"], own))
    (result,) = outside_file(made.release, made.table, made.policy, file)
    cells = [as_sets(row) for row in made.cells]
    fits = [[oracle.fits(person, row, known) for row in cells] for person in listed.to_dicts()]
    counts, back = [sum(each) for each in fits], [sum(each) for each in zip(*fits, strict=True)]
    right = mutual = 0
    for person, each in zip(listed.to_dicts(), fits, strict=True):
        if sum(each) == 1:
            mutual += back[each.index(True)] == 1
            if int(person["id"]) < len(made.people):
                own_row = made.people[int(person["id"])]
                right += oracle.fits(own_row, cells[each.index(True)], tuple(own_row))
    told = [{row["ill"] for row, fit in zip(made.cells, each, strict=True) if fit} for each in fits]
    learnt = sum(len(values) == 1 for values in told)
    assert result.figures == {
        "people": size,
        "none": counts.count(0), "one": counts.count(1), "few": counts.count(2),
        "rows": len(cells),
        "rows_none": back.count(0), "rows_one": back.count(1), "rows_few": back.count(2),
        "mutual": mutual, "learnt: ill": learnt, "right": right,
        "shared": sum(int(each) < len(cells) for each in listed["id"]),
    }  # fmt: skip
    few = counts.count(1) + counts.count(2)
    assert result.exposed == (Exposed(few, size), Exposed(learnt, size, "ill"))


def test_a_list_of_the_people_themselves_finds_nobody_below_k():
    """False alarms: all rows of a class fit, and who is not in the table fits a class or none."""
    draw = random.Random(2)
    frame = pl.DataFrame(
        {"age": [draw.randrange(60) for _ in range(300)], "job": draw.choices("abcdef", k=300)}
    )
    policy = pp.Policy(columns=dict.fromkeys(frame.columns, "quasi"), privacy=pp.K(5))
    release = pp.publish(frame, policy, name="people", seed=1)
    results = pp.attack(release, original=policy, data=frame, external=frame)
    (result,) = (each for each in results if each.attack == "outside_file")
    assert [result.figures[name] for name in ("none", "one", "few")] == [0, 0, 0]
    assert result.exposed == (Exposed(0, 300),)


@pytest.fixture
def published(tmp_path):
    """A release of 40 people who are all different, k = 2, and its policy."""
    draw = random.Random(6)
    lines = [f"n{n},{20 + n},{draw.choice('uv')},{draw.choice(['flu', 'hiv'])}" for n in range(40)]
    (tmp_path / "people.csv").write_text("name,age,town,ill\n" + "\n".join(lines) + "\n")
    (tmp_path / "policy.yaml").write_text(
        "source: people.csv\n"
        "columns: {name: identifier, age: quasi, town: quasi, ill: sensitive}\n"
        "recipients: {insurer: [age], mayor: [town]}\n"
        "privacy: {k: 2}\n"
    )
    assert run(["publish", str(tmp_path / "policy.yaml"), "-o", str(tmp_path / "out")]) == 0
    return tmp_path


def attack(folder, *more):
    return run(["attack", f"{folder}/out", "--original", f"{folder}/policy.yaml", *more])


def test_on_the_command_line(published, capsys):
    (published / "voters.csv").write_text(
        "name,age,town,party\nn0,20,,p\nn1,21,w,p\nzebra,999,u,p\nn3,23,v,p\n"
    )
    capsys.readouterr()
    more = ["--external", f"{published}/voters.csv", "--key", "name", "--as", "insurer", "--json"]
    assert attack(published, *more) == 0
    said = capsys.readouterr().out
    (found,) = (each for each in json.loads(said)["attacks"] if each["attack"] == "outside_file")
    assert found["attacker"] == "insurer with a list that has age"
    assert (found["figures"]["people"], found["figures"]["none"]) == (4, 1)
    assert found["figures"]["shared"] == 3
    assert "zebra" not in said
    assert (
        attack(published, "--external", f"{published}/voters.csv", "--also", f"{published}/out")
        == 0
    )
    said = " ".join(capsys.readouterr().out.split())
    assert "Of 4 people in the list" in said
    assert "with 2 releases" in said.lower()


@pytest.mark.parametrize(
    ("text", "more", "said"),
    spread(
        [
            ("surname\nzebra\n", [], "the list has no column of 'people' that can be compared"),
            ("age\nzebra\n", [], "the list: column 'age'"),
            ("age\n20\n", ["--key", "name"], "the list has no such key column"),
            ("age,id\n20,1\n", ["--key", "id"], "the original has no such key column"),
            ("age\n20\n", ["--as", "nobody"], "accepted: insurer, mayor"),
            ("age\n20\n", ["--as", "mayor"], "name at least one as the release does: town"),
            ("age\n", [], "the table is empty"),
            ('age\n"20\n', [], "voters.csv"),
        ],
        2,
    ),
)
def test_a_list_that_does_not_do_is_refused_in_one_line(published, capsys, text, more, said):
    (published / "voters.csv").write_text(text)
    capsys.readouterr()
    assert attack(published, "--external", f"{published}/voters.csv", *more) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "zebra" not in err
    assert len(err.splitlines()) == 1


def test_a_recipient_without_a_list_is_refused(published, capsys):
    assert attack(published, "--as", "insurer") == 2
    assert "give the list too" in capsys.readouterr().err


@pytest.mark.parametrize(
    "family", spread(["permutation", "disguise", "projections", "linked", "graph"], 2)
)
def test_other_releases_are_joined_or_say_why_not(family, tmp_path):
    file, _ = write_family(tmp_path, family, policy_of(family))
    policy = pp.Policy.load(file)
    release = _made(tmp_path, policy)
    listed = pl.DataFrame({"age": [20, 21, 99], "town": ["A", "B", "A"], "year": [1, 2, 3]})
    results = pp.attack(release, original=policy, external=listed)
    found = [each for each in results if each.attack == "outside_file"]
    assert found
    if family in ("linked", "graph"):
        assert found[0].sentence.startswith("Not tried: a release of several tables")
    else:
        assert all(each.figures["people"] == 3 for each in found)
        assert all(each.figures["none"] >= 1 for each in found)


def _made(folder, policy):
    from papilio.workflow.publish import publish_to

    publish_to(folder / "out", policy, seed=1)
    return folder / "out"


def test_a_list_is_no_data_of_the_release():
    made = random_release(random.Random(1))
    empty = pl.DataFrame({"age": []})
    with pytest.raises(PapilioError, match="no line"):
        pp.attack(made.release, original=made.policy, data=made.frame, external=empty)


@pytest.mark.parametrize("family", ["one-table", "permutation"])
def test_a_list_counts_for_the_lights_where_nobody_is_to_be_found(family, tmp_path):
    """Who is in a permuted release is public, so that a list makes it no worse."""
    said = policy_of(family)
    said["privacy"]["k"] = 1 if family == "one-table" else said["privacy"]["k"]
    order = pp.Policy.load(write_family(tmp_path, family, said)[0])
    release = pp.publish(None, order, seed=1)
    listed = pl.read_csv(tmp_path / "people.csv")
    beside = Beside(external=listed)
    seen = pp.risk(release, original=order, beside=beside)
    attacks = {each.attack for each in seen.lights.alone.findings}
    assert any(each.attack == "outside_file" for each in seen.attacks)
    if family == "one-table":
        assert "outside_file" in attacks
    else:
        assert (seen.lights.alone.colour, attacks) == ("grey", set())
