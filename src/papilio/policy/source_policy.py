"""The ``source:`` part of a policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.data.io.confine import confined
from papilio.data.io.postgres import check_options
from papilio.data.source import FileSource, PostgresSource, Source, SqlSource, parse_source
from papilio.errors import DataError
from papilio.policy.faults import pick_one
from papilio.policy.words import Words


class SourcePolicy(BaseModel):
    """Where the data is; a bare string is a file, a folder or a `postgresql://` address."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    file: Annotated[
        str | None,
        Words(
            "File",
            "A CSV, TSV or Parquet file, or a folder of them, beside the policy.",
            "data/patients.parquet",
        ),
    ] = None
    name: Annotated[
        str | None,
        Words(
            "Name", "Name of the published table; left out, that of the file or table.", "patients"
        ),
    ] = Field(None, pattern=r"^[A-Za-z0-9_-]+$")
    null: Annotated[
        tuple[str, ...],
        Words(
            "Missing values",
            "Texts that mean a missing value in CSV and TSV files, besides an empty cell.",
            "['NA', '?']",
        ),
    ] = Field(())
    sql: Annotated[
        str | None,
        Words(
            "Query over files",
            "A SELECT that DuckDB runs over files.",
            "SELECT p.*, j.sector FROM 'people.csv' p JOIN 'jobs.csv' j USING (job)",
        ),
    ] = None
    postgresql: Annotated[
        str | None,
        Words("Server", "Address of a PostgreSQL server.", "postgresql://reader@db.example/clinic"),
    ] = Field(None, repr=False)
    table: Annotated[
        str | None, Words("Table there", "Table to read there.", "public.patients")
    ] = None
    query: Annotated[
        str | None,
        Words(
            "Query there",
            "Or a query to run there.",
            "SELECT age, job, disease FROM patients WHERE consent",
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if isinstance(data, str):
            parsed = _told(lambda: parse_source(data, Path()))
            if isinstance(parsed, PostgresSource):
                return {"postgresql": parsed.uri, "table": parsed.table}
            return {"file": data}
        return data

    @model_validator(mode="after")
    def _consistent(self) -> SourcePolicy:
        pick_one(self, ("file", "sql", "postgresql"))
        if self.postgresql is not None:
            pick_one(self, ("table", "query"))
        elif self.table is not None or self.query is not None:
            raise ValueError("table and query go with postgresql")
        if self.null and self.file is None:
            raise ValueError("null goes with file")
        _told(lambda: self.source(Path()))
        return self

    def source(self, base: Path, allowed: tuple[Path, ...] | None = None) -> Source:
        """Turn it into a source to read.

        Parameters
        ----------
        base
            Folder that names of files are relative to.
        allowed
            Files and folders besides ``base`` that it may name; ``None`` for any.

        Raises
        ------
        DataError
            If it names a file that lies elsewhere, or an option of a server that may not be set.
        """
        if self.postgresql is not None:
            check_options(self.postgresql, allowed)
            return PostgresSource(self.postgresql, self.table, self.query)
        if self.sql is not None:
            return SqlSource(self.sql, base, allowed)
        parsed = parse_source(self.file or "", base)
        if not isinstance(parsed, FileSource):
            check_options(self.file or "", allowed)
            return parsed
        confined(self.file or "", base, allowed)
        places = None if allowed is None else (base, *allowed)
        return FileSource(parsed.path, self.null, places)


def _told(make: Callable[[], Source]) -> Source:
    """Make a source; its own faults become faults of the policy, with file and line."""
    try:
        return make()
    except DataError as error:
        raise ValueError(str(error)) from None
