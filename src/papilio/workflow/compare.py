"""Run several methods at several k on one table and measure what each loses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from papilio.document.compare import render_comparison
from papilio.document.comparison import Comparison, Trial
from papilio.document.write import check_place, write_page
from papilio.errors import PapilioError
from papilio.measure.possible_values import exact_values
from papilio.measure.query_answerability import query_ratio
from papilio.policy.family import Family, family_of
from papilio.policy.improve_policy import ImprovePolicy
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.progress import Progress, silent
from papilio.release.disk import disk_faults
from papilio.workflow.contender import COMPARED, FOR_RECIPIENTS, USUAL, contenders
from papilio.workflow.trial import Bench, make_bench, try_one, warm_up

#: The k that are compared if nobody says which.
USUAL_K = (5, 10, 20, 50)
#: How long to improve if neither the call nor the policy says.
USUAL_TIME = "10s"
#: Families that no generalising method of one table serves, and what they are for.
_INSTEAD = {
    Family.PERMUTATION: "permutation, which loses nothing of quasi-identifiers",
    Family.DISGUISE: "a target distribution, which only disguise follows",
    Family.PROJECTIONS: "projections, which publish several tables",
    Family.LINKED: "linked tables, which only miracle generalises",
    Family.GRAPH: "a graph, which only grouping hides",
}


def compare(
    policy: Policy,
    *,
    data: Any = None,
    methods: Iterable[str] | None = None,
    k: Iterable[int] | None = None,
    improve: str | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare methods on one table, which is read and encoded once.

    What the policy demands besides k holds for every trial. Nothing is published.

    Parameters
    ----------
    policy
        The order; its source is read unless ``data`` is given.
    data
        The table as a frame.
    methods
        Names of methods, such as ``"mondrian"`` or ``"hybrid+improve"``; left out, the three fast
        ones, or those for several recipients if the policy names some, and the policy's own.
    k
        The k to try; left out, 5, 10, 20, 50 and the policy's own, as far as there are rows.
    improve
        How long ``+improve`` lasts, such as ``"10s"``; left out, as the policy says, or 10
        seconds. If no method is spelled with it, each is also run with it.
    progress
        Told of each trial.

    Raises
    ------
    PapilioError
        If a method is unknown, a k is not a whole number of at least 1, or policy and data do not
        fit. A trial that fails alone says why in the result.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> policy = pp.Policy(columns={"age": "quasi", "sex": "quasi"}, privacy=pp.K(5))
    >>> comparison = pp.compare(policy, data=people, methods=["mondrian", "hybrid"], k=[5, 10])
    >>> len(comparison.trials)
    4
    """
    check_comparable(policy)
    tell = progress or silent
    time_limit = _time(improve, policy)
    names = _usual_methods(policy) if methods is None else methods
    chosen = contenders(names, improved_too=improve is not None)
    wanted = None if k is None else _checked(k)
    tell("reading", 0.0)
    bench = make_bench(policy, data, time_limit)
    sizes = _usual_k(policy, bench.table.height) if wanted is None else wanted
    warm_up(bench, chosen)
    plan = [(each, size) for each in chosen for size in sizes]
    trials = []
    for number, (each, size) in enumerate(plan):
        tell(f"{each.name}, k = {size}", 0.1 + 0.85 * number / len(plan))
        trials.append(try_one(bench, each, size))
    return _comparison(bench, trials)


def compare_to(
    path: str | Path, policy: Policy, *, progress: Progress | None = None, **options: Any
) -> Comparison:
    """Compare, and write one self-contained HTML file for the owner's eyes.

    Parameters
    ----------
    path
        The file to write; it must not exist, and never lies inside a release directory.
    policy, progress, options
        As for :func:`compare`.
    """
    check_comparable(policy)
    target = Path(path)
    with disk_faults(target):
        check_place(target)
    comparison = compare(policy, progress=progress, **options)
    (progress or silent)("drawing", 0.95)
    write_page(render_comparison(comparison), target)
    return comparison


def check_comparable(policy: Policy) -> None:
    """Refuse a policy that no generalising method of one table could serve.

    Raises
    ------
    PapilioError
        Says what the policy is for; publish and report, or the workbench, show what it loses.
    """
    family = family_of(policy)
    if family not in COMPARED:
        raise PapilioError(
            f"compare is about generalising methods, and the policy is for {_INSTEAD[family]}; "
            "the page Compare of the workbench (papilio serve) tries its settings",
            reason="not-comparable",
        )


def _comparison(bench: Bench, trials: list[Trial]) -> Comparison:
    improved = any(each.outcome for each in trials if each.method.endswith("+improve"))
    return Comparison(
        table=bench.table.name,
        rows=bench.table.height,
        quasi=bench.policy.quasi,
        beside_k=_beside_k(bench.policy),
        label=bench.label,
        queries=len(bench.queries.values),
        exact_query_ratio=query_ratio(exact_values(bench.encoded), bench.queries),
        improve=_words(bench.improve) if improved else None,
        trials=tuple(trials),
        recipients=tuple(bench.policy.recipients),
    )


def _usual_methods(policy: Policy) -> tuple[str, ...]:
    own = () if policy.method in (None, "auto") else (policy.method,)
    usual = FOR_RECIPIENTS if policy.recipients else USUAL
    return tuple(dict.fromkeys([*usual, *own]))


def _usual_k(policy: Policy, rows: int) -> tuple[int, ...]:
    own = policy.privacy.k or USUAL_K[0]
    return tuple(k for k in sorted({*USUAL_K, own}) if k <= rows) or (own,)


def _checked(k: Iterable[int]) -> tuple[int, ...]:
    sizes = tuple(dict.fromkeys(k))
    if not sizes or not all(_is_size(each) for each in sizes):
        raise PapilioError("k must be whole numbers of at least 1, such as 5,10,20", reason="bad-k")
    return sizes


def _is_size(k: object) -> bool:
    return isinstance(k, int) and not isinstance(k, bool) and k >= 1


def _time(improve: str | None, policy: Policy) -> ImprovePolicy:
    if improve is None and policy.improve is not None:
        return policy.improve
    try:
        return ImprovePolicy.model_validate(USUAL_TIME if improve is None else improve)
    except ValidationError:
        raise PapilioError(
            "improve: give a time such as 10s, 2m or 500ms", reason="bad-time"
        ) from None


def _words(improve: ImprovePolicy) -> str:
    parts = [
        *([] if improve.seconds is None else [f"{improve.seconds:g} seconds"]),
        *([] if improve.steps is None else [f"{improve.steps} steps"]),
    ]
    return " or ".join(parts)


def _beside_k(policy: Policy) -> tuple[str, ...]:
    """Requirements other than k, in words."""
    together = policy.privacy.collusion_k
    words = [] if together is None else [f"at least {together} rows for all recipients together"]
    for each in policy.requirements:
        if not isinstance(each, KAnonymity):
            parameters = {key: said for key, said in each.parameters().items() if key != "column"}
            said = ", ".join(f"{key} = {value}" for key, value in parameters.items())
            words.append(f"{each.name} of {each.column} ({said})")
    return tuple(words)
