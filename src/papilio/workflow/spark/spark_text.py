"""The verifier's statements as Spark reads them: the same text, but for names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from papilio.verify.opened import WORK

_TOKENS = re.compile(
    rf"""
    (?P<source>\b(?:FROM|JOIN)\s+)"(?P<table>(?:[^"]|"")*)"
    | (?P<name>"(?:[^"]|"")*")
    | (?P<text>'(?:[^']|'')*')
    | \b{WORK}\.(?P<own>\w+)
    """,
    re.VERBOSE,
)


def spark_text(statement: str, views: Mapping[str, str], prefix: str) -> str:
    """Turn a statement of the verifier into one of Spark.

    Tables, whose names servers do not agree how to quote, are temporary views with plain names, and
    so are the verifier's own tables, outside of any schema. Other names in double quotes get
    backticks, texts the escapes that Spark reads. Nothing else is changed.

    Parameters
    ----------
    statement
        SQL with names in double quotes.
    views
        View of each published table.
    prefix
        What the names of the verifier's own tables begin with.
    """

    def spark(token: re.Match[str]) -> str:
        if token["source"]:
            return token["source"] + views[token["table"].replace('""', '"')]
        if token["name"]:
            return "`" + token["name"][1:-1].replace('""', '"').replace("`", "``") + "`"
        if token["text"]:
            inside = token["text"][1:-1].replace("''", "'")
            return "'" + inside.replace("\\", "\\\\").replace("'", "\\'") + "'"
        return f"{prefix}_{token['own']}"

    return _TOKENS.sub(spark, statement)
