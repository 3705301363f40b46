"""Whether a release has and claims what its policy and its original promise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.promise.paths import tree_faults
from papilio.verify.promise.promise import Promise, PromisedColumn, PromisedTable
from papilio.verify.verdict import Finding, Status, finding

if TYPE_CHECKING:
    from papilio.policy.column_policy import ColumnPolicy
    from papilio.policy.policy import Policy
    from papilio.policy.privacy_policy import ClosenessPolicy, DiversityPolicy


_Test = Callable[[Any, Any], bool]


def _same(claimed: Any, demanded: Any) -> bool:
    if isinstance(demanded, bool) or not isinstance(demanded, int | float):
        return type(claimed) is type(demanded) and bool(claimed == demanded)
    return _number(claimed) == _number(demanded)


def _at_least(claimed: Any, demanded: Any) -> bool:
    number = _number(claimed)
    return number is not None and number >= Fraction(str(demanded))


def _at_most(claimed: Any, demanded: Any) -> bool:
    number = _number(claimed)
    return number is not None and number <= Fraction(str(demanded))


def _near(claimed: Any, demanded: Any) -> bool:
    """A wider window that holds no larger share holds what a narrower one does, and more."""
    if not isinstance(claimed, dict) or claimed.keys() != {"width", "at_most"}:
        return False
    return _at_least(claimed["width"], demanded["width"]) and _at_most(
        claimed["at_most"], demanded["at_most"]
    )


def _anything(_claimed: Any, _demanded: Any) -> bool:
    return True


def _number(claimed: Any) -> Fraction | None:
    if isinstance(claimed, bool) or not isinstance(claimed, int | float):
        return None
    return Fraction(str(claimed)) if math.isfinite(claimed) else None


_DIVERSITY: dict[str, Mapping[str, _Test]] = {
    "distinct-l-diversity": {"column": _same, "l": _at_least},
    "entropy-l-diversity": {"column": _same, "l": _at_least},
    # r1 < c (r_l + …): a smaller c and a later place both ask for more.
    "recursive-l-diversity": {"column": _same, "c": _at_most, "l": _at_least},
}
_CLOSENESS: Mapping[str, _Test] = {
    "column": _same, "t": _at_most, "distance": _same, "order": _same,
}  # fmt: skip
#: Where people may have several rows, what is demanded over people; it says more than over rows.
_UNIT: Mapping[str, _Test] = {"unit": _same}
#: What a claim may say besides; who does not demand it gets more than was demanded.
_MORE = frozenset({"unit", "known", "near", "volunteers"})
#: Claim -> parameter -> test of what is claimed against what is demanded.
TESTS: Mapping[str, Mapping[str, _Test]] = {
    "k-anonymity": {"k": _at_least, **_UNIT},
    **{name: {**tests, **_UNIT} for name, tests in _DIVERSITY.items()},
    **{f"entity-{name}": tests for name, tests in _DIVERSITY.items()},
    "t-closeness": {**_CLOSENESS, **_UNIT},
    "nt-closeness": {**_CLOSENESS, "n": _at_least, **_UNIT},
    "shared-classes": {},
    "ke-anonymity": {
        "column": _same, "k": _at_least, "e": _at_least, "known": _at_least, "near": _near,
    },
    "secret-column": {"column": _same, "l": _at_least},
    "entity-k-anonymity": {"k": _at_least},
    # Strictness is no demand of a policy; if it is claimed, it is checked.
    "safe-grouping": {
        "k": _at_least, "l": _at_least, "left": _same, "right": _same, "strict": _anything,
        # How many links may be missing is said of their table.
        "dropped": _anything,
    },
    "known-degree": {"s": _at_least},
    # Tree and parts are compared with the policy's target by themselves.
    "target-distribution": {
        "column": _same, "shift": _at_most, "fakes": _at_most, "allocation": _same,
        "tree": _anything, "parts": _anything,
    },
    "personal-levels": {
        "column": _same, "volunteers": _same, "tree": _anything, "parts": _anything,
    },
    "group-floor": {"column": _same, "k": _at_least, "l": _at_least, "e": _at_least},
    "follows": {"column": _same, "leader": _same},
    "safe-cells": {"k": _at_least, "among": _same},
}  # fmt: skip


def keeps(claim: Claim, demanded: Claim) -> bool:
    """Whether a claim promises what is demanded, or more.

    A claim on more columns promises more: its classes are finer, and what holds for finer classes
    holds for their unions. So does a claim over people: over rows it holds too. It must have no
    parameter but those that are known, and every one that is demanded.
    """
    tests = TESTS.get(demanded.claim)
    about = (claim.claim, claim.table, claim.recipient)
    if tests is None or about != (demanded.claim, demanded.table, demanded.recipient):
        return False
    if not {*demanded.columns} <= {*claim.columns} or not {*claim.parameters} <= {*tests}:
        return False
    unsaid = {name for name in claim.parameters if tests[name] is not _anything}
    unsaid -= _MORE - demanded.parameters.keys()
    return unsaid == {*demanded.parameters} and all(
        tests[name](claim.parameters.get(name), wanted)
        for name, wanted in demanded.parameters.items()
    )


#: Recipient of a policy that names none.
EVERYONE = "everyone"
#: For whom a claim about recipients who put together what they know holds.
TOGETHER = "all recipients together"
#: Stands for every sensitive column.
_EVERY = "*"
#: A claim without the table and the recipient it is about.
Demand = tuple[str, dict[str, Any]]


def demands_of(
    policy: Policy,
    types: Mapping[str, str],
    several: Mapping[str, tuple[str, ...]],
    recipient: str | None = None,
) -> list[Demand]:
    """What is demanded of every class of one table that a recipient sees.

    Parameters
    ----------
    policy
        The order.
    types
        Column -> type.
    several
        Boolean columns that each column with several values became.
    recipient
        One whom the policy names, who may have demands of their own.
    """
    privacy = policy.privacy
    own = None if recipient is None else policy.recipients[recipient]
    k = privacy.k if own is None or own.k is None else own.k
    diverse_of = dict(_by_column(policy, privacy.l))
    close_to = dict(_by_column(policy, privacy.t))
    if own is not None:
        # What a recipient's own demand names takes the place of the general one.
        diverse_of |= _by_column(policy, own.l)
        close_to |= _by_column(policy, own.t)
    demands: list[Demand] = [] if k is None else [("k-anonymity", {"k": k})]
    for column, diverse in _per_column(policy, diverse_of, several):
        demands.append(diversity(column, diverse))
    for name, close in _named(policy, close_to):
        demands += [
            _closeness(column, close, policy.columns[name], types[column])
            for column in several.get(name, (name,))
        ]
    demands = [(name, {**parameters, **unit_of(policy)}) for name, parameters in demands]
    secret = {} if own is None else own.secret
    # Of what cells allow it does not matter whose rows they are.
    kept = [("secret-column", {"column": name, "l": said.l}) for name, said in secret.items()]
    return [*demands, *kept]


def unit_of(policy: Policy) -> dict[str, Any]:
    """What a claim says of its unit: people, if the policy says whose rows they are."""
    return {} if policy.person_column is None else {"unit": "people"}


def claims_on(
    demands: Sequence[Demand], table: str, columns: Sequence[str], recipient: str = EVERYONE
) -> Iterator[Claim]:
    """Demands as claims about a table, for a recipient who knows some columns."""
    for name, parameters in demands:
        yield Claim(name, table, recipient, tuple(columns), parameters)


def diversity(column: str, demanded: DiversityPolicy) -> Demand:
    """One demand of ``l``."""
    if demanded.distinct is not None:
        return "distinct-l-diversity", {"column": column, "l": demanded.distinct}
    if demanded.entropy is not None:
        return "entropy-l-diversity", {"column": column, "l": demanded.entropy}
    assert demanded.recursive is not None  # noqa: S101 - the policy has exactly one of the three
    share, place = demanded.recursive
    return "recursive-l-diversity", {"column": column, "c": share, "l": place}


def _closeness(column: str, demanded: ClosenessPolicy, said: ColumnPolicy, kind: str) -> Demand:
    ordered = kind in ("numeric", "date")
    natural = "hierarchical" if said.hierarchy else "ordered" if ordered else "equal"
    parameters: dict[str, Any] = {"column": column, "t": demanded.t}
    parameters["distance"] = demanded.distance or natural
    if parameters["distance"] == "ordered" and not ordered:
        parameters["order"] = list(said.domain or ())
    if demanded.n is None:
        return "t-closeness", parameters
    return "nt-closeness", {**parameters, "n": demanded.n}


def _per_column(
    policy: Policy,
    demanded: Mapping[str, tuple[DiversityPolicy, ...]],
    several: Mapping[str, tuple[str, ...]],
) -> Iterator[tuple[str, DiversityPolicy]]:
    for name, one in _named(policy, demanded):
        yield from ((column, one) for column in several.get(name, (name,)))


def _by_column(
    policy: Policy, demanded: Mapping[str, tuple[Any, ...]]
) -> dict[str, tuple[Any, ...]]:
    """Demands by the column they are on, where one may stand for every sensitive column."""
    found: dict[str, tuple[Any, ...]] = {}
    for name, one in _named(policy, demanded):
        found[name] = (*found.get(name, ()), one)
    return found


def _named(policy: Policy, demanded: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
    sensitive = [name for name, said in policy.columns.items() if said.role.value == "sensitive"]
    for key, every in demanded.items():
        for name in sensitive if key == _EVERY else [key]:
            yield from ((name, one) for one in every)


#: Findings without which rows cannot be compared with those of the original.
SHAPE = ("promised kind", "promised tables", "promised columns")
_Pair: TypeAlias = tuple[PublishedTable, PromisedTable]


def check_promise(
    opened: Opened, promise: Promise, original: str | None = None
) -> Iterator[Finding]:
    """Compare a release with the promise: kind, tables, columns, trees, rows and claims.

    Parameters
    ----------
    opened
        The release.
    promise
        What it must have and claim.
    original
        Name of a view with the original, for what only that can show.

    Notes
    -----
    Tables whose files or columns are not as the manifest says have been found before; here it is
    the manifest that is compared. Without the right kind and tables there is nothing further to
    compare, and the release does not keep its promise.
    """
    manifest = opened.manifest
    shape = [_kind(manifest, promise), _tables(manifest, promise)]
    yield from shape
    if any(found.status is not Status.HOLDS for found in shape):
        return
    pairs = [(manifest.table(wanted.name), wanted) for wanted in promise.tables]
    columns = _columns(opened, pairs)
    yield columns
    yield _rows(opened, pairs)
    yield _claims(manifest, promise)
    if columns.status is Status.HOLDS:
        for shown in promise.released:
            yield from shown(opened)
    if original is not None and columns.status is Status.HOLDS:
        for check in promise.checks:
            yield from check(opened, original)


def _kind(manifest: Manifest, promise: Promise) -> Finding:
    same = manifest.kind == promise.kind
    measured = promise.kind if same else "another"
    return finding("promised kind", promise.kind, measured, same)


def _tables(manifest: Manifest, promise: Promise) -> Finding:
    names = [table.name for table in manifest.tables]
    wanted = [table.name for table in promise.tables]
    faults = [f"'{name}' is missing" for name in wanted if name not in names]
    faults += [f"'{name}' is not promised" for name in names if name not in wanted]
    demanded = "those of the policy"
    return _found("promised tables", demanded, faults, f"{len(wanted)} as promised")


def _columns(opened: Opened, pairs: Iterable[_Pair]) -> Finding:
    faults = [
        f"{table.name}: {fault}"
        for table, wanted in pairs
        for fault in _table_faults(opened, table, wanted)
    ]
    demanded = "roles, types, cells and trees of the policy"
    return _found("promised columns", demanded, faults, "as promised")


def _table_faults(opened: Opened, table: PublishedTable, wanted: PromisedTable) -> Iterator[str]:
    published = {c.name: c for c in table.columns if c.cells not in wanted.helping}
    promised = {column.name: column for column in wanted.columns}
    yield from (f"'{name}' is not published" for name in promised if name not in published)
    yield from (f"'{name}' is not promised" for name in published if name not in promised)
    for name, column in promised.items():
        if name in published:
            yield from _column_faults(published[name], column)
            yield from tree_faults(opened, table, published[name], column)
    if (table.key, table.parent) != (wanted.key, _parent(wanted)):
        yield "another key or another table above"


def _parent(wanted: PromisedTable) -> dict[str, str] | None:
    return None if wanted.parent is None else dict(wanted.parent)


def _column_faults(column: PublishedColumn, promised: PromisedColumn) -> Iterator[str]:
    if column.role != promised.role:
        yield f"'{column.name}' is {promised.role} in the policy, not {column.role}"
    if column.type != promised.type:
        yield f"'{column.name}' is {promised.type} in the original, not {column.type}"
    if column.cells not in promised.cells:
        allowed = " or ".join(sorted(promised.cells))
        yield f"'{column.name}' has other cells than {allowed}"
    if promised.text is not None and column.text is not promised.text:
        yield f"'{column.name}' is {'' if promised.text else 'not '}to be written as text"


def _rows(opened: Opened, pairs: Iterable[_Pair]) -> Finding:
    faults = [
        f"{table.name}: {fault}"
        for table, wanted in pairs
        for fault in _row_faults(opened, table, wanted)
    ]
    demanded = "as many as the original has, less what the policy lets be left out"
    return _found("promised rows", demanded, faults, "as promised")


def _row_faults(opened: Opened, table: PublishedTable, wanted: PromisedTable) -> Iterator[str]:
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    if wanted.rows is not None and not wanted.rows[0] <= count <= wanted.rows[1]:
        least, most = wanted.rows
        yield f"{count} rows instead of {most if least == most else f'{least} to {most}'}"
    share = table.left_out_at_most
    if not math.isfinite(share) or Fraction(str(share)) > Fraction(str(wanted.left_out_at_most)):
        yield "a larger share may be left out than the policy says"
    if wanted.at_most is not None and wanted.parent is not None:
        yield from _above_limit(opened, table, next(iter(wanted.parent.values())), wanted.at_most)


def _above_limit(opened: Opened, table: PublishedTable, above: str, most: int) -> list[str]:
    """Rows of the table above that have more rows below them than the policy allows."""
    counts = f"SELECT count(*) AS n FROM {sql.name(table.name)} GROUP BY {sql.name(above)}"
    (many,) = opened.row(f"SELECT {sql.count_where(f'n > {most}')} FROM ({counts}) AS below")
    return [f"{many} times more than {most} rows below one"] if many else []


def _claims(manifest: Manifest, promise: Promise) -> Finding:
    missing = [
        wanted
        for wanted in promise.claims
        if not any(keeps(claim, wanted) for claim in manifest.claims)
    ]
    faults = [f"no such {claim.claim} of {claim.table} for {claim.recipient}" for claim in missing]
    demanded = "what the policy demands, for each recipient"
    kept = f"all {len(promise.claims)} claimed"
    return _found("promised claims", demanded, dict.fromkeys(faults), kept)


def _found(claim: str, demanded: str, faults: Iterable[str], kept: str) -> Finding:
    told = list(faults)
    return finding(claim, demanded, "; ".join(told) or kept, not told)
