"""Aggregates over rows that must or may match equal those of trying out all choices."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from partitioned import generalised

from oracles.bounds import ends, possible_generalised
from papilio.query.ask import ask_table

COLUMNS = {"q": "quasi", "s": {"role": "sensitive", "type": "numeric"}}
SQL = "SELECT sum(s), avg(s), min(s), max(s), count(s), count(distinct s) FROM patients WHERE q > 0"


@settings(max_examples=50)
@given(
    st.lists(st.one_of(st.none(), st.integers(-3, 4)), max_size=4),
    st.lists(st.one_of(st.none(), st.integers(-3, 4)), max_size=5),
)
def test_all_choices(must, may):
    # Cells [1, 2] surely match q > 0, cells [0, 1] may, [-1, 0] cannot.
    rows = [(1 + n % 2 if len(must) > 1 else 1, 0, v) for n, v in enumerate(must)]
    rows += [(n % 2, 1, v) for n, v in enumerate(may)] if len(may) > 1 else []
    rows += [(-1, 2, 9), (0, 2, 9)]
    frame = pl.DataFrame(
        {"q": [row[0] for row in rows], "s": [row[2] for row in rows]},
        schema={"q": pl.Int64, "s": pl.Int64},
    )
    present = sorted({row[1] for row in rows})
    release = generalised(frame, [present.index(row[1]) for row in rows], COLUMNS)
    (answer,) = ask_table(release, SQL).rows
    cells = [(row[2], row[1] == 0) for row in rows if row[1] < 2]
    for name, found in answer.answers.items():
        function = name.replace("(s)", "").replace("(distinct s)", "_distinct")
        lo, hi, null = ends(possible_generalised(function, cells))
        assert found.null == (null and lo is not None), name
        if lo is None:
            assert found.lo is None
            continue
        assert found.lo == pytest.approx(float(lo), rel=2e-15, abs=1e-15), name
        assert found.hi == pytest.approx(float(hi), rel=2e-15, abs=1e-15), name
        assert found.exact == (lo == hi and not null)
