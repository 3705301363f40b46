"""The program that measures what it costs to count people."""

import polars as pl
import pytest

import people
from spine import Result


def test_everybody_has_a_row_and_some_have_several():
    frame = people.with_people(pl.DataFrame({"row": range(1000)}), 400)
    owned = frame.group_by(people.PERSON).len().get_column("len")
    assert len(owned) == 400
    assert owned.sum() == 1000
    assert owned.max() > 1
    assert frame.get_column("row").to_list() == list(range(1000))


def test_actions_take_turns_after_one_to_warm_up():
    told = []
    times = people.in_turns([lambda: told.append("a"), lambda: told.append("b")], 2)
    assert told == ["a", "b"] * 3
    assert len(times) == 2


def test_a_line_names_the_bound():
    assert people.line(Result("time", 1.0, 1.2, 1.15)).endswith("OUT OF BOUNDS")
    assert people.line(Result("time", 1.0, 1.1, 1.15)).endswith("1.15")


@pytest.mark.long
def test_people_and_rows_are_both_published_and_compared(monkeypatch, tmp_path):
    small = people.samples.adult().head(600)
    monkeypatch.setattr(people.samples, "adult", lambda: small)
    monkeypatch.setattr(people, "ADULT_PEOPLE", 250)
    monkeypatch.setattr(people, "METHODS", ("mondrian",))
    time, loss, attacked = people.adult(tmp_path, 1)
    assert (time.bound, loss.bound, attacked.bound) == (1.15, 1.25, 1.6)
    assert time.ratio > 0
    assert attacked.seconds > time.seconds
    # Over people no fewer rows have to be alike, so nothing is gained but by chance.
    assert 0.8 < loss.ratio < 2
