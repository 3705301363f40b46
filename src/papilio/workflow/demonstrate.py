"""The whole way on sample data, in a folder of its own."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from papilio.families.generalising.example_rows import ExampleRow, example_rows
from papilio.policy.apply import order_from_source
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.scratch import check_target, disk_faults
from papilio.samples import FOLDER
from papilio.workflow.publish import Publication, publish_to
from papilio.workflow.report import report


@dataclass(frozen=True, eq=False)
class Demonstration:
    """What a demonstration made.

    Attributes
    ----------
    policy, report
        The files.
    publication
        The release.
    example
        One row before and after.
    """

    policy: Path
    publication: Publication
    report: Path
    example: ExampleRow


def demonstrate(folder: str | Path, *, progress: Progress | None = None) -> Demonstration:
    """Publish, verify and report the Adult sample at k = 10 in a new folder.

    Raises
    ------
    OutputError
        If the folder exists or the disk refuses; nothing is left behind.
    """
    target = Path(folder)
    check_target(target)
    with disk_faults(target):
        target.mkdir()
    try:
        with disk_faults(target):
            _copy_samples(target)
        return _go_through(target, progress or silent)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


def _copy_samples(target: Path) -> None:
    files = [path for path in FOLDER.rglob("*.*") if path.suffix not in (".py", ".pyc")]
    for path in files:
        copy = target / path.relative_to(FOLDER)
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, copy)


def _go_through(target: Path, tell: Progress) -> Demonstration:
    order = Policy.load(target / "policy.yaml")
    publication = publish_to(
        target / "release", order, progress=lambda stage, share: tell(stage, share / 2)
    )
    page = report(
        target / "release",
        target / "report.html",
        original=order,
        progress=lambda stage, share: tell(stage, 0.5 + share / 2),
    )
    example = example_rows(publication.release, order_from_source(order).table, 1)[0]
    return Demonstration(target / "policy.yaml", publication, page, example)
