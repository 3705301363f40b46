"""The comparison with the paper on hybrid recoding says what the numbers say."""

from hybrid_claims import BOTTOM_UP, CLAIMS, RELAXED, STRICT, Claim, judge, report, verdict

KS = (5, 10)


def claim(better="lower", others=(STRICT,), or_equal=False):
    return Claim(2, "DM", better, others, or_equal, "the words of the paper")


def judged(asked, mine, theirs):
    numbers = {("ours", k): value for k, value in zip(KS, mine, strict=True)}
    numbers |= {(STRICT, k): value for k, value in zip(KS, theirs, strict=True)}
    return list(judge(asked, numbers, KS, ["ours"]))


def test_all_some_or_none_of_the_numbers_agree():
    assert verdict(judged(claim(), (1, 2), (2, 3))) == "agrees"
    assert verdict(judged(claim(), (1, 4), (2, 3))) == "agrees in part"
    assert verdict(judged(claim(), (3, 4), (2, 3))) == "does not agree"


def test_higher_turns_the_comparison_round():
    assert verdict(judged(claim("higher"), (3, 4), (2, 3))) == "agrees"
    assert verdict(judged(claim("higher"), (1, 2), (2, 3))) == "does not agree"


def test_equal_numbers_are_not_less_but_not_inferior():
    assert verdict(judged(claim(), (2, 3), (2, 3))) == "does not agree"
    assert verdict(judged(claim(or_equal=True), (2, 3), (2, 3))) == "agrees"


def test_both_statements_are_printed_where_they_differ():
    lines = "\n".join(report(claim(), judged(claim(), (1, 6), (2, 3))))
    assert "The paper: hybrid has the words of the paper." in lines
    assert "agrees in part" in lines
    assert "0.500 to 2.000 times strict Mondrian (not at k = 10)" in lines


def test_small_ratios_keep_their_digits():
    (finding,) = judged(claim(), (1, 1), (1000, 400))
    assert finding.sentence == "0.001 to 0.0025 times strict Mondrian"


def test_every_figure_of_the_paper_is_judged():
    assert {each.figure for each in CLAIMS} == {2, 3, 4, 5, 6, 7}
    assert {other for each in CLAIMS for other in each.others} == {STRICT, RELAXED, BOTTOM_UP}
