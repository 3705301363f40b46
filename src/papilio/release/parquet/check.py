"""A Parquet file of a release, checked before anything believes it."""

from __future__ import annotations

from papilio.release.parquet.footer import read_footer
from papilio.release.parquet.pages import check_pages


def check_parquet(file: int, size: int) -> None:
    """Refuse a Parquet file that says more, or other things, than its rows.

    Afterwards all readers see the same rows, skip none of them, and need no more memory than the
    size of the file allows. Whether the rows are what the manifest says is not checked here.

    Cost: the footer and the heads of the pages; one pass over the values if the file says anything
    about them, which those of Papilio do not.

    Parameters
    ----------
    file, size
        Descriptor and length of the file.

    Raises
    ------
    RefusedError
        With what is wrong.
    """
    footer = read_footer(file, size)
    check_pages(file, size, footer)
    if footer.has_statistics:
        from papilio.release.parquet.statistics import check_statistics

        check_statistics(file, footer)
