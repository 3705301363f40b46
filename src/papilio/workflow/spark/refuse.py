"""What a Spark engine cannot do, said before anything starts."""

from __future__ import annotations

from papilio.data.source import FileSource, PostgresSource, SqlSource
from papilio.errors import PapilioError, PolicyError
from papilio.policy.policy import Policy

_KIND = {PostgresSource: "a PostgreSQL server", SqlSource: "a query"}


def check_possible(policy: Policy, format: str) -> None:  # noqa: A002
    """Refuse what cannot run in a Spark engine.

    Raises
    ------
    PolicyError
        Linked tables, graphs, sources other than files.
    PapilioError
        Another format than Parquet.
    """
    faults = []
    if policy.graph is not None:
        faults.append(policy.fault("a graph cannot be published by Spark; use local", "graph"))
    if policy.tables:
        message = "linked tables cannot be published by Spark; use local"
        faults.append(policy.fault(message, "tables"))
    if faults:
        raise PolicyError(faults)
    if format != "parquet":
        raise PapilioError(
            f"Spark writes parquet, not {format}; leave out --format or use local",
            reason="engine-format",
        )
    files_of(policy)


def files_of(policy: Policy) -> FileSource:
    """Return the files a policy names.

    Raises
    ------
    PolicyError
        If its source is something else.
    """
    where = policy.where()
    if where is None:
        raise PolicyError([policy.fault("this key is required to read the data", "source")])
    if not isinstance(where, FileSource):
        message = (
            f"Spark reads CSV, TSV and Parquet files and folders, not {_KIND[type(where)]}; "
            "use local, or write the table to Parquet first"
        )
        raise PolicyError([policy.fault(message, "source")])
    return where
