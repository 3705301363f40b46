"""Methods side by side: the numbers are those of the measures, and failures stay in their row."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio import Policy
from papilio.errors import InfeasibleError, OutputError, PapilioError, PolicyError
from papilio.families import families
from papilio.families.generalising.variants import METHODS, MOST_BOTTOM_UP, USUAL
from papilio.families.recipients import variants as for_recipients
from papilio.measure.losses import discernibility, ncp
from papilio.measure.published_classes import class_sizes, published_classes
from papilio.measure.usefulness import classification
from papilio.policy.apply import order_of
from papilio.workflow.compare import compare, compare_to
from papilio.workflow.publish import publish
from policies import policy_for
from tables import quasi_tables

FRAME = pl.DataFrame(
    {
        "age": [20 + i * 7 % 31 for i in range(60)],
        "job": [f"job{i % 4}" for i in range(60)],
        "disease": [f"illness{i % 3}" for i in range(60)],
    }
)
COLUMNS = {"age": "quasi", "job": "quasi", "disease": "sensitive"}


def policy(**more):
    return Policy(**{"columns": COLUMNS, "privacy": {"k": 3}, **more})


def reference(comparison, name):
    return next(each.reference for each in comparison.measures if each.name == name)


def found(comparison):
    return [(trial.method, trial.values["k"]) for trial in comparison.trials]


def test_every_method_at_every_k():
    comparison = compare(policy(), data=FRAME, methods=["mondrian", "hybrid"], k=[5, 2])
    assert found(comparison) == [("mondrian", 5), ("mondrian", 2), ("hybrid", 5), ("hybrid", 2)]
    for trial in comparison.trials:
        assert trial.why_not is None
        more = trial.outcome.more
        assert more["smallest"] >= trial.values["k"]
        assert trial.outcome.risk == 1 / more["smallest"]
        assert more["average_class_size"] >= 1
        assert reference(comparison, "query_ratio") <= more["query_ratio"] <= 1
        assert trial.outcome.left_out == 0
        assert trial.outcome.seconds > 0
    assert (comparison.people, comparison.varied, comparison.parameter) == (60, ("k",), "k")
    assert "‘disease’" in next(m.words for m in comparison.measures if m.name == "classification")


@settings(max_examples=20)
@given(quasi_tables(min_rows=4, max_rows=20), st.sampled_from(["mondrian", "hybrid", "incognito"]))
def test_numbers_are_those_of_a_publication(made, method):
    """These methods do not draw lots, so publishing again gives the same classes."""
    order = policy_for(made, 2, method=method)
    (trial,) = compare(order, data=made.frame, methods=[method], k=[2]).trials
    release = publish(made.frame, order)
    original = order_of(made.frame, order, "table")[0].table
    classes = published_classes(release, original)
    outcome, more = trial.outcome, trial.outcome.more
    assert outcome.loss == pytest.approx(ncp(classes).overall)
    assert more["discernibility"] == discernibility(classes)
    assert more["classes"] == class_sizes(classes).classes
    assert more["smallest"] == class_sizes(classes).smallest
    if "classification" in more:
        assert more["classification"] == pytest.approx(classification(release, original, "disease"))


def test_numbers_repeat_but_for_the_time():
    methods = ["relaxed-mondrian", "hybrid"]
    once, again = (compare(policy(), data=FRAME, methods=methods, k=[3]) for _ in range(2))
    for first, second in zip(once.trials, again.trials, strict=True):
        assert {**first.to_dict(), "seconds": 0} == {**second.to_dict(), "seconds": 0}


# what is compared


def test_what_is_compared_if_nobody_says():
    comparison = compare(policy(), data=FRAME)
    assert found(comparison) == [(m, k) for m in USUAL for k in (3, 5, 10, 20, 50)]
    own = compare(policy(method="incognito"), data=FRAME.head(9))
    assert found(own) == [(m, k) for m in (*USUAL, "incognito") for k in (3, 5)]


def test_methods_are_those_of_their_families():
    """So that no method is forgotten here."""
    known = {family.name: [method.name for method in family.methods] for family in families()}
    assert set(METHODS) == set(known["one-table"])
    assert set(for_recipients.METHODS) == set(known["recipients"])


def test_improvement_by_its_spelling():
    names = ["hybrid", "hybrid+improve"]
    comparison = compare(policy(improve={"steps": 500}), data=FRAME, methods=names, k=[4])
    plain, improved = (trial.outcome for trial in comparison.trials)
    assert improved.loss < plain.loss
    assert comparison.improve == "500 steps"
    assert [trial.method for trial in comparison.best] == ["hybrid+improve"]


def test_a_time_alone_adds_the_improvement_to_all_that_can_have_it():
    methods = ["mondrian", "incognito"]
    comparison = compare(policy(), data=FRAME, methods=methods, k=[4], improve="50ms")
    assert found(comparison) == [("mondrian", 4), ("mondrian+improve", 4), ("incognito", 4)]
    assert comparison.improve == "0.05 seconds"
    spelled = compare(
        policy(), data=FRAME, methods=["mondrian", "hybrid+improve"], k=[4], improve="50ms"
    )
    assert found(spelled) == [("mondrian", 4), ("hybrid+improve", 4)]


def test_the_policys_own_improvement_does_not_touch_plain_names():
    plain = compare(policy(), data=FRAME, methods=["hybrid"], k=[4])
    comparison = compare(policy(improve={"steps": 500}), data=FRAME, methods=["hybrid"], k=[4])
    assert comparison.trials[0].outcome.loss == plain.trials[0].outcome.loss
    assert comparison.improve is None


def test_methods_and_k_are_taken_once():
    methods = ["hybrid", "mondrian", "hybrid"]
    comparison = compare(policy(), data=FRAME, methods=methods, k=[4, 4])
    assert found(comparison) == [("hybrid", 4), ("mondrian", 4)]


def test_options_of_other_methods_fall_away():
    """A metric or a share to leave out that one method knows must not stop the others."""
    order = policy(method="incognito", metric="height", privacy={"k": 3, "suppress": 0.2})
    comparison = compare(order, data=FRAME, methods=[*METHODS], k=[5])
    assert all(trial.outcome is not None for trial in comparison.trials)
    left_out = {trial.method: trial.outcome.left_out for trial in comparison.trials}
    others = [method for method in METHODS if method not in ("rising", "incognito")]
    assert {method: left_out[method] for method in others} == dict.fromkeys(others, 0)


def test_suppression_counts_what_is_left_out():
    frame = pl.DataFrame({"age": [1] * 8 + [2, 3], "disease": ["a", "b"] * 5})
    order = Policy(
        columns={"age": "quasi", "disease": "sensitive"},
        privacy={"k": 5, "suppress": 0.2},
    )
    (trial,) = compare(order, data=frame, methods=["incognito"], k=[5]).trials
    assert trial.outcome.left_out == 2
    assert trial.outcome.more["classification"] == pytest.approx((4 + 2) / 10)


def test_what_is_demanded_besides_k_holds_for_every_trial():
    order = policy(privacy={"k": 2, "l": {"disease": 3}, "t": {"disease": 0.3}})
    comparison = compare(order, data=FRAME, methods=["mondrian", "hybrid"], k=[2])
    assert all(trial.outcome.more["smallest"] >= 3 for trial in comparison.trials)
    assert comparison.beside == (
        "distinct-l-diversity of disease (l = 3)",
        "t-closeness of disease (t = 0.3)",
    )


@pytest.mark.parametrize(
    ("values", "label"),
    [
        (["a"] * 60, None),
        ([str(i) for i in range(60)], None),
        ([str(i % 20) for i in range(60)], "disease"),
    ],
)
def test_a_label_has_a_few_values(values, label):
    frame = FRAME.with_columns(disease=pl.Series(values))
    comparison = compare(policy(), data=frame, methods=["mondrian"], k=[5])
    named = [each.name for each in comparison.measures]
    assert ("classification" in named) == (label is not None)
    assert ("classification" in comparison.trials[0].outcome.more) == (label is not None)


# what does not work


def test_a_k_beyond_the_table_stays_in_its_row():
    comparison = compare(policy(), data=FRAME, methods=["mondrian"], k=[10, 61, 60])
    assert [trial.outcome is None for trial in comparison.trials] == [False, True, False]
    assert comparison.trials[1].why_not.startswith("k is 61, but the table has only 60 rows")
    assert [trial.values["k"] for trial in comparison.best] == [10, 60]


def test_nothing_but_failures():
    comparison = compare(policy(), data=FRAME, methods=["mondrian"], k=[1000])
    assert comparison.best == comparison.done == ()


def test_incognito_cannot_be_improved():
    comparison = compare(policy(), data=FRAME, methods=["incognito+improve", "mondrian"], k=[5])
    assert "cannot be improved" in comparison.trials[0].why_not
    assert comparison.trials[1].outcome is not None


def test_a_value_that_incognito_refuses():
    """The reason is an error of the method, without a cell's value in it but the sign itself."""
    frame = FRAME.with_columns(job=pl.Series(["*", "clerk"] * 30))
    comparison = compare(policy(), data=frame, methods=["incognito", "mondrian"], k=[5])
    assert "column 'job': a value reads like the root" in comparison.trials[0].why_not
    assert "clerk" not in comparison.trials[0].why_not
    assert comparison.trials[1].outcome is not None


def test_bottom_up_is_not_tried_on_large_tables(monkeypatch):
    assert MOST_BOTTOM_UP == 100_000
    for most, tried in ((60, True), (59, False)):
        monkeypatch.setattr("papilio.families.generalising.variants.MOST_BOTTOM_UP", most)
        (trial,) = compare(policy(), data=FRAME, methods=["bottom-up"], k=[5]).trials
        assert (trial.outcome is not None) is tried
    assert trial.why_not == "bottom-up is for up to 59 rows; the table has 60"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mondrain", "; did you mean 'mondrian'?"),
        ("hibrid+improve", "; did you mean 'hybrid'?"),
        ("x", ""),
    ],
)
def test_unknown_methods(name, hint):
    with pytest.raises(PapilioError, match="unknown method") as caught:
        compare(policy(), data=FRAME, methods=["hybrid", name])
    assert f"'{name}'" in str(caught.value)
    assert hint in str(caught.value)
    assert "relaxed-mondrian" in str(caught.value)


@pytest.mark.parametrize("k", [[], [0], [-1], [2.5], [True], ["5"], [5, 0]])
def test_a_bad_k(k):
    with pytest.raises(PapilioError, match=r"k = .*: must be|k: give at least one"):
        compare(policy(), data=FRAME, k=k)


def test_a_policy_that_is_improved_is_compared_as_it_is():
    comparison = compare(policy(improve={"steps": 500}), data=FRAME, k=[4])
    names = [trial.method for trial in comparison.trials]
    assert [f"{name}+improve" for name in names[::2]] == names[1::2]
    assert comparison.improve == "500 steps"


@pytest.mark.parametrize("improve", ["10", "soon", ""])
def test_a_bad_time(improve):
    with pytest.raises(PapilioError, match="10s, 2m or 500ms"):
        compare(policy(), data=FRAME, improve=improve)


def test_no_method():
    with pytest.raises(PapilioError, match="no method to compare"):
        compare(policy(), data=FRAME, methods=[])


def test_what_no_method_can_meet():
    with pytest.raises(InfeasibleError):
        compare(policy(privacy={"l": {"disease": 4}}), data=FRAME, k=[2])


def test_a_policy_that_does_not_fit():
    with pytest.raises(PolicyError, match="no column 'disease'"):
        compare(policy(), data=FRAME.drop("disease"), k=[2])


# progress and the page


def test_progress_names_each_trial():
    told = []
    compare(
        policy(),
        data=FRAME,
        methods=["mondrian", "hybrid"],
        k=[2, 5],
        progress=lambda stage, share: told.append((stage, share)),
    )
    assert [stage for stage, _ in told] == [
        "reading",
        "mondrian, k = 2",
        "mondrian, k = 5",
        "hybrid, k = 2",
        "hybrid, k = 5",
    ]
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1


def test_the_page_is_written_last(tmp_path):
    page = tmp_path / "compare.html"
    comparison = compare_to(page, policy(), data=FRAME, methods=["mondrian"], k=[2, 5])
    text = page.read_text(encoding="utf-8")
    assert "For the data owner only" in text
    assert f"{comparison.trials[0].outcome.more['discernibility']:,}" in text
    assert page.stat().st_mode & 0o077 == 0
    for column in ("job", "disease"):
        assert not [value for value in FRAME[column].unique() if value in text]
    with pytest.raises(OutputError, match="exists already"):
        compare_to(page, policy(), data=FRAME, methods=["nonsense"])
    assert [path.name for path in tmp_path.iterdir()] == ["compare.html"]


def test_no_page_if_the_comparison_fails(tmp_path):
    with pytest.raises(PapilioError):
        compare_to(tmp_path / "compare.html", policy(), data=FRAME, methods=["nonsense"])
    assert list(tmp_path.iterdir()) == []


def test_plain_data_for_json():
    comparison = compare(policy(), data=FRAME, methods=["mondrian"], k=[5, 100])
    content = comparison.to_dict()
    done, failed = content["trials"]
    assert (content["table"], content["people"]) == ("table", 60)
    assert set(done) == {
        *("method", "values", "loss", "risk", "people", "left_out", "seconds", "measures", "best"),
        *("lights", "reasons"),
    }
    assert set(done["lights"]) == {"claims", "secret", "alone"}
    assert set(done["measures"]) == {
        "discernibility",
        "classes",
        "smallest",
        "average_class_size",
        "query_ratio",
        "divergence",
        "certain",
        "classification",
    }
    assert set(failed) == {"method", "values", "why_not", "best"}


def test_people_whose_row_follows_stand_beside_the_loss():
    choices = {"k": [3], "cells": ["bounds", "safe"]}
    found = compare(policy(), data=FRAME, methods=["mondrian", "incognito"], variants=choices)
    tight, safe, levels, refused = found.trials
    (certain,) = [each for each in found.measures if each.name == "certain"]
    assert certain.share
    assert certain.drawn
    assert tight.outcome.more["certain"] > 0 == safe.outcome.more["certain"]
    assert safe.outcome.loss > tight.outcome.loss
    assert tight.outcome.lights["alone"] == "red"
    (reason,) = (each for each in tight.outcome.reasons if each["light"] == "alone")
    assert reason["remedy"]["line"] == "cells: safe"
    assert not [each for each in safe.outcome.reasons if each["light"] == "alone"]
    assert safe.outcome.lights["alone"] == "green"
    # Labels of whole columns prove nothing, and have one form.
    assert levels.outcome is None or levels.outcome.more["certain"] == 0
    assert "cells" in refused.why_not
    # Safe cells promise more, so that tight ones are no match for them.
    assert safe in found.best
    assert found.best[0].values["cells"] == "bounds"
