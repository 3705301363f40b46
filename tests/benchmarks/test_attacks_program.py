"""The program that measures what follows from releases, and what attacking takes."""

import pytest

import attacks
from attacks import Claim, line


def test_a_line_names_the_bound_or_has_none():
    assert line(Claim("rows", 1, 0)).endswith("OUT OF BOUNDS")
    assert line(Claim("rows", 0, 0)).endswith("0")
    assert line(Claim("rows", 7)).endswith("-")


@pytest.mark.long
def test_orders_and_attacks_are_measured(monkeypatch, tmp_path):
    frame = attacks.samples.adult().head(600)
    frame.write_parquet(tmp_path / "adult.parquet")
    quasi = ("age", "workclass", "education-num", "sex")
    policy = attacks.Policy(
        source=str(tmp_path / "adult.parquet"),
        columns={**dict.fromkeys(quasi, "quasi"), "income": "sensitive"},
        privacy={"k": 5},
    )
    monkeypatch.setattr(attacks, "demo", lambda: policy)
    monkeypatch.setattr(attacks, "ORDERS", attacks.ORDERS[:1])
    told = {claim.what: claim for claim in (*attacks.remedy(), *attacks.adult())}
    assert told["the demo, bounds: shared by few"].figure > 0
    assert told["the demo, safe: shared by few"].figure == 0
    assert told["the demo, safe: shared by few"].bound == 0
    assert told["Adult: seconds for all attacks"].figure > 0
