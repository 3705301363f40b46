"""Disguised releases from policy to verdict, answers and files."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from disguise_releases import KINDS, PAPER, policy_of, random_frame, release_of
from papilio import Policy, Release, publish
from papilio.data import domain_tree
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families.disguise.methods.publish import disguised_help
from papilio.workflow.ask import ask
from papilio.workflow.check_table import check_table
from papilio.workflow.compare import compare
from papilio.workflow.publish import publish_to
from sizes import some, spread


def intervals(release, group=None):
    frame = release.frames["people_values"]
    frame = frame if group is None else frame.filter(pl.col("group") == group)
    return Counter(frame.select("salary_min", "salary_max").iter_rows())


def answer(release, sql):
    (row,) = ask(release, sql).rows
    (bounds,) = row.answers.values()
    return bounds.lo, bounds.hi


@pytest.mark.parametrize("kind", some(KINDS, first=5))
def test_a_release_verifies_with_the_original(kind):
    release, policy = release_of(kind)
    verdict = release.verify(original=policy, data=PAPER)
    assert verdict.holds, verdict.findings
    assert {"salary", "level", "name"}.isdisjoint(release.frames["people"].columns)


@pytest.mark.parametrize("kind", some(KINDS, first=3))
def test_random_tables_verify(kind):
    frame = random_frame(1)
    policy = policy_of(kind)
    release = publish(frame, policy, name="people")
    verdict = release.verify(original=policy, data=frame)
    assert verdict.holds, verdict.findings


@pytest.mark.parametrize("form", some(["parquet", "csv"]))
@pytest.mark.parametrize("kind", ["parts", "fakes", "personal", "shift"])
def test_a_directory_says_what_memory_says(kind, form, tmp_path):
    release, policy = release_of(kind)
    release.save(tmp_path / "out", format=form)
    opened = Release.open(tmp_path / "out")
    assert opened.verify(original=policy, data=PAPER).holds
    sql = "SELECT sum(salary) FROM people WHERE gender = 'F'"
    assert answer(opened, sql) == answer(release, sql)


def test_table_3_2_and_its_queries():
    release, _ = release_of("parts")
    assert intervals(release, 1) == Counter([(30, 30), (40, 40), (50, 50), (60, 60)])
    assert intervals(release, 2) == Counter([(30, 60), (30, 40), (50, 60)])
    assert intervals(release, 3) == Counter([(30, 60), (30, 60), (30, 40), (50, 60)])
    assert answer(release, "SELECT avg(salary) FROM people WHERE gender = 'F'") == (35, 55)
    assert answer(release, "SELECT avg(salary) FROM people WHERE zipcode = '91110'") == (40, 50)
    lo, hi = answer(release, "SELECT avg(salary) FROM people WHERE area = '912'")
    assert (lo, hi) == (pytest.approx(110 / 3), pytest.approx(160 / 3))
    assert answer(release, "SELECT avg(salary) FROM people WHERE area = '913'") == (35, 55)


def test_table_3_4_a_fake_value_narrows_the_bounds():
    release, _ = release_of("fakes")
    assert intervals(release, 2) == Counter([(30, 30), (40, 40), (50, 50), (60, 60)])
    assert answer(release, "SELECT avg(salary) FROM people WHERE area = '912'") == (40, 50)


def test_group_3_with_eight_fakes_is_worse_than_with_none():
    # Three 30K, two 40K, three 50K more: [130K/4, 230K/4], not 250K/4 (papers D3.10).
    cells = pl.Series(sorted([40, 60, 60, 60, 30, 30, 30, 40, 40, 50, 50, 50]))
    table = disguised_help(
        cells,
        cells,
        cells.cast(pl.Float64).to_numpy(),
        np.zeros(12),
        np.array([12]),
        np.array([4]),
        "group",
    )
    last = table.row(3, named=True)
    assert (last["hits"], last["sum_lo"], last["sum_hi"]) == (4, 130, 230)
    assert last["sum_mean"] == pytest.approx(4 * 45)
    assert last["sum_var"] == pytest.approx(4 * 125 * 8 / 11)


@pytest.mark.parametrize("kind", spread(["parts", "both", "personal", "width"], 2))
def test_bounds_hold_what_the_original_says(kind):
    frame = random_frame(7)
    release = publish(frame, policy_of(kind), name="people")
    for condition in ("gender = 'F'", "area <> '911'", "zipcode < '91211'", "1 = 1"):
        rows = pl.SQLContext(people=frame).execute(
            f"SELECT salary FROM people WHERE {condition}", eager=True
        )
        values = rows.get_column("salary")
        for name, truth in (
            ("sum", values.sum()),
            ("avg", values.mean()),
            ("min", values.min()),
            ("max", values.max()),
            ("count", len(values)),
            ("count_distinct", values.n_unique()),
        ):
            call = "count(DISTINCT salary)" if name == "count_distinct" else f"{name}(salary)"
            lo, hi = answer(release, f"SELECT {call} FROM people WHERE {condition}")
            assert lo <= truth <= hi


def test_rows_and_subdomains_are_shuffled_apart():
    frame = random_frame(3, rows=400)
    orders = set()
    for _ in range(2):
        release = publish(frame, policy_of("same"), name="people")
        orders.add(tuple(release.frames["people_values"].get_column("salary_min")))
    assert len(orders) == 2
    again = [publish(frame, policy_of("same"), name="people", seed=5) for _ in range(2)]
    assert again[0].frames["people"].equals(again[1].frames["people"])
    assert again[0].manifest.seeded


def test_the_same_target_keeps_every_value_of_the_whole():
    release = publish(random_frame(2), policy_of("whole"), name="people")
    exact = Policy(columns=policy_of("whole").columns, privacy={"target": {"salary": "same"}})
    kept = publish(random_frame(2), exact, name="people")
    assert all(low == high for low, high in intervals(kept))
    assert any(low < high for low, high in intervals(release))


def test_labels_in_order(tmp_path):
    pain = ["none", "little", "much", "unbearable"]
    chance = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": chance.integers(20, 23, 50),
            "pain": chance.choice(pain, 50, p=[0.5, 0.3, 0.1, 0.1]),
        }
    )
    policy = Policy(
        columns={"age": "quasi", "pain": {"role": "sensitive", "domain": pain}},
        privacy={"target": {"pain": "uniform"}},
    )
    release = publish(frame, policy, name="people")
    assert set(release.frames) == {"people", "people_values"}
    assert release.verify(original=policy, data=frame).holds
    assert ("none", "unbearable") in set(
        release.frames["people_values"].select("pain_min", "pain_max").iter_rows()
    )
    release.save(tmp_path / "out", format="csv")
    assert Release.open(tmp_path / "out").verify(original=policy, data=frame).holds
    (row,) = ask(release, "SELECT count(*) FROM people WHERE age = 21").rows
    assert row.answers["count(*)"].exact


def test_own_hierarchy_and_numbers_that_are_not_whole(tmp_path):
    lines = ["0.5;low;*", "1.5;low;*", "2.5;high;*", "10.0;high;*", "20.0;high;*"]
    (tmp_path / "pay.csv").write_text("\n".join(lines))
    chance = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"age": chance.integers(20, 23, 50), "pay": chance.choice([0.5, 1.5, 2.5, 10.0], 50)}
    )
    policy = Policy.parse(
        "columns: {age: quasi, pay: {role: sensitive, hierarchy: pay.csv}}\n"
        "privacy: {target: {pay: uniform}}",
        base=tmp_path,
    )
    release = publish(frame, policy, name="people")
    assert release.verify(original=policy, data=frame).holds
    ends = set(release.frames["people_values"].select("pay_min", "pay_max").iter_rows())
    assert ends <= {
        (0.5, 20.0),
        (0.5, 1.5),
        (2.5, 20.0),
        *((v, v) for v in (0.5, 1.5, 2.5, 10.0, 20.0)),
    }


def test_cells_of_a_width_hold_numbers_that_are_not_whole():
    chance = np.random.default_rng(1)
    pay = chance.uniform(0, 10, 80).round(3)
    pay[:4] = [0.0, 2.5, 5.0, 10.0]  # ends of cells
    frame = pl.DataFrame({"age": chance.integers(20, 23, 80), "pay": pay})
    tree = {"lowest": 0, "highest": 10, "width": 2.5}
    policy = Policy(
        columns={"age": "quasi", "pay": "sensitive"},
        privacy={"target": {"pay": {"distribution": "uniform", "tree": tree}}},
    )
    release = publish(frame, policy, name="people")
    verdict = release.verify(original=policy, data=frame)
    assert verdict.holds, verdict.findings


def test_weights_of_each_part_come_from_a_file(tmp_path):
    lines = [
        "area,value,weight",
        *(f"911,{v},1" for v in (30, 40, 50, 60)),
        "912,30,2.5",
        "912,50,2.5",
    ]
    lines += ["913,60,1", "913,40,1"]
    (tmp_path / "weights.csv").write_text("\n".join(lines))
    policy = Policy.parse(
        "columns: {zipcode: {role: quasi, type: category}, area: {role: quasi, type: category}, "
        "gender: quasi, salary: sensitive}\n"
        "privacy: {target: {salary: {file: weights.csv, column: value, weight: weight, "
        "by: [area]}}}",
        base=tmp_path,
    )
    release = publish(PAPER, policy, name="people")
    assert release.verify(original=policy, data=PAPER).holds
    assert intervals(release, 1) == Counter([(30, 30), (40, 40), (50, 50), (60, 60)])
    assert len(release.manifest.claims[0].parameters["parts"]) == 3


def test_another_tables_column_is_a_target(tmp_path):
    pl.DataFrame({"pay": [30, 30, 40, 60]}).write_parquet(tmp_path / "others.parquet")
    policy = Policy.parse(
        "columns: {gender: quasi, salary: sensitive}\n"
        "privacy: {target: {salary: {file: others.parquet, column: pay}}}",
        base=tmp_path,
    )
    release = publish(PAPER, policy, name="people")
    assert release.verify(original=policy, data=PAPER).holds
    assert any("no weight in the target" in note for note in release.notes)


def test_values_that_only_the_file_names_belong_to_the_domain(tmp_path):
    (tmp_path / "country.csv").write_text("pay,people\n10,2\n40.5,1\n60,1\n")
    policy = Policy.parse(
        "columns: {gender: quasi, salary: sensitive}\n"
        "privacy: {target: {salary: {file: country.csv}}}",
        base=tmp_path,
    )
    release = publish(PAPER, policy, name="people")
    assert release.verify(original=policy, data=PAPER).holds
    assert release.frames["people_values"].get_column("salary_min").min() == 10


def test_columns_that_tell_parts_are_not_taken_for_values(tmp_path):
    """Wherever they stand in the file."""
    (tmp_path / "first.csv").write_text("gender,pay,people\nf,30,2\nf,50,1\nm,30,1\nm,60,4\n")
    (tmp_path / "last.csv").write_text("pay,people,gender\n30,2,f\n50,1,f\n30,1,m\n60,4,m\n")
    frame = PAPER.with_columns(gender=pl.Series(["f", "m"] * 6)[: PAPER.height])
    found = []
    for file in ("first.csv", "last.csv"):
        policy = Policy.parse(
            "columns: {gender: quasi, salary: sensitive}\n"
            f"privacy: {{target: {{salary: {{file: {file}, by: [gender]}}}}}}",
            base=tmp_path,
        )
        release = publish(frame, policy, name="people", seed=3)
        assert release.verify(original=policy, data=frame).holds
        found.append(release.frames["people_values"].sort(pl.all()))
    assert found[0].equals(found[1])


def test_one_value_in_the_domain():
    frame = pl.DataFrame({"age": [1, 2, 3], "pay": [7, 7, 7]})
    for said in ("same", "uniform", "normal", "zipf"):
        policy = Policy(
            columns={"age": "quasi", "pay": "sensitive"}, privacy={"target": {"pay": said}}
        )
        release = publish(frame, policy, name="people")
        assert release.verify(original=policy, data=frame).holds
        assert release.frames["people_values"].get_column("pay_max").to_list() == [7, 7, 7]


def policy_with(text, base):
    return Policy.parse("columns: {age: quasi, pay: sensitive}\nprivacy: " + text, base=base)


@pytest.mark.parametrize(
    ("privacy", "reason"),
    [
        ("{target: {pay: {file: none.csv}}}", "missing-file"),
        ("{target: {pay: {file: zero.csv}}}", "no-weight"),
        ("{target: {pay: {file: minus.csv}}}", "bad-weight"),
        ("{target: {pay: {file: far.csv, tree: {lowest: 0, highest: 9}}}}", "value-outside-domain"),
        ("{target: {pay: {file: zero.csv, column: worth}}}", "missing-column"),
        ("{target: {pay: {file: single.csv}}}", "no-weights"),
        ("{target: {pay: {file: three.csv}}}", "no-weights"),
        (
            "{target: {pay: {distribution: uniform, tree: {lowest: 1, highest: 2}}}}",
            "value-outside-domain",
        ),
        (
            "{target: {pay: {distribution: uniform, tree: {lowest: 0, highest: 9, width: 0.5}}}}",
            "tree-width",
        ),
        (
            "{target: {pay: {distribution: uniform, tree: {lowest: 0, highest: 9e9}}}}",
            "too-many-cells",
        ),
        (
            "{target: {pay: {distribution: zipf, tree: {lowest: 0, highest: 9e19, width: 9e18}}}}",
            "tree-range",
        ),
        ("{target: {pay: {distribution: normal, mean: 1e308}}}", "target-without-weight"),
        ("{target: {pay: uniform}, personal: level}", "unknown-level"),
        ("{target: {pay: uniform}, personal: elsewhere}", "value-outside-level"),
    ],
)
def test_what_cannot_be_is_refused_without_a_value(privacy, reason, tmp_path):
    (tmp_path / "zero.csv").write_text("value,weight\n3,0\n4,0\n")
    (tmp_path / "minus.csv").write_text("value,weight\n3,-1\n4,1\n")
    (tmp_path / "far.csv").write_text("value,weight\n3,1\n977,1\n")
    (tmp_path / "single.csv").write_text("value\n3\n")
    (tmp_path / "three.csv").write_text("area,value,weight\n1,3,2\n2,4,1\n")
    frame = pl.DataFrame(
        {"age": [1, 2], "pay": [3, 4], "level": ["1", "2"], "elsewhere": ["[4,4]", "0"]}
    )
    with pytest.raises(DataError) as caught:
        publish(frame, policy_with(privacy, tmp_path))
    assert caught.value.reason == reason
    assert "977" not in str(caught.value)


def test_missing_values_are_refused():
    frame = pl.DataFrame({"age": [1, 2, 3], "pay": [3, None, 4]})
    policy = Policy(
        columns={"age": "quasi", "pay": "sensitive"}, privacy={"target": {"pay": "same"}}
    )
    with pytest.raises(DataError, match="1 missing values"):
        publish(frame, policy)


def test_labels_without_an_order_are_refused():
    frame = pl.DataFrame({"age": [1, 2, 3], "pain": ["a", "b", "a"]})
    policy = Policy(
        columns={"age": "quasi", "pain": "sensitive"}, privacy={"target": {"pain": "same"}}
    )
    with pytest.raises(DataError, match="labels in order"):
        publish(frame, policy)


def test_chance_in_large_groups_is_refused():
    frame = pl.DataFrame({"age": range(2500), "pay": [n % 4 for n in range(2500)]})
    said = {"distribution": "uniform", "allocation": "randomised"}
    policy = Policy(columns={"age": "quasi", "pay": "sensitive"}, privacy={"target": {"pay": said}})
    with pytest.raises(InfeasibleError, match="allocation: maximal"):
        publish(frame, policy)


def test_notes_tell_the_owner_what_was_changed(tmp_path):
    random_frame(1).drop("level").write_csv(tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(
        "source: people.csv\n"
        "columns: {zipcode: quasi, area: quasi, gender: quasi, salary: sensitive}\n"
        "privacy: {target: {salary: {distribution: zipf, largest_weight: 3}}, fakes: 10%}\n"
    )
    publication = publish_to(tmp_path / "out", Policy.load(tmp_path / "policy.yaml"))
    assert any("rounded at" in note for note in publication.notes)
    assert publication.choice.method == "disguise"


def test_compared_at_a_k_and_not_checked_as_a_plain_table():
    assert compare(policy_of("whole"), data=PAPER, k=[5])
    with pytest.raises(PolicyError, match="follows no target"):
        check_table(PAPER, policy_of("whole"))


def test_too_many_different_numbers_need_a_tree(monkeypatch):
    monkeypatch.setattr(domain_tree, "MOST_CELLS", 3)
    with pytest.raises(DataError, match="lowest, highest and width"):
        publish(PAPER, policy_of("whole"))


def test_personal_notes_print_the_gap():
    release, _ = release_of("personal")
    assert any("Sum of ranges" in note for note in release.notes)


def test_pools_above_values_without_weight(tmp_path):
    (tmp_path / "half.csv").write_text("value,weight\n30,1\n40,1\n50,0\n60,0\n")
    policy = Policy.parse(
        "columns: {gender: quasi, salary: sensitive}\n"
        "privacy: {target: {salary: {file: half.csv}}, personal: level}",
        base=tmp_path,
    )
    frame = PAPER.with_columns(level=pl.lit("2"))
    low = frame.with_columns(salary=pl.when(pl.col("salary") > 40).then(30).otherwise("salary"))
    for each in (frame, low):
        release = publish(each, policy, name="people")
        verdict = release.verify(original=policy, data=each)
        assert verdict.holds, verdict.findings
