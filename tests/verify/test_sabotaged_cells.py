"""Damage to single generalised cells, in one row or in all rows of a class."""

from datetime import date, timedelta

import pytest
from damage import assert_holds, assert_only_violated, assert_violated

from sizes import some, spread

#: Cells of CSV are read by the same checks; make test-all tries them as well.
FORMS = some(["parquet", "csv"])


def rows_where(sample, wanted):
    """Rows of the first class whose cells are as wanted."""
    frame = sample.published
    for rows in sample.classes().values():
        if wanted(frame.row(rows[0], named=True)):
            return rows
    raise AssertionError("no such class in the sample")


def damage(sample, wanted, change, whole):
    """Change cells of one row, or of a whole class, as ``change`` says."""
    rows = rows_where(sample, wanted)
    cells = sample.published.row(rows[0], named=True)
    return sample.change_all(rows if whole else rows[:1], **change(cells))


def test_the_samples_show_what_the_cases_need(samples):
    """Each kind of release has cells that are generalised, and cells that may be NULL."""
    numbers = samples("numbers", "parquet", "bounds").published
    assert (numbers["age_min"] < numbers["age_max"]).any()
    assert (numbers["age_min"].is_null() & numbers["age_null"]).any()
    assert (numbers["age_min"].is_not_null() & numbers["age_null"]).any()


# -- every row of the class, so that k stays: the cell itself is wrong ---------------------------

MALFORMED = {
    # bounds
    "swapped ends": ("numbers", "bounds", "age", lambda r: r["age_min"] == 20,
                     lambda r: {"age_min": r["age_max"], "age_max": r["age_min"]}),
    "swapped floating ends": ("numbers", "bounds", "pay", lambda r: r["pay_min"] < r["pay_max"],
                              lambda r: {"pay_min": r["pay_max"], "pay_max": r["pay_min"]}),
    "smallest leaked as NULL": ("numbers", "bounds", "age", lambda r: r["age_min"] is not None,
                                lambda r: {"age_min": None}),
    "largest leaked as NULL": ("numbers", "bounds", "pay", lambda r: True,
                               lambda r: {"pay_max": None}),
    "both leaked as NULL": ("numbers", "bounds", "age", lambda r: not r["age_null"],
                            lambda r: {"age_min": None, "age_max": None}),
    "both leaked as NULL where none is": ("numbers", "bounds", "pay", lambda r: True,
                                          lambda r: {"pay_min": None, "pay_max": None}),
    "flag leaked as NULL": ("numbers", "bounds", "age", lambda r: r["age_min"] is not None,
                            lambda r: {"age_null": None}),
    "flag denied": ("numbers", "bounds", "age", lambda r: r["age_min"] is None,
                    lambda r: {"age_null": False}),
    "swapped days": ("days", "bounds", "born", lambda r: r["born_min"] != r["born_max"],
                     lambda r: {"born_min": r["born_max"], "born_max": r["born_min"]}),
    "swapped moments": ("days", "bounds", "seen", lambda r: r["seen_min"] < r["seen_max"],
                        lambda r: {"seen_min": r["seen_max"], "seen_max": r["seen_min"]}),
    # readable ranges
    "swapped readable ends": ("numbers", "text", "pay", lambda r: "," in r["pay"],
                              lambda r: {"pay": "[9.0, 1.0]"}),
    "three ends": ("numbers", "text", "pay", lambda r: True, lambda r: {"pay": "[1.0, 2.0, 3.0]"}),
    "one end": ("numbers", "text", "pay", lambda r: True, lambda r: {"pay": "[1.0]"}),
    "open bracket": ("numbers", "text", "pay", lambda r: True, lambda r: {"pay": "[1.0, 9.0"}),
    "words": ("numbers", "text", "age", lambda r: True, lambda r: {"age": "young"}),
    "words at an end": ("numbers", "text", "age", lambda r: True, lambda r: {"age": "[1, old]"}),
    "NULL as a word": ("numbers", "text", "age", lambda r: True, lambda r: {"age": "NULL"}),
    "no number as text": ("numbers", "text", "pay", lambda r: True, lambda r: {"pay": "nan"}),
    "empty": ("numbers", "text", "age", lambda r: True, lambda r: {"age": ""}),
    "blanks": ("numbers", "text", "age", lambda r: True, lambda r: {"age": "[ 1, 90]"}),
    "month 13": ("days", "text", "born", lambda r: True, lambda r: {"born": "2020-13-01"}),
    "swapped readable days": ("days", "text", "born", lambda r: True,
                              lambda r: {"born": "[2020-01-01, 1980-01-01]"}),
    "half a moment": ("days", "text", "seen", lambda r: True, lambda r: {"seen": "2020-01-01 12"}),
    # sets
    "unsorted": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '["z","a"]'}),
    "NULL not first": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '["z",null]'}),
    "repeated": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '["a","a"]'}),
    "NULL repeated": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": "[null,null]"}),
    "no member": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": "[]"}),
    "not JSON": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '["z"'}),
    "no list": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '"z"'}),
    "an object": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '{"z":1}'}),
    "numbers in it": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": "[1,2]"}),
    "a list in it": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": '[["z"]]'}),
    "deep nesting": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": "[" * 99_999}),
    "leaked as NULL": ("sets", "bounds", "job", lambda r: True, lambda r: {"job": None}),
    "text for true": ("sets", "bounds", "ill", lambda r: True, lambda r: {"ill": '["true"]'}),
    "true before false": ("sets", "bounds", "ill", lambda r: True,
                          lambda r: {"ill": "[true,false]"}),
    "unsorted text": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{z, a}"}),
    "repeated text": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{a, a}"}),
    "NULL not first in text": ("sets", "text", "job", lambda r: True,
                               lambda r: {"job": "{z, NULL}"}),
    "no braces": ("sets", "text", "job", lambda r: True, lambda r: {"job": "z"}),
    "no member in text": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{}"}),
    "no blank after comma": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{a,z}"}),
    "empty member": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{a, , z}"}),
    "blank before a member": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{ z}"}),
    "blank after a member": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{z }"}),
    "open quote": ("sets", "text", "job", lambda r: True, lambda r: {"job": '{"a, z}'}),
    "bad escape": ("sets", "text", "job", lambda r: True, lambda r: {"job": '{"\\q"}'}),
    "after the quote": ("sets", "text", "job", lambda r: True, lambda r: {"job": '{"a"b}'}),
    "two sets": ("sets", "text", "job", lambda r: True, lambda r: {"job": "{a}, {z}"}),
    "text leaked as NULL": ("sets", "text", "job", lambda r: True, lambda r: {"job": None}),
    # labels
    "unknown place": ("paths", "bounds", "city", lambda r: True, lambda r: {"city": "Atlantis"}),
    "root of other trees": ("paths", "bounds", "city", lambda r: True, lambda r: {"city": "*"}),
    "prefix of another length": ("prefix", "bounds", "zip", lambda r: True,
                                 lambda r: {"zip": "1011*"}),
    "star inside": ("prefix", "bounds", "zip", lambda r: True, lambda r: {"zip": "1*1"}),
    "two stars": ("prefix", "bounds", "zip", lambda r: True, lambda r: {"zip": "1**"}),
    "other width": ("intervals", "bounds", "tax", lambda r: True, lambda r: {"tax": "[0, 15)"}),
    "other start": ("intervals", "bounds", "tax", lambda r: True, lambda r: {"tax": "[3, 8)"}),
    "other origin": ("intervals", "bounds", "bmi", lambda r: True, lambda r: {"bmi": "[0, 1.5)"}),
    "closed": ("intervals", "bounds", "tax", lambda r: True, lambda r: {"tax": "[0, 5]"}),
    "backwards": ("intervals", "bounds", "tax", lambda r: True, lambda r: {"tax": "[5, 0)"}),
    "no interval": ("intervals", "bounds", "tax", lambda r: True, lambda r: {"tax": "few"}),
    "level not listed": ("calendar", "bounds", "seen", lambda r: True, lambda r: {"seen": "2020"}),
    "month 0": ("calendar", "bounds", "born", lambda r: True, lambda r: {"born": "2020-00"}),
    "quarter 5": ("calendar", "bounds", "born", lambda r: True, lambda r: {"born": "2020-Q5"}),
    "decade of 2025": ("calendar", "bounds", "born", lambda r: True, lambda r: {"born": "2025s"}),
    "odd century": ("calendar", "bounds", "born", lambda r: True,
                    lambda r: {"born": "2001-2100"}),
    "30 February": ("calendar", "bounds", "born", lambda r: True,
                    lambda r: {"born": "2020-02-30"}),
    "word for a day": ("calendar", "bounds", "born", lambda r: True, lambda r: {"born": "spring"}),
    "backwards range": ("automatic", "bounds", "score", lambda r: True,
                        lambda r: {"score": "[5, 2]"}),
    "no range": ("automatic", "bounds", "score", lambda r: True, lambda r: {"score": "high"}),
    "range of words": ("automatic", "bounds", "seen", lambda r: True,
                       lambda r: {"seen": "[then, now]"}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", spread(MALFORMED, 2))
def test_malformed_cell(damaged, case, form):
    kind, cells, column, wanted, change = MALFORMED[case]
    sample = damage(damaged(kind, form, cells), wanted, change, whole=True)
    verdict = sample.verdict(original=True)
    assert_violated(verdict, "cells of people", column)
    assert_violated(verdict, "truthfulness")


@pytest.mark.parametrize("end", [float("nan"), float("inf"), float("-inf")])
def test_ends_that_are_no_finite_number(damaged, end):
    """Every number is at most NaN or infinity, so that such a cell would allow anything."""
    sample = damaged()
    sample.change_all(range(sample.published.height), pay_min=-1e300, pay_max=end)
    verdict = sample.verdict(original=True)
    assert_violated(verdict, "cells of people", "pay")
    assert_violated(verdict, "truthfulness")


# -- one row only: well formed, but on its own ---------------------------------------------------

LONELY = {
    "wider": ("numbers", "bounds", lambda r: r["age_max"] is not None,
              lambda r: {"age_max": r["age_max"] + 1}),
    "narrower": ("numbers", "bounds", lambda r: r["pay_min"] < r["pay_max"],
                 lambda r: {"pay_min": r["pay_max"]}),
    "NULL allowed": ("numbers", "bounds", lambda r: r["age_null"] is False,
                     lambda r: {"age_null": True}),
    "NULL leaked": ("numbers", "bounds", lambda r: r["age_null"] and r["age_min"] is not None,
                    lambda r: {"age_min": None, "age_max": None}),
    "NULL filled": ("numbers", "bounds", lambda r: r["age_min"] is None,
                    lambda r: {"age_min": 5, "age_max": 6}),
    "wider text": ("numbers", "text", lambda r: True, lambda r: {"pay": "[0.0, 99.5]"}),
    "NULL leaked as text": ("numbers", "text", lambda r: r["age"] is not None,
                            lambda r: {"age": None}),
    "NULL filled in text": ("numbers", "text", lambda r: r["age"] is None,
                            lambda r: {"age": "[5, 6]"}),
    "same range, written otherwise": ("numbers", "text", lambda r: True,
                                      lambda r: {"pay": "[0, 99.5]"}),
    "later": ("days", "bounds", lambda r: True,
              lambda r: {"seen_max": r["seen_max"].replace(year=2025)}),
    "another member": ("sets", "bounds", lambda r: "z" not in r["job"],
                       lambda r: {"job": r["job"][:-1] + ',"😃"]'}),
    "another member of text": ("sets", "text", lambda r: True, lambda r: {"job": "{a, z}"}),
    "another label": ("paths", "bounds", lambda r: r["city"] != "Anywhere",
                      lambda r: {"city": "Anywhere"}),
    "label leaked as NULL": ("paths", "bounds", lambda r: r["city"] is not None,
                             lambda r: {"city": None}),
    "NULL label filled": ("paths", "bounds", lambda r: r["city"] is None,
                          lambda r: {"city": "Anywhere"}),
    "longer prefix": ("prefix", "bounds", lambda r: True, lambda r: {"zip": "201*"}),
    "wider interval": ("intervals", "bounds", lambda r: r["tax"] != "*", lambda r: {"tax": "*"}),
    "another period": ("calendar", "bounds", lambda r: True, lambda r: {"born": "1990-Q3"}),
    "another listing": ("automatic", "bounds", lambda r: True,
                        lambda r: {"pet": '["ant","dog"]'}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", spread(LONELY, 2))
def test_row_that_stands_alone(damaged, case, form):
    kind, cells, wanted, change = LONELY[case]
    sample = damage(damaged(kind, form, cells), wanted, change, whole=False)
    assert_only_violated(sample.verdict(), "k-anonymity")


# -- a whole class: well formed, k-anonymous, but not true ----------------------------------------

UNTRUE = {
    "narrowed": ("numbers", "bounds", lambda r: (r["age_max"] or 0) > (r["age_min"] or 0),
                 lambda r: {"age_max": r["age_max"] - 1}),
    "narrowed by a little": ("numbers", "bounds", lambda r: r["pay_max"] == 9.75,
                             lambda r: {"pay_max": 9.75 - 1e-9}),
    "narrowed a large number": ("numbers", "bounds", lambda r: r["age_max"] == 2**60 + 5,
                                lambda r: {"age_max": 2**60 + 4}),
    "narrowed a large number in text": ("numbers", "text", lambda r: f"{2**60}" in (r["age"] or ""),
                                        lambda r: {"age": f"[{2**60 + 1}, {2**60 + 5}]"}),
    "moved away": ("numbers", "bounds", lambda r: True,
                   lambda r: {"pay_min": 1e6, "pay_max": 2e6}),
    "NULL denied": ("numbers", "bounds", lambda r: r["age_null"] and r["age_min"] is not None,
                    lambda r: {"age_null": False}),
    "nothing but NULL": ("numbers", "bounds", lambda r: r["age_null"] and r["age_min"] is not None,
                         lambda r: {"age_min": None, "age_max": None}),
    "NULL filled": ("numbers", "bounds", lambda r: r["age_min"] is None,
                    lambda r: {"age_min": 0, "age_max": 99, "age_null": False}),
    "narrowed text": ("numbers", "text", lambda r: "," in r["pay"],
                      lambda r: {"pay": r["pay"].split(", ")[0][1:]}),
    "NULL denied in text": ("numbers", "text", lambda r: "or NULL" in (r["age"] or ""),
                            lambda r: {"age": r["age"].removesuffix(" or NULL")}),
    "only NULL in text": ("numbers", "text", lambda r: r["age"] is not None,
                          lambda r: {"age": None}),
    "NULL filled in text": ("numbers", "text", lambda r: r["age"] is None,
                            lambda r: {"age": "[0, 99]"}),
    "a day less": ("days", "bounds", lambda r: r["born_max"] == date(1999, 12, 31),
                   lambda r: {"born_max": date(1999, 12, 30)}),
    "a microsecond less": ("days", "bounds", lambda r: r["seen_min"] < r["seen_max"],
                           lambda r: {"seen_max": r["seen_max"] - timedelta(microseconds=1)}),
    "a day less in text": ("days", "text", lambda r: "1999-12-31" in (r["born"] or ""),
                           lambda r: {"born": "[1987-11-03, 1999-12-30]"}),
    "less than a second less": ("days", "text", lambda r: "23:59:59.999999" in r["seen"],
                                lambda r: {"seen": "[2020-03-01 12:30:00, 2020-05-01 23:59:59]"}),
    "a member replaced": ("sets", "bounds", lambda r: '"z"' in r["job"],
                          lambda r: {"job": r["job"].replace('"z"', '"zz"')}),
    "a member left out": ("sets", "bounds", lambda r: '"z"' in r["job"] and "," in r["job"],
                          lambda r: {"job": r["job"].replace('"z",', "").replace(',"z"', "")}),
    "NULL left out": ("sets", "bounds", lambda r: "null," in r["job"],
                      lambda r: {"job": r["job"].replace("null,", "")}),
    "NULL for the word": ("sets", "bounds", lambda r: '"NULL"' in r["job"],
                          lambda r: {"job": "[null]"}),
    "the other truth": ("sets", "bounds", lambda r: r["ill"] == "[true]",
                        lambda r: {"ill": "[false]"}),
    "a text member replaced": ("sets", "text", lambda r: "z" in r["job"],
                               lambda r: {"job": r["job"].replace("z", "zz")}),
    "NULL left out of text": ("sets", "text", lambda r: "{NULL, " in r["job"],
                              lambda r: {"job": r["job"].replace("NULL, ", "", 1)}),
    "NULL for the word in text": ("sets", "text", lambda r: '"NULL"' in r["job"],
                                  lambda r: {"job": "{NULL}"}),
    "shorter than the prefix says": ("prefix", "bounds", lambda r: r["zip"] == "10",
                                     lambda r: {"zip": "10*"}),
    "another prefix": ("prefix", "bounds", lambda r: (r["zip"] or "*").endswith("*"),
                       lambda r: {"zip": "3*"}),
    "NULL instead of a prefix": ("prefix", "bounds", lambda r: r["zip"] is not None,
                                 lambda r: {"zip": None}),
    "prefix instead of NULL": ("prefix", "bounds", lambda r: r["zip"] is None,
                               lambda r: {"zip": "1*"}),
    "next interval": ("intervals", "bounds", lambda r: r["bmi"] == "[1.6, 3.1)",
                      lambda r: {"bmi": "[3.1, 4.6)"}),
    "up to but not including": ("intervals", "bounds", lambda r: r["bmi"] == "0.1",
                                lambda r: {"bmi": "[-1.4, 0.1)"}),
    "a single number": ("intervals", "bounds", lambda r: r["tax"] == "[20, 40)",
                        lambda r: {"tax": "23"}),
    "another century": ("calendar", "bounds", lambda r: (r["born"] or "").startswith("2"),
                        lambda r: {"born": "1900-1999"}),
    "another day": ("calendar", "bounds", lambda r: r["seen"] == "2020-01-05",
                    lambda r: {"seen": "2020-01-06"}),
    "next month": ("calendar", "bounds", lambda r: r["born"] == "2002-03",
                   lambda r: {"born": "2002-04"}),
    "next quarter": ("calendar", "bounds", lambda r: r["born"] == "2004-Q1",
                     lambda r: {"born": "2004-Q2"}),
    "next decade": ("calendar", "bounds", lambda r: r["born"] == "2010s",
                    lambda r: {"born": "2020s"}),
    "the last millennium": ("calendar", "bounds", lambda r: r["born"] == "1900-1999",
                            lambda r: {"born": "1999"}),
    "another country": ("paths", "bounds", lambda r: r["city"] == "France",
                        lambda r: {"city": "Norway"}),
    "one city": ("paths", "bounds", lambda r: r["city"] == "France",
                 lambda r: {"city": "Lyon"}),
    "root denied": ("paths", "bounds", lambda r: r["city"] == "Anywhere",
                    lambda r: {"city": "Switzerland"}),
    "unknown value": ("automatic", "bounds", lambda r: r["pet"] is not None,
                      lambda r: {"pet": "yak"}),
    "another list": ("automatic", "bounds", lambda r: (r["pet"] or "").startswith('["cat'),
                     lambda r: {"pet": '["ant","bat"]'}),
    "another range": ("automatic", "bounds", lambda r: r["score"] == "[7, 11]",
                      lambda r: {"score": "[8, 10]"}),
    "an earlier day": ("automatic", "bounds", lambda r: r["seen"] == "2020-01-01",
                       lambda r: {"seen": "[2019-01-01, 2019-12-31]"}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", spread(UNTRUE, 2))
def test_class_that_is_not_true(damaged, case, form):
    kind, cells, wanted, change = UNTRUE[case]
    sample = damage(damaged(kind, form, cells), wanted, change, whole=True)
    assert_only_violated(sample.verdict(original=True), "truthfulness")


# -- a whole class, changed but still true: nobody may cry wolf ------------------------------------

STILL_TRUE = {
    "wider": ("numbers", "bounds", lambda r: r["age_min"] == 20,
              lambda r: {"age_min": -1, "age_max": 200}),
    "NULL allowed": ("numbers", "bounds", lambda r: r["age_null"] is False,
                     lambda r: {"age_null": True}),
    "wider text": ("numbers", "text", lambda r: True, lambda r: {"pay": "[-1e3, 1e21] or NULL"}),
    "whole numbers for fractions": ("numbers", "text", lambda r: "[0.1" in r["pay"],
                                    lambda r: {"pay": "[0, 2]"}),
    "fractions for whole numbers": ("numbers", "text", lambda r: "[20" in (r["age"] or ""),
                                    lambda r: {"age": "[19.5, 31.5]"}),
    "later": ("days", "text", lambda r: r["born"] is not None,
              lambda r: {"born": "[1000-01-01, 9999-12-31] or NULL"}),
    "day for a moment": ("days", "text", lambda r: r["seen"].startswith("[2020"),
                         lambda r: {"seen": "[2020-03-01, 2020-05-02]"}),
    "time zone": ("days", "text", lambda r: r["seen"].startswith("[2020"),
                  lambda r: {"seen": "[2020-03-01 14:30:00+02:00, 2020-05-01 23:59:59.999999Z]"}),
    "one more member": ("sets", "bounds", lambda r: True,
                        lambda r: {"job": r["job"][:-1] + ',"😃"]'}),
    "blanks in JSON": ("sets", "bounds", lambda r: True, lambda r: {"job": " " + r["job"] + " "}),
    "escapes in JSON": ("sets", "bounds", lambda r: '"z"' in r["job"],
                        lambda r: {"job": r["job"].replace("z", "\\u007a")}),
    "quotes not needed": ("sets", "text", lambda r: r["ill"] == "{true}",
                          lambda r: {"ill": '{"true"}'}),
    "root": ("paths", "bounds", lambda r: r["city"] != "Anywhere", lambda r: {"city": "Anywhere"}),
    "shorter prefix": ("prefix", "bounds", lambda r: (r["zip"] or "").startswith("20"),
                       lambda r: {"zip": "2*"}),
    "larger interval": ("intervals", "bounds", lambda r: r["tax"] == "[30, 35)",
                        lambda r: {"tax": "[20, 40)"}),
    "from and including": ("intervals", "bounds", lambda r: r["bmi"] == "0.1",
                           lambda r: {"bmi": "[0.1, 0.4)"}),
    "same interval written otherwise": ("intervals", "bounds", lambda r: r["tax"] == "[30, 35)",
                                        lambda r: {"tax": "[30.0, 3.5e1)"}),
    "larger period": ("calendar", "bounds", lambda r: r["seen"] == "2020-01-05",
                      lambda r: {"seen": "2020-01"}),
    "larger range": ("automatic", "bounds", lambda r: True, lambda r: {"score": "[-9, 99.5]"}),
    "list in another order": ("automatic", "bounds", lambda r: (r["pet"] or "").startswith('["cat'),
                              lambda r: {"pet": '["dog", "cat"]'}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", spread(STILL_TRUE, 2))
def test_class_that_is_still_true(damaged, case, form):
    kind, cells, wanted, change = STILL_TRUE[case]
    sample = damage(damaged(kind, form, cells), wanted, change, whole=True)
    assert_holds(sample.verdict(original=True))
