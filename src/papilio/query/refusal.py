"""A question that is not answered, with the place in the SQL text that is to blame."""

from __future__ import annotations

from papilio.errors import PapilioError

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
