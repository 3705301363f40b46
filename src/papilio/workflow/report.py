"""The owner's report on a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.disk import disk_faults
from papilio.release.release import Release
from papilio.report.write import check_place, write_page
from papilio.workflow.report_content import report_content, report_kind


def report(
    release: Release | str | Path,
    path: str | Path,
    *,
    original: Policy,
    data: Any = None,
    population: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write one self-contained HTML file for the owner's eyes.

    Parameters
    ----------
    release
        A release or the directory of one.
    path
        The file to write; never inside a release directory.
    original
        The policy the release was made with.
    data
        The original as a frame, instead of the policy's source.
    population
        People the table was drawn from, for the risk of being found; see
        :func:`papilio.workflow.risk.risk`.
    overwrite
        Replace the file if it exists.
    progress
        Told of each stage.

    Raises
    ------
    ReleaseError
        If the release is not what its manifest says, or was made with another policy.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> pp.report(release, "report.html", original=policy, data=people).name
    'report.html'
    """
    with disk_faults(Path(path)):
        check_place(Path(path), overwrite=overwrite)
    kind, content = report_content(release, original, data, progress or silent, population)
    return write_page(report_kind(kind).page(content), Path(path), overwrite=overwrite)
