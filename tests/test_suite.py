"""The suite itself: how much is tried, and where machine code is kept."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.caching import UserProvidedCacheLocator

import machine_code
import sizes


@settings(max_examples=90)
@given(st.integers())
def searched(number):
    """Not collected, so that it is left as it is."""


@settings(max_examples=90)
@given(st.integers())
def test_a_property_tries_a_share_of_its_examples(number):
    tried = test_a_property_tries_a_share_of_its_examples._hypothesis_internal_use_settings
    whole = searched._hypothesis_internal_use_settings
    assert whole.max_examples == 90
    assert tried.max_examples == (90 if sizes.ALL else 7)


@pytest.mark.parametrize(("count", "fewer"), [(5, 5), (10, 6), (50, 6), (90, 7), (600, 50)])
def test_few_examples_are_all_tried(monkeypatch, count, fewer):
    monkeypatch.setattr(sizes, "ALL", False)
    assert sizes.usual(count) == fewer
    monkeypatch.setattr(sizes, "ALL", True)
    assert sizes.usual(count) == count


def test_some_cases_are_long():
    def long(cases):
        return [each.values for each in cases if each.marks]

    assert long(sizes.some("abc")) == [("b",), ("c",)]
    assert long(sizes.some("abc", first=2)) == [("c",)]
    assert long(sizes.some("abc", "b")) == [("a",), ("c",)]
    assert long(sizes.some([("a", 1), ("b", 2)])) == [("b", 2)]
    with pytest.raises(AssertionError, match="not there"):
        sizes.some("abc", "d")


def test_a_few_cases_of_every_line_run_now():
    def now(cases):
        return [each.values for each in cases if not each.marks]

    table = [(family, key) for family in "abc" for key in "xyz"]
    assert now(sizes.in_turn(table)) == [("a", "x"), ("b", "y"), ("c", "z")]
    assert now(sizes.in_turn(table, of=0)) == [("a", "x"), ("b", "y"), ("c", "z")]
    assert len(now(sizes.in_turn(table, most=2))) == 6
    assert now(sizes.in_turn(table, most=9)) == table
    assert now(sizes.in_turn(table, of=lambda case: case[1] == "z")) == [("a", "x"), ("b", "z")]
    assert now(sizes.spread(range(9))) == [(0,), (3,), (6,)]
    assert now(sizes.spread("ab")) == [("a",), ("b",)]
    assert len(sizes.spread(range(9), 1)) == 9


def test_a_variable_says_how_often(monkeypatch):
    monkeypatch.setattr(sizes, "ALL", False)
    assert sizes.tries(2, 12, "PAPILIO_KILLS_OF_A_TEST") == 2
    monkeypatch.setattr(sizes, "ALL", True)
    assert sizes.tries(2, 12, "PAPILIO_KILLS_OF_A_TEST") == 12
    monkeypatch.setenv("PAPILIO_KILLS_OF_A_TEST", "100")
    assert sizes.tries(2, 12, "PAPILIO_KILLS_OF_A_TEST") == 100


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Make a clone with one kernel; gives where Numba would keep its machine code."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def cloned(name, text):
        sources = tmp_path / name / "src" / "papilio"
        (sources / "kernels").mkdir(parents=True)
        file = sources / "kernels" / "one.py"
        file.write_text(text)
        monkeypatch.setattr(machine_code, "SOURCES", sources)
        monkeypatch.setenv("NUMBA_CACHE_DIR", "")
        machine_code.share_machine_code()
        monkeypatch.setattr("numba.core.config.CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])
        return Path(UserProvidedCacheLocator.from_function(cloned, str(file)).get_cache_path())

    return cloned


def test_clones_share_machine_code_of_the_same_kernels(clone):
    first, second = clone("first", "a = 1\n"), clone("second", "a = 1\n")
    assert first != second
    assert first.samefile(second)


def test_other_kernels_have_machine_code_of_their_own(clone):
    assert not clone("first", "a = 1\n").samefile(clone("second", "a = 2\n"))


def test_a_folder_that_was_chosen_is_left_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    machine_code.share_machine_code()
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path)
    assert list(tmp_path.iterdir()) == []
