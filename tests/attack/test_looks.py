"""Numbers that several attacks share are those that each would have found by itself."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import papilio as pp
from papilio.attack import looks
from papilio.attack.looks import distinct, keeping_looks, look, side_of
from papilio.families import family_of_release
from papilio.progress import silent
from papilio.randomness import Randomness
from papilio.workflow.publish import read_original, run_method

NUMBERS = st.integers(-1, 4) | st.sampled_from([-(2**40), 2**40])


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), max_size=30))
def test_distinct_rows_are_numpys(rows):
    numbers = np.array(rows, np.int64).reshape(-1, 3)
    found, which = distinct(numbers)
    expected, inverse, count = np.unique(numbers, axis=0, return_inverse=True, return_counts=True)
    assert np.array_equal(found, expected)
    assert np.array_equal(which, inverse.ravel())
    assert np.array_equal(side_of(numbers).count, count)


def visits(seed):
    random = np.random.default_rng(seed)
    frame = {
        "pid": random.integers(0, 60, 200),
        "age": random.integers(20, 60, 200),
        "town": [f"0{each}" for each in random.integers(0, 40, 200)],
        "ward": random.choice(["a", "b", "c"], 200),
    }
    return pl.DataFrame(frame)


COLUMNS = {"pid": "identifier", "age": "quasi", "town": "quasi", "ward": "sensitive"}


def made(person, seed, **more):
    policy = pp.Policy(columns=COLUMNS, privacy=pp.K(3), person=person, **more)
    original = read_original(policy, visits(seed), "visits")
    return run_method(original, Randomness(seed), silent).made.release, original


def attacked(release, original):
    """What each attack finds; cells are numbered in any order, and fractions summed in it."""
    attacks = family_of_release(release.manifest).attacks
    found = [result for each in attacks if not each.again for result in each.run(release, original)]
    return [
        (result.attack, result.sentence, name, round(figure, 9))
        for result in found
        for name, figure in result.figures.items()
    ]


KNOWN = {"school": ["age"], "post": ["town", "age"]}


@pytest.mark.parametrize("person", ["rows", "pid"])
@pytest.mark.parametrize(
    "more", [{}, {"recipients": KNOWN, "method": "union"}], ids=["one", "several"]
)
def test_attacks_that_share_find_what_each_finds_alone(person, more):
    """Of two releases at once, so that the numbers of one could be taken for the other's."""
    both = [made(person, seed, **more) for seed in (1, 2)]
    alone = [attacked(*each) for each in both]
    with keeping_looks():
        shared = [attacked(*each) for each in both]
        again = [attacked(*each) for each in reversed(both)][::-1]
    assert shared == alone == again
    assert alone[0] != alone[1]


def test_columns_are_numbered_once_and_only_while_looks_are_kept(monkeypatch):
    release, original = made("rows", 1)
    table, subject = release.manifest.tables[0], original.subject
    numbered, real = [], looks._numbered
    monkeypatch.setattr(
        looks, "_numbered", lambda *given: numbered.append(list(given[3])) or real(*given)
    )
    look(release, table, subject, ["age"])
    with keeping_looks():
        look(release, table, subject, ["age"])
        with keeping_looks():
            look(release, table, subject, ["ward", "age"])
        both = look(release, table, subject, ["town", "ward"])
    look(release, table, subject, ["ward"])
    assert [each for each in numbered if each] == [["age"], ["age"], ["ward"], ["town"], ["ward"]]
    assert both.values.shape == (200, 2)


def test_no_numbers_are_kept_of_another_original():
    release, original = made("rows", 1)
    table, subject = release.manifest.tables[0], original.subject
    with keeping_looks():
        before = look(release, table, subject, ["age"]).values
        turned = subject.frame.reverse()
        after = look(
            release, table, subject.__class__(**{**vars(subject), "frame": turned}), ["age"]
        )
        assert np.array_equal(after.values, before[::-1])


def test_what_the_release_does_not_have_is_refused():
    release, original = made("rows", 1)
    with keeping_looks(), pytest.raises(pp.PapilioError, match="no column 'height'"):
        look(release, release.manifest.tables[0], original.subject, ["age", "height"])
