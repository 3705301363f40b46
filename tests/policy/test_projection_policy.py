"""What a policy may say about projections and columns with several values."""

import polars as pl
import pytest

import projected_releases as small
from papilio import Policy
from papilio.attack.result import Exposed
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families import choose
from papilio.policy.apply import order_of
from papilio.policy.several import harmless_values

COLUMNS = {"id": "identifier", "age": "quasi", "a": "sensitive", "b": "sensitive"}
SEVERAL = {"role": "sensitive", "values": "several"}


def policy(privacy=None, columns=None, **more):
    return Policy(columns=COLUMNS | (columns or {}), privacy={"k": 2} | (privacy or {}), **more)


@pytest.mark.parametrize(
    ("made", "where", "said"),
    [
        ({"privacy": {"exposure": 0.5}, "method": "hybrid"}, "privacy.exposure", "projections"),
        (
            {"privacy": {"association_loss": 0.5}, "method": "mondrian"},
            "privacy.association_loss",
            "projections",
        ),
        ({"privacy": {"generalisation_loss": 0.5}}, "privacy.generalisation_loss", "projections"),
        ({"plan": "greedy"}, "plan", "projections"),
        ({"columns": {"c": SEVERAL}, "method": "hybrid"}, "columns.c.values", "projections"),
        (
            {"columns": {"c": {"role": "sensitive", "harmless": ["x"]}}},
            "columns.c.harmless",
            "projections",
        ),
        ({"columns": {"a": "plain", "b": "plain"}, "method": "projections"}, "method", "sensitive"),
        ({"privacy": {"k": None, "l": 2}, "method": "projections"}, "privacy", "need a k"),
        (
            {"recipients": {"x": ["age"]}, "method": "projections"},
            "recipients",
            "does not go with projections",
        ),
        (
            {"columns": {"c": SEVERAL | {"source": "c.csv", "key": "age", "value": "v"}}},
            "columns.c.key",
            "not an identifier",
        ),
        ({"columns": {"c": SEVERAL | {"role": "quasi"}}}, "columns.c", "only a sensitive column"),
        ({"columns": {"c": SEVERAL | {"type": "numeric"}}}, "columns.c", "neither a type"),
        ({"columns": {"c": SEVERAL | {"key": "id"}}}, "columns.c", "all of source, key and value"),
        (
            {
                "columns": {
                    "c": SEVERAL | {"source": "c.csv", "key": "id", "value": "v", "separator": ","}
                }
            },
            "columns.c",
            "separator is for cells",
        ),
        ({"columns": {"c": {"role": "sensitive", "separator": ","}}}, "columns.c", "goes with"),
        ({"columns": {"age": {"role": "quasi", "harmless": [1]}}}, "columns.age", "harmless"),
        ({"privacy": {"exposure": 1.5}}, "privacy.exposure", "1"),
    ],
)
def test_mistakes_have_a_place(made, where, said):
    with pytest.raises(PolicyError) as caught:
        policy(**made)
    faults = [fault for fault in caught.value.faults if fault.where == where]
    assert faults, caught.value.faults
    assert said in faults[0].message


def test_keys_of_projections_are_not_for_linked_tables():
    student = {"source": "s.csv", "key": "sid", "columns": {"gpa": "quasi", "x": SEVERAL}}
    with pytest.raises(PolicyError) as caught:
        Policy(
            tables={"student": student},
            person="student",
            privacy={"k": 2, "generalisation_loss": 0.5},
        )
    places = {fault.where for fault in caught.value.faults}
    assert {"tables.student.columns.x.values", "privacy.generalisation_loss"} <= places


def test_method_is_chosen():
    assert choose(policy({"exposure": 0.5}), 10).method == "projections"
    assert choose(policy({"association_loss": 0.5}), 10).method == "projections"
    assert choose(policy(columns={"c": SEVERAL}), 10).method == "projections"
    assert choose(policy(), 10).method == "hybrid"


def order(columns, frame, **privacy):
    return order_of(frame, policy(privacy, columns), "people")[0]


FRAME = pl.DataFrame(
    {
        "id": [1, 2, 3, 4],
        "age": [20, 30, 40, 50],
        "a": ["x", "y", "x", "y"],
        "b": [1, 2, 1, 2],
        "c": ["p;q", "q", None, "p"],
    }
)


def test_columns_with_several_values_become_boolean():
    made = order({"c": SEVERAL, "d": "sensitive"}, FRAME.with_columns(d=pl.lit("z")))
    assert made.table.frame.columns == ["age", "a", "b", "c=p", "c=q", "d"]
    assert made.table.frame["c=p"].to_list() == [True, False, False, True]
    assert made.several == {"c": ("c=p", "c=q")}


def test_values_of_a_linked_table(tmp_path):
    (tmp_path / "c.csv").write_text("person,id,what\n9,1,p\n9,1,q\n9,4,p\n9,2,q\n")
    (tmp_path / "people.csv").write_text(FRAME.drop("c").write_csv())
    made = Policy.parse(
        "source: people.csv\n"
        "columns: {id: identifier, age: quasi, a: sensitive, b: sensitive,\n"
        "  c: {role: sensitive, values: several, source: c.csv, key: id, value: what}}\n"
        "privacy: {k: 2}\n",
        base=tmp_path,
    )
    found, _ = order_of(None, made, "people")
    assert found.table.frame["c=q"].to_list() == [True, True, False, False]
    assert "id" not in found.table.frame.columns
    assert found.left_out == ()
    also, _ = order_of(FRAME.drop("c"), made, "people")
    assert also.table.frame["c=q"].to_list() == [True, True, False, False]


def test_a_linked_table_without_the_column(tmp_path):
    (tmp_path / "c.csv").write_text("id,what\n1,p\n")
    made = Policy.parse(
        "columns: {id: identifier, age: quasi,\n"
        "  c: {role: sensitive, values: several, source: c.csv, key: id, value: other}}\n"
        "privacy: {k: 2}\n",
        base=tmp_path,
    )
    with pytest.raises(PolicyError) as caught:
        order_of(FRAME, made, "people")
    assert caught.value.faults[0].where == "columns.c.value"


def test_demands_on_a_column_are_demands_on_each_of_its_values():
    made = policy({"l": {"c": 2}, "t": 0.5}, {"c": SEVERAL})
    found, _ = order_of(FRAME, made, "people")
    about = [each.column for each in found.requirements(made) if hasattr(each, "column")]
    assert about == ["c=p", "c=q", "a", "b", "c=p", "c=q"]


def test_a_demand_out_of_reach_does_not_tell_the_value():
    with pytest.raises(InfeasibleError) as caught:
        order({"c": SEVERAL}, FRAME, l={"c": 3})
    assert "'c'" in str(caught.value)
    assert "c=p" not in str(caught.value)


def test_a_distance_the_column_does_not_have_does_not_tell_the_value():
    with pytest.raises(PolicyError) as caught:
        order({"c": SEVERAL}, FRAME, t={"c": {"t": 0.5, "distance": "ordered"}})
    assert caught.value.faults[0].where == "privacy.t.c"


def test_a_name_that_is_taken():
    frame = FRAME.with_columns(pl.lit("z").alias("c=p"))
    with pytest.raises(DataError) as caught:
        order({"c": SEVERAL, "c=p": "sensitive"}, frame)
    assert caught.value.reason == "name-taken"


def test_values_that_differ_in_letter_case_only():
    with pytest.raises(DataError) as caught:
        order({"c": SEVERAL}, FRAME.with_columns(c=pl.Series(["p", "P", "q", None])))
    assert caught.value.reason == "name-taken"


def test_harmless_values():
    made = policy(
        {"exposure": 1},
        {
            "a": {"role": "sensitive", "harmless": ["x", None, True, 3]},
            "c": SEVERAL | {"harmless": ["q"]},
        },
    )
    found = harmless_values(made, {"c": ("c=p", "c=q")})
    assert found == {"a": ("x", None, "true", "3"), "c=q": ("true", "false")}


def test_left_out_rows_need_a_declared_domain():
    """A boolean column of a value that only a left-out person has would tell of that person."""
    columns = {"age": "quasi", "signs": {"role": "sensitive", "values": "several"}}
    more = {"privacy": {"k": 2, "suppress": 0.1}, "generalise": "incognito"}
    with pytest.raises(PolicyError) as caught:
        Policy(columns=columns, method="projections", **more)
    assert [fault.where for fault in caught.value.faults] == ["columns.signs"]
    columns["signs"]["domain"] = ["x", "y"]
    assert Policy(columns=columns, method="projections", **more)


def test_remedies_are_policies():
    policy = small.policy(privacy={"exposure": 0.4, "association_loss": 0.9, "l": {"pay": 3}})
    secret = [attack for attack in policy.family.attacks if attack.light == "secret"]
    remedies = {attack.name: attack.remedy for attack in secret if not attack.again}
    drug = Exposed(3, 60, "drug")
    changed = {name: policy.varied(find(drug, policy).changes) for name, find in remedies.items()}
    assert changed["background_join"].privacy.exposure == 0
    assert changed["background_join"].privacy.association_loss is None
    assert changed["intersection"].privacy.l["drug"][0].distinct == 2
    assert changed["cross_tables"].classes == "shared"
    for name, after in changed.items():
        assert remedies[name](drug, after) is None
    signs = remedies["intersection"](Exposed(1, 60, "signs=x"), policy)
    assert policy.varied(signs.changes).privacy.l["signs"][0].distinct == 2
    assert remedies["intersection"](Exposed(1, 60, "pay"), policy) is None
