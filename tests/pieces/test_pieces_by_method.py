"""Every method that works piece by piece: verified, and hardly any loss more than in one."""

from __future__ import annotations

import polars as pl
import pytest

from in_pieces import meant, publish_in_pieces
from papilio import samples
from papilio.errors import DataError, InfeasibleError
from papilio.families import choose
from papilio.families.engines.coded import ColumnValues
from papilio.families.generalising.finish import rows_of_piece
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish
from papilio.workflow.refuse import check_engine
from sizes import some

QUASI = ("age", "workclass", "education-num", "marital-status", "sex")
RECIPIENTS = {"insurer": list(QUASI[:4]), "employer": list(QUASI[1:])}


def adult(rows=6000):
    return samples.adult().select(*QUASI, "occupation", "income").head(rows)


def adult_policy(privacy, **more):
    columns = dict.fromkeys(QUASI, "quasi")
    columns |= {"occupation": "sensitive", "income": "sensitive"}
    return Policy(columns=columns, privacy=privacy, **more)


def loss_of(release, frame, policy):
    table = order_of(frame, policy, "table")[0].table
    return ncp(published_classes(release, table)).overall


@pytest.mark.parametrize(
    ("method", "privacy", "more", "allowed"),
    some(
        [
            # It halves to the last row, so that its loss hangs on sizes like these.
            ("relaxed-mondrian", {"k": 10}, {}, 1.15),
            ("hybrid", {"k": 10, "l": {"occupation": 3}}, {}, 1.02),
            ("bottom-up", {"k": 5}, {}, 1.10),
            # Rows that share labels lie in several pieces.
            ("rising", {"k": 10, "l": {"occupation": 3}}, {}, 1.20),
            ("mondrian", {"k": 10}, {"improve": {"steps": 4000}}, 1.04),
            ("union", {"k": 10}, {"recipients": RECIPIENTS}, 1.0),
            ("butterfly", {"k": 10, "t": {"income": 0.3}}, {"recipients": RECIPIENTS}, 1.08),
            ("butterfly", {"k": 10, "collusion_k": 2}, {"recipients": RECIPIENTS}, 1.02),
        ],
        first=4,
    ),
)
def test_pieces_hold_and_lose_little_more(method, privacy, more, allowed):
    frame = adult(3000 if method == "bottom-up" else 6000)
    policy = adult_policy(privacy, method=method, **more)
    whole = publish(frame, policy, seed=1)
    pieces, tree = publish_in_pieces(frame, policy, 1600)
    assert len(tree.rows) > 1
    assert pieces.verify().holds
    assert pieces.manifest.claims == whole.manifest.claims
    assert pieces.frames["table"].schema == whole.frames["table"].schema
    assert loss_of(pieces, frame, policy) <= allowed * loss_of(whole, frame, policy) + 1e-9


def test_every_row_is_published_once_with_its_own_sensitive_values():
    frame = adult()
    pieces, _ = publish_in_pieces(frame, adult_policy({"k": 10}, method="hybrid"), 700)
    names = ["occupation", "income"]
    assert pieces.frames["table"].select(names).sort(names).equals(frame.select(names).sort(names))


def test_numbers_with_many_values_are_cut_between_bins(monkeypatch):
    monkeypatch.setattr("papilio.families.engines.meanings.MANY", 10)
    monkeypatch.setattr("papilio.families.engines.meanings.BINS", 16)
    frame = adult()
    frame = frame.with_columns(pl.col("age").cast(pl.Float64) + pl.int_range(pl.len()) / 1e4)
    policy = adult_policy({"k": 10}, method="mondrian")
    meanings = meant(frame, policy)
    age = meanings.quasi[0]
    assert age.span is not None
    assert len(age.values) <= 17
    whole = publish(frame, policy, seed=1)
    pieces, tree = publish_in_pieces(frame, policy, 1600)
    assert len(tree.rows) > 1
    assert pieces.verify(original=policy, data=frame).holds
    assert loss_of(pieces, frame, policy) <= 1.05 * loss_of(whole, frame, policy)


def test_bins_with_null_give_every_piece_the_same_columns(monkeypatch):
    monkeypatch.setattr("papilio.families.engines.meanings.MANY", 10)
    monkeypatch.setattr("papilio.families.engines.meanings.BINS", 16)
    frame = adult().with_columns(
        age=pl.when(pl.int_range(pl.len()) < 40).then(None).otherwise("age")
    )
    policy = adult_policy({"k": 10}, method="mondrian")
    pieces, tree = publish_in_pieces(frame, policy, 900)
    assert len(tree.rows) > 3
    assert "age_null" in pieces.frames["table"].columns
    assert pieces.verify(original=policy, data=frame).holds


@pytest.mark.parametrize(
    "privacy", [{"k": 3, "l": {"pay": 3}}, {"k": 3, "l": {"pay": {"entropy": 3}}}]
)
def test_diversity_of_a_column_with_too_many_values_is_kept(privacy):
    rows = 900
    frame = pl.DataFrame(
        {
            "age": [17 + i % 60 for i in range(rows)],
            "city": [f"c{i % 3}" for i in range(rows)],
            "pay": [i % 2 if i % 5 else i for i in range(rows)],
        }
    )
    policy = Policy(
        columns={"age": "quasi", "city": "quasi", "pay": "sensitive"},
        privacy=privacy,
        method="mondrian",
    )
    unknown = {"pay": ColumnValues(pl.Series("pay", [0, rows]), None, complete=False)}
    pieces, tree = publish_in_pieces(frame, policy, 60, values=unknown)
    assert len(tree.rows) > 3
    assert pieces.verify(original=policy, data=frame).holds


@pytest.mark.parametrize(
    ("columns", "privacy", "unknown", "said"),
    [
        ({"job": "quasi"}, {"k": 2}, "job", "too many different values to be generalised"),
        ({"job": "sensitive"}, {"k": 2, "t": {"job": 0.5}}, "job", "too many different values for"),
    ],
)
def test_too_many_labels_are_refused_without_a_value(columns, privacy, unknown, said):
    frame = pl.DataFrame({"job": ["nurse", "smith"] * 4, "age": [30] * 8})
    policy = Policy(columns={"age": "quasi", **columns}, privacy=privacy, method="mondrian")
    values = {unknown: ColumnValues(pl.Series(unknown, [], pl.String), None, complete=False)}
    with pytest.raises(DataError, match=said) as refused:
        meant(frame, policy, values=values)
    assert "nurse" not in str(refused.value)
    assert refused.value.reason == "too-many-values"


def test_methods_within_methods_decide_how_large_pieces_are():
    fine = adult_policy({"k": 2}, method="butterfly", recipients=RECIPIENTS, generalise="bottom-up")
    check_engine(fine, choose(fine, 10), "pieces")
    assert rows_of_piece(fine, choose(fine, 10)) <= 20_000


def test_what_cannot_be_met_is_said_as_in_one():
    frame = adult(50)
    for privacy in ({"k": 60}, {"k": 2, "l": {"income": 3}}):
        policy = adult_policy(privacy, method="mondrian")
        with pytest.raises((DataError, InfeasibleError)) as whole:
            publish(frame, policy)
        with pytest.raises(type(whole.value)) as pieces:
            publish_in_pieces(frame, policy, 10)
        assert str(pieces.value) == str(whole.value)
