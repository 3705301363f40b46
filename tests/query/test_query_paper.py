"""Tables 2.1 to 2.4 of the dissertation, as papers D2.14 confirms them."""

from dataclasses import replace

import polars as pl
import pytest
from partitioned import PAPER, PAPER_COLUMNS, PAPER_GROUPS, generalised, permuted

from papilio.workflow.ask import ask

#: Query 1 to 3 of section 2.2.
QUERIES = {
    1: "SELECT avg(salary) FROM patients WHERE age > 50",
    2: "SELECT sum(salary) FROM patients WHERE age BETWEEN 35 AND 55",
    3: "SELECT min(salary) FROM patients WHERE gender = 'F'",
}
#: Table 2.2: ages in tens, three digits of the zipcode, no gender.
BANDS = "".join(f"{age},[{(age - 1) // 10 * 10 + 1}-{(age - 1) // 10 * 10 + 10}],*\n"
                for age in range(31, 61))  # fmt: skip


@pytest.fixture
def table_22(tmp_path):
    (tmp_path / "age.csv").write_text(BANDS, encoding="utf-8")
    (tmp_path / "gender.csv").write_text("M,*\nF,*\n", encoding="utf-8")
    columns = {
        **PAPER_COLUMNS,
        "age": {"role": "quasi", "hierarchy": str(tmp_path / "age.csv")},
        "zipcode": {"role": "quasi", "hierarchy": {"prefix": [3]}},
        "gender": {"role": "quasi", "hierarchy": str(tmp_path / "gender.csv")},
    }
    release = generalised(PAPER, PAPER_GROUPS, columns)
    # The table of the dissertation hides the gender everywhere, also where all have the same.
    hidden = release.frames["patients"].with_columns(gender=pl.lit("*"))
    return replace(release, frames={"patients": hidden})


@pytest.mark.parametrize(
    ("query", "lo", "hi"), [(1, 80000, 80000), (2, 530000, 540000), (3, 65000, 70000)]
)
def test_permuted(query, lo, hi):
    (row,) = ask(permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS), QUERIES[query]).rows
    (found,) = row.answers.values()
    assert (found.lo, found.hi, found.exact) == (lo, hi, lo == hi)


@pytest.mark.parametrize(
    ("query", "lo", "hi", "null"),
    [(1, 80000, 80000, False), (2, 210000, 615000, False), (3, 54000, 85000, True)],
)
def test_generalised(table_22, query, lo, hi, null):
    cells = table_22.frames["patients"]
    assert sorted(cells["age"].unique()) == ["[31-40]", "[41-50]", "[51-60]"]
    assert sorted(cells["zipcode"].unique()) == ["271*", "272*", "276*"]
    (row,) = ask(table_22, QUERIES[query]).rows
    (found,) = row.answers.values()
    assert (found.lo, found.hi, found.null) == (lo, hi, null)


def test_the_truth_is_inside():
    true = {
        1: PAPER.filter(pl.col("age") > 50)["salary"].mean(),
        2: PAPER.filter(pl.col("age").is_between(35, 55))["salary"].sum(),
        3: PAPER.filter(pl.col("gender") == "F")["salary"].min(),
    }
    release = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    for number, query in QUERIES.items():
        (row,) = ask(release, query).rows
        (found,) = row.answers.values()
        assert found.lo <= true[number] <= found.hi
