"""Every method, end to end: published, verified, truthful, measurable, reportable."""

from datetime import datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio import K, L, Policy, T, samples
from papilio.errors import InfeasibleError, PolicyError
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_of
from papilio.workflow.publish import publish
from policies import policy_for
from sizes import some
from tables import quasi_tables

METHODS = ("mondrian", "relaxed-mondrian", "bottom-up", "hybrid", "rising", "incognito")


@pytest.mark.parametrize("method", some(METHODS, "relaxed-mondrian", "hybrid", "rising"))
@settings(max_examples=25)
@given(drawn=st.tuples(quasi_tables(max_rows=25), st.integers(1, 4)))
def test_every_method_publishes_what_it_claims(method, drawn):
    made, k = drawn
    if made.height < k:
        return
    policy = policy_for(made, k, method=method)
    release = publish(made.frame, policy)
    assert release.manifest.method == method
    assert release.verify(original=policy, data=made.frame).holds
    original = order_of(made.frame, policy, "table")[0].table
    assert 0 <= ncp(published_classes(release, original)).overall <= 1


@settings(max_examples=25)
@given(drawn=st.tuples(quasi_tables(max_rows=25), st.integers(1, 3)))
def test_improve_keeps_all_requirements(drawn):
    made, k = drawn
    values = made.frame["disease"].n_unique()
    demands = [K(k), L("disease", values), T("disease", 0.5)]
    plain = policy_for(made, k)
    policy = Policy(columns=dict(plain.columns), privacy=demands, improve={"steps": 50})
    if made.height >= k:
        assert publish(made.frame, policy).verify(original=policy, data=made.frame).holds


ADULT = {
    "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20, 40]}},
    "workclass": {"role": "quasi", "hierarchy": str(samples.FOLDER / "hierarchies/workclass.csv")},
    "sex": "quasi",
    "race": {"role": "quasi", "hierarchy": "automatic"},
    "native-country": {
        "role": "quasi",
        "hierarchy": str(samples.FOLDER / "hierarchies/native-country.csv"),
    },
    "income": "sensitive",
}


def test_incognito_publishes_one_level_per_column_and_may_leave_rows_out():
    frame = samples.adult().head(4000)
    strict = Policy(columns=ADULT, privacy={"k": 20}, method="incognito")
    loose = Policy(columns=ADULT, privacy={"k": 20, "suppress": "5%"}, method="incognito")
    whole, less = publish(frame, strict), publish(frame, loose)
    assert whole.frames["table"].height == 4000
    assert 3800 <= less.frames["table"].height < 4000
    for release, policy in ((whole, strict), (less, loose)):
        verdict = release.verify(original=policy, data=frame)
        assert verdict.holds
        levels = [f for f in verdict.findings if f.claim == "level of table"]
        assert len(levels) == 5
        assert "truthfulness" in {f.claim for f in verdict.findings}


def test_a_label_of_another_level_is_found():
    frame = samples.adult().head(4000)
    policy = Policy(columns=ADULT, privacy={"k": 20}, method="incognito")
    release = publish(frame, policy)
    table = release.frames["table"]
    for name in ("age", "workclass", "native-country", "race", "sex"):
        labels = table[name].unique().sort()
        other = "*" if "*" not in labels.to_list() else labels.to_list()[0] + "x"
        changed = table.with_columns(
            pl.when(pl.col(name) == labels[0])
            .then(pl.lit(other))
            .otherwise(pl.col(name))
            .alias(name)
        )
        broken = type(release)(release.manifest, {"table": changed}, release.hierarchies)
        assert not broken.verify().holds, name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mondrian", "objective": "sum"}, "only the method hybrid has an objective"),
        ({"method": "bottom-up", "metric": "dm"}, "only the methods hybrid and incognito"),
        ({"method": "hybrid", "metric": "height"}, "only incognito chooses by height"),
        ({"method": "incognito", "improve": "1s"}, "cannot be improved"),
        ({"method": "hybrid", "privacy": {"k": 2, "suppress": "2%"}}, "leave rows out"),
        ({"improve": 10}, "needs a unit"),
        ({"improve": "soon"}, "give a time such as 10s"),
        ({"improve": {}}, "give seconds or steps"),
    ],
)
def test_options_a_method_does_not_have_are_refused(options, message):
    with pytest.raises(PolicyError, match=message):
        Policy(**{"columns": {"age": "quasi"}, "privacy": {"k": 2}, **options})


def test_auto_chooses_by_policy_and_size():
    from papilio.families import choose

    plain = Policy(columns={"age": "quasi"}, privacy=K(2))
    loose = Policy(columns={"age": "quasi"}, privacy={"k": 2, "suppress": "1%"}, method="auto")
    named = Policy(columns={"age": "quasi"}, privacy=K(2), method="bottom-up")
    assert choose(plain, 1000).method == "hybrid"
    assert choose(plain, 2_000_000).method == "mondrian"
    assert choose(loose, 1000).method == "incognito"
    assert choose(named, 2_000_000).method == "bottom-up"


def test_a_policy_that_cannot_be_met_names_the_nearest():
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a", "a", "b", "b"]})
    columns = {"age": "quasi", "ill": "sensitive"}
    with pytest.raises(InfeasibleError) as caught:
        publish(frame, Policy(columns=columns, privacy=[K(2), L("ill", 3)]))
    assert "2" in caught.value.nearest


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_full_domain_labels_of_moments_are_not_read_as_days(zone, tmp_path):
    # 08:30 and 09:30 of one day are two labels; a reader of days would confuse them.
    moments = [datetime(2020, 1, 1, 8, 30), datetime(2020, 1, 1, 9, 30, 0, 250_000)] * 4
    frame = pl.DataFrame({"when": moments, "disease": list("ab") * 4})
    frame = frame.with_columns(pl.col("when").dt.replace_time_zone(zone))
    columns = {"when": "quasi", "disease": "sensitive"}
    policy = Policy(columns=columns, privacy=K(4), method="incognito")
    release = publish(frame, policy)
    assert release.frames["table"]["when"].n_unique() == 2
    assert release.verify(original=policy, data=frame).holds
    assert release.report(tmp_path / "report.html", original=policy, data=frame).exists()
