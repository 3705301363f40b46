"""Theorem 2: bounds of the permuted table lie inside those of the generalised one."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from partitioned import generalised, permuted
from random_sql import conditions, frames, groups
from test_query_sound import COLUMNS, WHOLE, known_somewhere

from papilio.query.ask import ask_table

ASKED = "SELECT sum(s), avg(s), min(s), max(s), count(s) FROM patients WHERE"


@settings(max_examples=40)
@given(st.data())
def test_inside(data):
    frame = data.draw(frames(WHOLE))
    partition = data.draw(groups(frame.height))
    assume(known_somewhere(frame, partition))
    condition = data.draw(conditions())
    (inner,) = ask_table(permuted(frame, partition, COLUMNS), f"{ASKED} {condition}").rows
    (outer,) = ask_table(generalised(frame, partition, COLUMNS), f"{ASKED} {condition}").rows
    for name, found in inner.answers.items():
        around = outer.answers[name]
        assert around.null or not found.null
        if found.lo is None:
            assert around.null or around.lo is None
            continue
        # Quotients that are rounded outward may differ in their last place.
        slack = 1e-14 * max(abs(found.lo), abs(found.hi), 1) if name == "avg(s)" else 0
        assert around.lo - slack <= found.lo
        assert found.hi <= around.hi + slack
