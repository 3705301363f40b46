"""Functions that an SQL source may call.

``functions.txt`` lists those that compute their result from their arguments, the clock or chance,
and from nothing else: no files, settings, variables, sequences, catalogs or texts of SQL. What is
not listed is refused, also if a later DuckDB brings it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

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
