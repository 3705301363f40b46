"""What the claims of a release may demand, and in which form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from papilio.release.hierarchy_rule import is_number

Form: TypeAlias = Callable[[Any], bool]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**18


def _number(value: Any) -> bool:
    return is_number(value) and value >= 0


def _share(value: Any) -> bool:
    return is_number(value) and 0 <= value <= 1


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _distance(value: Any) -> bool:
    return value in ("equal", "ordered", "hierarchical")


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_part, value))


def _part(value: Any) -> bool:
    match value:
        case {"weights": str(), "groups": [first, last]}:
            return len(value) == 2 and _whole(first) and _whole(last) and first <= last
    return False


_CLOSENESS = {"column": _text, "t": _number, "distance": _distance}
_TARGET = {"column": _text, "tree": _text, "parts": _parts}
#: By claim: parameters that it needs.
_NEEDED: Mapping[str, Mapping[str, Form]] = {
    "k-anonymity": {"k": _whole},
    "distinct-l-diversity": {"column": _text, "l": _whole},
    "entropy-l-diversity": {"column": _text, "l": _number},
    "recursive-l-diversity": {"column": _text, "c": _number, "l": _whole},
    "t-closeness": _CLOSENESS,
    "nt-closeness": {**_CLOSENESS, "n": _whole},
    "ke-anonymity": {"column": _text, "k": _whole, "e": _number},
    "target-distribution": _TARGET,
    "personal-levels": _TARGET,
    "entity-k-anonymity": {"k": _whole},
    "entity-distinct-l-diversity": {"column": _text, "l": _whole},
    "entity-entropy-l-diversity": {"column": _text, "l": _number},
    "entity-recursive-l-diversity": {"column": _text, "c": _number, "l": _whole},
    "safe-grouping": {"k": _whole, "l": _whole, "strict": _flag, "left": _text, "right": _text},
}
#: By claim: parameters that it may have besides.
_BESIDES: Mapping[str, Mapping[str, Form]] = {
    "t-closeness": {"order": _texts},
    "nt-closeness": {"order": _texts},
    "target-distribution": {"shift": _share, "fakes": _share, "allocation": _text},
    "personal-levels": {"shift": _share, "fakes": _share, "allocation": _text},
}


#: Every claim there is.
KNOWN = frozenset(_NEEDED)


def well_formed(claim: str, parameters: Mapping[str, Any]) -> bool:
    """Whether a claim is known and has the parameters that it needs, and no other."""
    needed, besides = _NEEDED.get(claim), _BESIDES.get(claim, {})
    if needed is None or not needed.keys() <= parameters.keys() <= {*needed, *besides}:
        return False
    return all({**needed, **besides}[key](value) for key, value in parameters.items())
