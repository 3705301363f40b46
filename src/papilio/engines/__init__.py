"""Where SQL runs: DuckDB inside this program, or a PostgreSQL server."""
