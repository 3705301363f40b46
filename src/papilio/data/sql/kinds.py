"""What an SQL source may consist of: the kinds of DuckDB's syntax tree, and their keys.

A key says what stands below it: a group of kinds, or a plain value. A kind that is not listed is
refused; so is a key that is not listed, unless it says nothing (``null``, empty, false). Hence
whatever a later DuckDB adds to its language is refused until it is written down here.

Functions that an SQL source may call.

``functions.txt`` lists those that compute their result from their arguments, the clock or chance,
and from nothing else: no files, settings, variables, sequences, catalogs or texts of SQL. What is
not listed is refused, also if a later DuckDB brings it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

#: Functions that read files, and the options each takes.
_ANY_FILE = {"filename", "hive_partitioning", "union_by_name", "hive_types", "hive_types_autocast"}
_CSV = _ANY_FILE | {
    "all_varchar", "allow_quoted_nulls", "auto_detect", "auto_type_candidates", "column_names",
    "column_types", "columns", "comment", "compression", "dateformat", "decimal_separator",
    "delim", "delimiter", "dtypes", "encoding", "escape", "force_not_null", "header",
    "ignore_errors", "max_line_size", "names", "new_line", "normalize_names", "null_padding",
    "nullstr", "null", "quote", "sample_size", "sep", "skip", "strict_mode", "thousands",
    "timestampformat", "types",
}  # fmt: skip
_JSON = _ANY_FILE | {
    "auto_detect", "columns", "compression", "convert_strings_to_integers", "dateformat",
    "field_appearance_threshold", "format", "ignore_errors", "map_inference_threshold",
    "maximum_depth", "maximum_object_size", "maximum_sample_files", "records", "sample_size",
    "timestampformat",
}  # fmt: skip
_PARQUET = _ANY_FILE | {"binary_as_string", "file_row_number"}
FILE_FUNCTIONS: dict[str, set[str]] = {
    "read_csv": _CSV,
    "read_csv_auto": _CSV,
    "read_parquet": _PARQUET,
    "parquet_scan": _PARQUET,
    "read_json": _JSON,
    "read_json_auto": _JSON,
    "read_ndjson": _JSON,
    "read_ndjson_auto": _JSON,
}
#: Functions that are tables without a file.
TABLE_FUNCTIONS = frozenset({"generate_series", "range", "unnest"})
#: Functions that write out a value of an option.
LITERAL_FUNCTIONS = frozenset({"list_value", "map", "row", "struct_pack"})
#: Ends of names that are files without a function, and how they are read.
READERS = {
    "csv": "read_csv",
    "tsv": "read_csv",
    "parquet": "read_parquet",
    "json": "read_json",
    "jsonl": "read_json",
    "ndjson": "read_json",
}


@cache
def functions() -> frozenset[str]:
    """Names of all functions and operators that may stand in an expression, in lower case."""
    text = files("papilio.data.sql").joinpath("functions.txt").read_text(encoding="utf-8")
    lines = (line.split() for line in text.splitlines() if not line.startswith("# "))
    return frozenset(name for line in lines for name in line)


Keys: TypeAlias = dict[str, str]
#: Texts, numbers, truth values and lists of them.
PLAIN: Final = "plain"
#: Key that tells the kind, for the groups that have more than one.
TAGS: Final = {"query": "type", "table": "type", "modifier": "type", "expression": "class"}
_ANY_QUERY: Final = {"type": PLAIN, "modifiers": "modifier", "cte_map": "ctes"}
_ANY_TABLE: Final = {"type": PLAIN, "alias": PLAIN, "sample": "sample", "column_name_alias": PLAIN}
_ANY_EXPRESSION: Final = {"class": PLAIN, "type": PLAIN, "alias": PLAIN}
_QUERIES: Final[dict[str, Keys]] = {
    "SELECT_NODE": {
        "select_list": "expression",
        "from_table": "table",
        "where_clause": "expression",
        "group_expressions": "expression",
        "group_sets": PLAIN,
        "aggregate_handling": PLAIN,
        "having": "expression",
        "sample": "sample",
        "qualify": "expression",
    },
    "SET_OPERATION_NODE": {
        "setop_type": PLAIN,
        "setop_all": PLAIN,
        "left": "query",
        "right": "query",
        "children": "query",
    },
    "RECURSIVE_CTE_NODE": {
        "cte_name": PLAIN,
        "union_all": PLAIN,
        "left": "query",
        "right": "query",
        "aliases": PLAIN,
        "key_targets": "expression",
    },
}
_TABLES: Final[dict[str, Keys]] = {
    "EMPTY": {},
    "BASE_TABLE": {
        "catalog_name": PLAIN,
        "schema_name": PLAIN,
        "table_name": PLAIN,
        "qualified_name": "name",
    },
    "TABLE_FUNCTION": {"function": "table_function", "with_ordinality": PLAIN},
    "SUBQUERY": {"subquery": "statement"},
    "EXPRESSION_LIST": {
        "expected_names": PLAIN,
        "expected_types": "nothing",
        "values": "expression",
    },
    "JOIN": {
        "left": "table",
        "right": "table",
        "condition": "expression",
        "join_type": PLAIN,
        "ref_type": PLAIN,
        "using_columns": PLAIN,
        "is_implicit": PLAIN,
        "nearest_count": PLAIN,
        "nearest_order_type": PLAIN,
    },
    "PIVOT": {
        "source": "table",
        "aggregates": "expression",
        "unpivot_names": PLAIN,
        "pivots": "pivot",
        "groups": PLAIN,
        "include_nulls": PLAIN,
    },
}
_FUNCTION: Final = {
    **_ANY_EXPRESSION,
    "catalog": PLAIN,
    "schema": PLAIN,
    "function_name": PLAIN,
    "filter": "expression",
    "order_bys": "modifier",
    "distinct": PLAIN,
    "is_operator": PLAIN,
    "arguments": "argument",
    "qualified_name": "name",
}
_EXPRESSIONS: Final[dict[str, Keys]] = {
    "CONSTANT": {"literal": "literal"},
    "COLUMN_REF": {"column_names": PLAIN},
    "POSITIONAL_REFERENCE": {"index": PLAIN},
    "FUNCTION": _FUNCTION,
    "CAST": {"child": "expression", "try_cast": PLAIN, "type_expr": "expression"},
    "TYPE": {"type_name": PLAIN, "children": "expression", "qualified_name": "name"},
    "COLLATE": {"child": "expression", "collation": PLAIN},
    "COMPARISON": {"left": "expression", "right": "expression"},
    "CONJUNCTION": {"children": "expression"},
    "OPERATOR": {"children": "expression"},
    "BETWEEN": {"input": "expression", "lower": "expression", "upper": "expression"},
    "CASE": {"case_checks": "case", "else_expr": "expression"},
    "LAMBDA": {"lhs": "expression", "expr": "expression", "syntax_type": PLAIN},
    "STAR": {
        "relation_name": PLAIN,
        "exclude_list": PLAIN,
        "replace_list": "replaced",
        "columns": PLAIN,
        "expr": "expression",
        "qualified_exclude_list": "column",
        "rename_list": "renamed",
    },
    "SUBQUERY": {
        "subquery_type": PLAIN,
        "subquery": "statement",
        "child": "expression",
        "comparison_type": PLAIN,
    },
    "WINDOW": {
        "catalog": PLAIN,
        "schema": PLAIN,
        "function_name": PLAIN,
        "partitions": "expression",
        "orders": "order",
        "start": PLAIN,
        "end": PLAIN,
        "start_expr": "expression",
        "end_expr": "expression",
        "offset_expr": "expression",
        "default_expr": "expression",
        "ignore_nulls": PLAIN,
        "has_ignore_nulls": PLAIN,
        "filter_expr": "expression",
        "exclude_clause": PLAIN,
        "distinct": PLAIN,
        "arg_orders": "order",
        "arguments": "argument",
        "qualified_name": "name",
    },
}
_MODIFIERS: Final[dict[str, Keys]] = {
    "ORDER_MODIFIER": {"type": PLAIN, "orders": "order"},
    "DISTINCT_MODIFIER": {"type": PLAIN, "distinct_on_targets": "expression"},
    "LIMIT_MODIFIER": {
        "type": PLAIN,
        "limit": "expression",
        "offset": "expression",
        "limit_type": PLAIN,
    },
}
#: Parts of which there is one kind, named like the group.
_RECORDS: Final[dict[str, Keys]] = {
    "tree": {"error": "nothing", "statements": "statement"},
    "statement": {"node": "query", "named_param_map": "nothing"},
    "ctes": {"map": "cte"},
    "cte": {"key": PLAIN, "value": "cte_value"},
    "cte_value": {
        "aliases": PLAIN,
        "materialized": PLAIN,
        "key_targets": "expression",
        "payload_aggregates": "expression",
        "query_node": "query",
    },
    "name": {"path": PLAIN},
    "table_function": _FUNCTION,
    "argument": {"name": PLAIN, "expression": "expression"},
    "literal": {"kind": PLAIN, "text": PLAIN},
    "case": {"when_expr": "expression", "then_expr": "expression"},
    "order": {"type": PLAIN, "null_order": PLAIN, "expression": "expression"},
    "replaced": {"key": PLAIN, "value": "expression"},
    "renamed": {"key": "column", "value": PLAIN},
    "column": {"catalog": PLAIN, "schema": PLAIN, "table": PLAIN, "column": PLAIN},
    "pivot": {
        "pivot_expressions": "expression",
        "unpivot_names": PLAIN,
        "entries": "pivot_entry",
    },
    "pivot_entry": {"values": "value", "star_expr": "expression", "alias": PLAIN},
    "sample": {
        "sample_size": "value",
        "is_percentage": PLAIN,
        "method": PLAIN,
        "seed": PLAIN,
        "repeatable": PLAIN,
        "sample_rate": PLAIN,
    },
    "value": {"type": "value_type", "is_null": PLAIN, "value": PLAIN},
    "value_type": {"id": PLAIN},
}
#: Per group its kinds, and per kind its keys.
GROUPS: Final[dict[str, dict[str, Keys]]] = {
    "query": {kind: {**_ANY_QUERY, **keys} for kind, keys in _QUERIES.items()},
    "table": {kind: {**_ANY_TABLE, **keys} for kind, keys in _TABLES.items()},
    "expression": {kind: {**_ANY_EXPRESSION, **keys} for kind, keys in _EXPRESSIONS.items()},
    "modifier": _MODIFIERS,
    "nothing": {},
    **{group: {group: keys} for group, keys in _RECORDS.items()},
}
#: Where a part stands in the text; every kind has them.
LOCATIONS: Final = frozenset({"query_location", "query_location_length"})
