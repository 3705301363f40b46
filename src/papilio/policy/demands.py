"""What a policy demands or allows besides k, l and t, as objects for ``Policy(privacy=…)``.

Each stands for one key under ``privacy`` of the policy file, and :meth:`written` says it as the
file would. k, l, t and (k,e) are requirements of their own, see :mod:`papilio.privacy`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from pydantic import ValidationError

from papilio.policy.faults import faults_of
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.decimals import exact, whole

_PERCENT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%\s*")


def without_percent(share: Any) -> Any:
    """A share that is written as per cent, such as ``2%``, as a number; anything else as it is."""
    match = _PERCENT.fullmatch(share) if isinstance(share, str) else None
    return share if match is None else float(Decimal(match[1]) / 100)


def _share(number: object, name: str) -> float:
    known = not isinstance(number, bool) and isinstance(number, (int, float))
    if not known or not 0 <= number <= 1:  # type: ignore[operator]
        raise ValueError(f"{name} must be a number from 0 to 1")
    return float(number)  # type: ignore[arg-type]


@dataclass(frozen=True)
class CollusionK:
    """Classes on the union of what all recipients know have at least ``k`` rows.

    k-anonymity against recipients who put together what they know and got; for policies with
    ``recipients``, and at most the k that each recipient alone is promised.

    Attributes
    ----------
    k
        Least size of a class; at least 1.

    Examples
    --------
    >>> import papilio as pp
    >>> policy = pp.Policy(
    ...     columns={"age": "quasi", "job": "quasi", "disease": "sensitive"},
    ...     recipients={"insurer": ["age"], "personnel": ["job"]},
    ...     privacy=[pp.K(10), pp.CollusionK(2)],
    ... )
    >>> policy.privacy.collusion_k
    2
    """

    k: int

    def __post_init__(self) -> None:
        whole(self.k, "k")

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        return {"collusion_k": self.k}


@dataclass(frozen=True)
class _Limit:
    """A largest share, from 0 to 1."""

    share: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", _share(self.share, "share"))


@dataclass(frozen=True)
class AssociationLoss(_Limit):
    """Projections lose at most this share of the dependency between sensitive columns.

    A limit on the loss, not a promise to people: ``docs/projections.md`` has the formula.

    Attributes
    ----------
    share
        From 0 (nothing may be lost) to 1 (everything may).

    Examples
    --------
    >>> import papilio as pp
    >>> columns = {"age": "quasi", "disease": "sensitive", "drug": "sensitive"}
    >>> demanded = [pp.K(5), pp.T("*", 0.4), pp.AssociationLoss(0.2), pp.Exposure(0.5)]
    >>> policy = pp.Policy(columns=columns, privacy=demanded)
    >>> policy.privacy.association_loss
    0.2
    """

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        return {"association_loss": self.share}


@dataclass(frozen=True)
class Exposure(_Limit):
    """Projections show at most this share of what sensitive columns say of each other.

    Columns that would say more stand in different tables, whose rows cannot be joined;
    ``docs/projections.md`` has the formula.

    Attributes
    ----------
    share
        From 0 (no two dependent columns in one table) to 1 (demands nothing).

    Examples
    --------
    >>> import papilio as pp
    >>> columns = {"age": "quasi", "disease": "sensitive", "drug": "sensitive"}
    >>> pp.Policy(columns=columns, privacy=[pp.K(5), pp.Exposure(0.5)]).privacy.exposure
    0.5
    """

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        return {"exposure": self.share}


@dataclass(frozen=True)
class GeneralisationLoss(_Limit):
    """No table of projections loses more than this share of the detail in quasi-identifiers.

    The loss is the normalised certainty penalty (NCP); sensitive columns that would need more are
    published apart.

    Attributes
    ----------
    share
        From 0 to 1 (demands nothing).

    Examples
    --------
    >>> import papilio as pp
    >>> columns = {"age": "quasi", "disease": "sensitive", "drug": "sensitive"}
    >>> demanded = [pp.K(5), pp.Exposure(0.5), pp.GeneralisationLoss(0.3)]
    >>> pp.Policy(columns=columns, privacy=demanded).privacy.generalisation_loss
    0.3
    """

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        return {"generalisation_loss": self.share}


@dataclass(frozen=True)
class Suppress:
    """Some rows may be left out, at most this share; the others then lose less.

    An allowance, not a promise: without it no row is left out. ``incognito`` uses it.

    Attributes
    ----------
    share
        From 0 to less than 1; text such as ``"2%"`` is understood.

    Examples
    --------
    >>> import papilio as pp
    >>> policy = pp.Policy(
    ...     columns={"age": "quasi", "disease": "sensitive"},
    ...     privacy=[pp.K(5), pp.Suppress("2%")],
    ...     method="incognito",
    ... )
    >>> policy.privacy.suppress
    0.02
    """

    share: float | str

    def __post_init__(self) -> None:
        number = _share(without_percent(self.share), "share")
        if number == 1:
            raise ValueError("share must be below 1; something has to be published")
        object.__setattr__(self, "share", number)

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        return {"suppress": self.share}


@dataclass(frozen=True, init=False)
class Target:
    """All that anyone learns about a sensitive column is a distribution that its owner chose.

    Target-distribution (P-privacy): every value becomes a range, and the ranges of each group
    follow the target, whatever the values are.

    Parameters
    ----------
    column
        The sensitive column; by position.
    distribution
        ``"same"``, ``"uniform"``, ``"normal"`` or ``"zipf"``, by position; left out, give
        ``file``.
    shift
        How far the share of a range among its siblings may differ from the target's, from 0 to 1.
    fakes
        Fake values that each group may get, as a share of its rows, or as text such as ``"5%"``.
    options
        What the policy file has under ``privacy.target.<column>``: ``mean``, ``std``,
        ``exponent``, ``by``, ``tree``, ``file`` and so on.

    Examples
    --------
    >>> import papilio as pp
    >>> target = pp.Target("salary", "normal", mean=3000, std=500, by=["region"], fakes="5%")
    >>> policy = pp.Policy(columns={"region": "quasi", "salary": "sensitive"}, privacy=target)
    >>> policy.privacy.target["salary"].mean, policy.privacy.fakes
    (3000.0, 0.05)
    """

    column: str
    policy: TargetPolicy
    shift: float
    fakes: float

    def __init__(
        self,
        column: str,
        distribution: str | None = None,
        /,
        *,
        shift: float = 0.0,
        fakes: float | str = 0.0,
        **options: Any,
    ) -> None:
        object.__setattr__(self, "column", column)
        for name, given in (("shift", shift), ("fakes", without_percent(fakes))):
            object.__setattr__(self, name, _share(given, name))
            exact(given, name)
        try:
            policy = TargetPolicy.model_validate({"distribution": distribution, **options})
        except ValidationError as error:
            faults = faults_of(error, TargetPolicy)
            raise ValueError("; ".join(f"{each.where} {each.message}" for each in faults)) from None
        object.__setattr__(self, "policy", policy)

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        allowed = {"shift": self.shift, "fakes": self.fakes}
        return {
            "target": {self.column: self.policy},
            **{key: share for key, share in allowed.items() if share},
        }


@dataclass(frozen=True)
class Personal:
    """Each person names the range inside which their value shall follow the target.

    Personal-levels; goes with :class:`Target`.

    Attributes
    ----------
    column
        Column with what each person says: a level of the tree of ranges, or a range such as
        ``[30, 60]``. It is not published.
    volunteers
        ``"blind"``: nobody joins a wider pool because of their value.

    Examples
    --------
    >>> import papilio as pp
    >>> policy = pp.Policy(
    ...     columns={"region": "quasi", "salary": "sensitive"},
    ...     privacy=[pp.Target("salary", "uniform"), pp.Personal("level")],
    ... )
    >>> policy.privacy.personal
    'level'
    """

    column: str
    volunteers: str | None = None

    def written(self) -> dict[str, Any]:
        """Say it as the policy file does."""
        blind = {} if self.volunteers is None else {"volunteers": self.volunteers}
        return {"personal": self.column, **blind}


Demand: TypeAlias = (
    CollusionK | AssociationLoss | Exposure | GeneralisationLoss | Suppress | Target | Personal
)
