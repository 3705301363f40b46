"""The program that follows what the lights advise."""

import json

import polars as pl

import advice
from papilio.data.table import Role
from papilio.errors import InfeasibleError
from papilio.workflow.verify import read_original


def owners(tmp_path, **columns):
    path = tmp_path / "people.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return str(path)


def test_advice_is_followed_until_no_light_names_any(tmp_path):
    data = owners(tmp_path, age=[30] * 6 + [60] * 6, pay=[1] * 6 + [2, 3] * 3)
    columns = {"age": "quasi", "pay": {"role": "sensitive", "type": "category"}}
    first, second = advice.followed(
        "pay", advice.Policy(source=data, columns=columns, privacy={"k": 3})
    )
    assert (first.added, first.secret, first.alone) == ((), "red", "green")
    assert first.found[0].startswith("pay of 6 people (50%) is learnt by")
    assert second.added == ("privacy: {l: {pay: 2}}",)
    assert (second.secret, second.found) == ("green", ())


def test_advice_that_cannot_be_met_ends_it_with_why(monkeypatch, tmp_path, capsys):
    data = owners(tmp_path, age=[30, 60], pay=["x", "y"])

    def refuse(*_, **__):
        raise InfeasibleError("no class has two", reason="rows", nearest="k: 1 can")

    monkeypatch.setattr(advice, "publish_to", refuse)
    policy = advice.Policy(source=data, columns={"age": "quasi"}, privacy={"k": 2})
    (seen,) = advice.followed("pay", policy)
    assert (seen.secret, seen.found) == ("refused", ("no class has two; k: 1 can",))
    advice.show(seen)
    assert "no class has two" in capsys.readouterr().out


def test_examples_are_found_by_name_and_what_was_seen_is_kept(monkeypatch, tmp_path, capsys):
    seen = advice.Seen("permutation/policy", (), "green", "grey", (), 0.5)
    monkeypatch.setattr(advice, "followed", lambda name, policy: iter([seen]))
    kept = tmp_path / "kept.json"
    monkeypatch.setattr("sys.argv", ["advice.py", "permutation/policy", "--json", str(kept)])
    advice.main()
    assert [each["policy"] for each in json.loads(kept.read_text())] == ["permutation/policy"]
    assert capsys.readouterr().out.startswith("permutation/policy")
    assert len(list(advice.policies([]))) >= 11


def test_the_sample_lies_beside_the_example_that_is_about_it():
    for _, policy in advice.policies(["adult-diversity/policy"]):
        assert policy.with_role(Role.SENSITIVE) == ("occupation", "hours-per-week")
        assert read_original(policy, None, "adult").order.table.height == 30_162
