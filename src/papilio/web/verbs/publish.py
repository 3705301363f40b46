"""Anonymise, verify, write a release, and remember how it came about."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.web.records import Record, save_record
from papilio.workflow.publish import publish_to


def publish(folder: Path, tell: Progress, text: str, number: int) -> Record:
    """Make a release of a project.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy.
    number
        Number of the release, which must not exist yet.
    """
    began = time.monotonic()
    policy = policy_in(folder, text)
    made = publish_to(folder / "releases" / str(number), policy, progress=tell)
    record = Record(
        number=number,
        text=text,
        kind=made.release.manifest.kind,
        method=made.choice.method,
        why=made.choice.why,
        k=policy.privacy.k,
        left_out=made.left_out,
        notes=made.notes,
        seconds=time.monotonic() - began,
        made=datetime.now().astimezone().isoformat(timespec="seconds"),
        rows=sum(table.rows for table in made.release.manifest.tables),
        findings=made.verdict.findings,
        lights=made.lights.to_dict(),
    )
    save_record(folder, record)
    return record
