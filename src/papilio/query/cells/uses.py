"""How a condition uses a column: compared with constants only, or in any other way."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_EQUALITY = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)


@dataclass(frozen=True)
class Use:
    """How a condition uses a column.

    Attributes
    ----------
    constants
        What the column is compared with, as expressions without columns.
    beginnings
        Texts that LIKE wants at the beginning, anything after them.
    ordered
        Whether any comparison is by size.
    simple
        Whether nothing but comparisons with constants, such LIKE, and IS NULL occurs.
    """

    constants: tuple[exp.Expr, ...]
    beginnings: tuple[str, ...]
    ordered: bool
    simple: bool


def use_of(condition: exp.Expr, name: str) -> Use:
    """Find out how a condition uses the column with a name."""
    constants: list[exp.Expr] = []
    beginnings: list[str] = []
    ordered, simple = False, True
    for column in condition.find_all(exp.Column):
        if column.name != name:
            continue
        found = _compared(column)
        if found is None:
            simple = False
            continue
        constants += found.constants
        beginnings += found.beginnings
        ordered |= found.ordered
    return Use(tuple(constants), tuple(beginnings), ordered, simple)


def _compared(column: exp.Column) -> Use | None:
    """What one occurrence is compared with; ``None`` if it is used in another way."""
    inner: exp.Expr = column
    while isinstance(inner.parent, exp.Paren):
        inner = inner.parent
    parent = inner.parent
    others = [] if parent is None else [e for e in parent.iter_expressions() if e is not inner]
    if any(each.find(exp.Column) for each in others):
        return None
    if isinstance(parent, _EQUALITY):
        return Use(tuple(others), (), False, True)
    if isinstance(parent, _ORDERING):
        return Use(tuple(others), (), True, True)
    if isinstance(parent, exp.Between) and parent.this is inner:
        return Use(tuple(others), (), True, True)
    if isinstance(parent, exp.In) and parent.this is inner:
        return Use(tuple(others), (), False, True)
    if isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Null):
        return Use((), (), False, True)
    if isinstance(parent, exp.Like) and parent.this is inner:
        beginning = _beginning(parent)
        return None if beginning is None else Use((), (beginning,), False, True)
    return None


def _beginning(like: exp.Like) -> str | None:
    """``010`` of ``LIKE '010%'``."""
    pattern = like.expression
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        return None
    text = str(pattern.this)
    bare = text.removesuffix("%")
    if bare == text or set(bare) & set("%_\\") or isinstance(like.parent, exp.Escape):
        return None
    return bare
