"""Variants of every family: what may vary is a policy, and figures are those of report and risk."""

from __future__ import annotations

import json
from functools import cache

import pytest

from papilio.cli.app import run
from papilio.errors import PolicyError
from papilio.policy.edit import with_value, without
from papilio.policy.policy import Policy
from papilio.workflow.compare import compare
from papilio.workflow.publish import publish
from papilio.workflow.report import loss
from papilio.workflow.risk import risk
from papilio.workflow.verify import read_original
from seven_families import FAMILIES, policy_of, write_family
from sizes import spread

#: What varies in the comparisons here: a value that can be met, and one that cannot.
VARIED = {
    "one-table": {"k": [3, 100]},
    "recipients": {"k": [3, 100]},
    "permutation": {"e": [2, 100]},
    "disguise": {"shift": [0.0, 0.1]},
    "projections": {"t": [0.9, 0.0]},
    "linked": {"k": [2, 100]},
    "divided": {"k": [2, 100]},
    "graph": {"k": [2, 100]},
}
#: Families whose second variant can be met as well.
FEASIBLE = {"disguise", "projections"}


def choices_of(policy):
    """What may be tried for a policy."""
    return policy.family.variants(policy)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Family -> its policy file."""
    return {each: write_family(tmp_path_factory.mktemp(each), each)[0] for each in FAMILIES}


@pytest.fixture(scope="module")
def compared(written):
    """Family -> a comparison by Python, made when it is asked for."""
    return cache(lambda family: compare(Policy.load(written[family]), variants=VARIED[family]))


@pytest.mark.parametrize("family", FAMILIES)
def test_everything_that_is_offered_is_a_policy(family):
    policy = Policy(**policy_of(family))
    choices = choices_of(policy)
    assert {*choices.usual} <= {line.name for line in choices.lines if line.why_not is None}
    for line in choices.lines:
        if line.why_not is None:
            assert choices_of(policy.varied(line.changes)).loss == choices.loss
    for key in choices.varied:
        assert {*key.usual} <= {*key.values}
        assert len({*key.values}) == len(key.values)
        for value in key.values:
            policy.varied(key.changes(value))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_variant_writes_is_the_variant(family, written):
    """The workbench writes into the text what the others set in the policy."""
    file = written[family]
    policy = Policy.load(file)
    choices = choices_of(policy)
    for line in choices.lines:
        for key in choices.varied:
            for value in key.values[:1] if line.why_not is None else ():
                changes = (*line.changes, *key.changes(value))
                if not _fits(policy, changes):
                    continue
                text = file.read_text(encoding="utf-8")
                for path, said in changes:
                    text = without(text, path) if said is None else with_value(text, path, said)
                assert Policy.parse(text, base=file.parent) == policy.varied(changes)


def _fits(policy, changes):
    """Whether a method has what varies; compare says in its row if it does not."""
    try:
        policy.varied(changes)
    except PolicyError:
        return False
    return True


@pytest.mark.parametrize("family", spread(FAMILIES, 2))
def test_a_variant_that_cannot_be_met_is_a_row(family, compared):
    met, second = (
        [each for each in compared(family).trials if value in each.values.values()]
        for value in next(iter(VARIED[family].values()))
    )
    assert all(each.outcome is not None for each in met)
    assert all((each.outcome is not None) is (family in FEASIBLE) for each in second)
    for each in second:
        if each.outcome is None:
            assert "at most" in each.why_not or "that was found to work is" in each.why_not


@pytest.mark.parametrize("family", spread(FAMILIES, 2))
def test_loss_and_risk_are_those_of_the_report_and_the_attacks(family, compared, written):
    trial = next(each for each in compared(family).trials if each.outcome is not None)
    policy = Policy.load(written[family]).varied(trial.changes)
    release = publish(None, policy, seed=0)
    assert trial.outcome.loss == pytest.approx(loss(release, original=policy))
    assert trial.outcome.risk == pytest.approx(_risk(release, policy))
    assert trial.outcome.people == read_original(policy).size
    assert trial.outcome.left_out == 0


def _risk(release, policy):
    """The figure of the attacks that the family calls risk."""
    found = risk(release, original=policy)
    figures = {name: value for each in found.attacks for name, value in each.figures.items()}
    match release.manifest.kind:
        case "permuted":
            return figures["worst"]
        case "disguised":
            return figures["largest_shift"]
        case "graph":
            return figures["strongest"]
        case "linked":
            return 1 / figures["smallest_group"]
        case _:
            alone = [view for view in found.views if not view.recipient.startswith("all")]
            return max(view.after.prosecutor.largest for view in alone)


@pytest.mark.parametrize("family", spread(FAMILIES, 2))
def test_the_command_line_gives_what_python_gives(family, compared, written, tmp_path, capsys):
    ((key, values),) = VARIED[family].items()
    page = tmp_path / "compare.html"
    listed = ",".join(map(str, values))
    code = run(
        ["compare", str(written[family]), f"--set={key}={listed}", "-o", str(page), "--json"]
    )
    said = capsys.readouterr()
    assert (code, said.err) == (0, "")
    told = json.loads(said.out)
    wanted = compared(family).to_dict()
    for each in (*told["trials"], *wanted["trials"]):
        each.pop("seconds", None)
    assert told == {**json.loads(json.dumps(wanted)), "page": str(page)}
    text = page.read_text(encoding="utf-8")
    assert compared(family).loss.words.replace("'", "&#39;") in text
    assert compared(family).risk.words.replace("'", "&#39;") in text


def test_demands_that_do_not_vary_and_cannot_be_met_end_it(tmp_path, capsys):
    policy = policy_of("one-table")
    policy["privacy"]["l"] = 9
    file, _ = write_family(tmp_path, "one-table", policy)
    assert run(["compare", str(file), "--k", "2,3", "-o", str(tmp_path / "c.html")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "column 'ill'" in line
    assert not (tmp_path / "c.html").exists()


def test_data_that_varies_is_read_again(written):
    """A key of a column changes what is read, and so what is measured."""
    policy = Policy.load(written["one-table"])
    variants = {"columns.age.type": ["numeric", "category"]}
    trials = compare(policy, methods=["mondrian"], variants=variants).trials
    losses = [each.outcome.loss for each in trials]
    assert losses[0] != losses[1]
    alone = compare(policy.varied(trials[1].changes), methods=["mondrian"], k=[3]).trials
    assert alone[0].outcome.loss == losses[1]
