"""What is shared in butterflies for more than two recipients."""

from papilio.families.recipients.methods.butterfly import nested_plan, super_plan
from papilio.families.recipients.methods.setting import Plan, widest, wing

A, B, C, D, E, F, G = range(7)


def known(*recipients):
    return [frozenset(each) for each in recipients]


def test_two_recipients_share_what_both_know():
    plan = super_plan(known([A, B], [B, C]))
    assert plan.body == (B,)
    assert [each.attributes for each in plan.branches] == [(A,), (C,)]
    assert nested_plan(known([A, B], [B, C]), [1] * 3) == plan


def test_the_paper_s_super_butterfly():
    """Example 3: ABC, CDE, BDF and BG share BCD; A, E, F and G are wings."""
    plan = super_plan(known([A, B, C], [C, D, E], [B, D, F], [B, G]))
    assert plan.body == (B, C, D)
    assert sorted(each.attributes for each in plan.branches) == [(A,), (E,), (F,), (G,)]


def test_a_chain_is_cut_where_it_costs_least():
    chain = known([A, B], [B, C], [C, D])
    plan = nested_plan(chain, [1, 1, 5, 1])
    assert plan.body == (B,)
    assert plan.branches[0] == wing(frozenset({A}))
    assert plan.branches[1] == Plan((frozenset({C, D}),), (), ()), (
        "BC without B is C, which whoever knows CD sees anyway"
    )
    assert nested_plan(chain, [1, 5, 1, 1]).body == (C,)


def test_a_separator_may_leave_a_smaller_butterfly():
    plan = nested_plan(known([A, B], [B, C, D], [D, E, F]), [1, 9, 1, 1, 1, 1])
    assert plan.body == (D,)
    inner = next(each for each in plan.branches if not each.is_wing)
    assert inner.body == (B,)
    assert sorted(each.attributes for each in inner.branches) == [(A,), (C,)]


def test_blocks_without_a_body_of_their_own_are_no_blocks():
    plan = nested_plan(known([A, B], [A, C], [A, D]), [1] * 4)
    assert plan.body == (A,)
    assert all(each.is_wing for each in plan.branches)
    assert plan == super_plan(known([A, B], [A, C], [A, D]))


def test_very_many_recipients_have_a_plan():
    many = known(*[[0, place] for place in range(1, 15)])
    assert nested_plan(many, [1] * 15).body == (0,)


def test_only_the_widest_recipients_count():
    assert widest(known([A, B], [A], [], [B, A], [C])) == tuple(known([A, B], [C]))
