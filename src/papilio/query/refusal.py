"""A question that is not answered, with the place in the SQL text that is to blame.

What may stand in a query: expressions that depend on the row and nothing else.

A list of what is allowed, not of what is forbidden: whatever is not here is refused, so that no
function that reads files, the environment, the clock or chance can come in.
"""

from __future__ import annotations

from sqlglot import exp

from papilio.errors import PapilioError

#: Aggregates that can be bounded.
AGGREGATES = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Count)
_CONDITIONS = (
    exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE,
    exp.NullSafeEQ, exp.NullSafeNEQ, exp.Between, exp.In, exp.Is, exp.Like, exp.ILike, exp.Escape,
    exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.StartsWith,
)  # fmt: skip
_ARITHMETIC = (
    exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Abs, exp.Round, exp.Floor, exp.Ceil,
    exp.Sqrt, exp.Pow, exp.Ln, exp.Exp, exp.Sign, exp.Greatest, exp.Least,
)  # fmt: skip
_TEXT = (
    exp.Lower, exp.Upper, exp.Length, exp.Trim, exp.Substring, exp.Left, exp.Right, exp.DPipe,
    exp.Concat, exp.Replace,
)  # fmt: skip
_DATES = (
    exp.Extract, exp.Year, exp.Month, exp.Day, exp.Quarter, exp.TimestampTrunc, exp.DateTrunc,
    exp.Interval,
)  # fmt: skip
_ATOMS = (exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Var)
#: Nodes of a syntax tree that may stand in an expression over one row.
EXPRESSIONS: frozenset[type[exp.Expr]] = frozenset(
    (
        *_CONDITIONS,
        *_ARITHMETIC,
        *_TEXT,
        *_DATES,
        *_ATOMS,
        exp.Cast,
        exp.DataType,
        exp.DataTypeParam,
    )
)
#: Types a value may be cast to.
TYPES = frozenset(
    {
        exp.DataType.Type.BOOLEAN,
        exp.DataType.Type.SMALLINT,
        exp.DataType.Type.INT,
        exp.DataType.Type.BIGINT,
        exp.DataType.Type.DECIMAL,
        exp.DataType.Type.FLOAT,
        exp.DataType.Type.DOUBLE,
        exp.DataType.Type.VARCHAR,
        exp.DataType.Type.TEXT,
        exp.DataType.Type.DATE,
        exp.DataType.Type.TIMESTAMP,
        exp.DataType.Type.TIMESTAMPTZ,
    }
)
#: Parts of a SELECT that are understood.
CLAUSES = frozenset(
    {"expressions", "from_", "where", "group", "having", "order", "limit", "offset"}
)
#: How parts of a SELECT that are not understood are called.
CLAUSE_NAMES = {
    "with_": "WITH",
    "joins": "a join",
    "distinct": "SELECT DISTINCT",
    "qualify": "QUALIFY",
    "windows": "WINDOW",
    "laterals": "LATERAL",
    "sample": "a sample",
    "into": "INTO",
    "locks": "FOR UPDATE",
}
#: Longest piece of a line that is shown above the carets.
_SHOWN = 100
#: First and last character of a piece of the SQL text, both included.
Span = tuple[int, int]


class QueryError(PapilioError):
    """A query cannot be answered with bounds that are always right.

    Parameters
    ----------
    message
        One line: what is wrong and what would be accepted.
    reason
        A stable code for programs.
    sql
        The query.
    span
        The piece of it that is to blame; ``None`` if it is the query as a whole.
    """

    def __init__(
        self, message: str, *, reason: str, sql: str = "", span: Span | None = None
    ) -> None:
        self.sql = sql
        self.span = span
        super().__init__(message + _place(sql, span), reason=reason)

    def pictured(self) -> str:
        """Give the message, and below it the line of the SQL with carets under the culprit."""
        if self.span is None:
            return str(self)
        start, end = self.span
        begin = self.sql.rfind("\n", 0, start) + 1
        line = self.sql[begin:].split("\n", 1)[0].replace("\t", " ")
        left = max(0, start - begin - _SHOWN // 2)
        shown = line[left : left + _SHOWN]
        first = start - begin - left
        length = max(1, min(end - start + 1, len(shown) - first))
        return f"{self}\n  {shown}\n  {' ' * first}{'^' * length}"


def _place(sql: str, span: Span | None) -> str:
    if span is None:
        return ""
    line = sql.count("\n", 0, span[0]) + 1
    column = span[0] - (sql.rfind("\n", 0, span[0]) + 1) + 1
    return f" (line {line}, column {column})"
