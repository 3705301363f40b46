"""What may stand in a query: expressions that depend on the row and nothing else.

A list of what is allowed, not of what is forbidden: whatever is not here is refused, so that no
function that reads files, the environment, the clock or chance can come in.
"""

from __future__ import annotations

from sqlglot import exp

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
