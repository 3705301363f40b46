"""Submissions of the Open University's students as one flat file, with and without ``link: yes``.

Data: Open University Learning Analytics dataset (Kuzilek, Hlosta, Zdrahal, Scientific Data 4,
2017). Run from the root: ``python -m benchmarks.oulad_flat DATA [link | spread | as-it-is]``. One
row per submission, 173,912 of 23,369 students. Of 52 of them the age band changes from one
enrolment to the next, so that it varies in the file ``as-it-is``; ``link`` takes the first one of
each student, and publishes people and rows as two tables, ``spread`` the same as one table over
people. Prints where columns went, what is lost, and what it takes.
"""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from papilio.data.table import Table
from papilio.measure.linked_loss import linked_loss
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.publish import publish_to
from papilio.workflow.risk import attack
from papilio.workflow.verify import read_original, verify

OWN = ("gender", "region", "highest_education", "age_band", "disability")
FIRST = "first_value({0}) OVER (PARTITION BY id_student ORDER BY presentation, module) AS {0}"

POLICY = """
papilio: 1
source:
  name: submission
  sql: >
    SELECT id_student, {own}, assessment_type, code_module,
      least(TRY_CAST(score AS INTEGER), 99) // 20 * 20 AS score_from,
      TRY_CAST(date_submitted AS INTEGER) AS date_submitted, final_result
    FROM read_csv('studentAssessment.csv', all_varchar = true)
    JOIN read_csv('assessments.csv', all_varchar = true) USING (id_assessment)
    JOIN (SELECT *, code_module AS module, code_presentation AS presentation
      FROM read_csv('studentInfo.csv', all_varchar = true))
      USING (id_student, code_module, code_presentation)
person: id_student
link: {link}
columns: {{gender: quasi, region: quasi, highest_education: quasi, age_band: quasi,
          disability: quasi, code_module: quasi, assessment_type: quasi, score_from: quasi,
          date_submitted: sensitive, final_result: sensitive}}
privacy: {{k: 5}}
"""


def main() -> int:
    """Publish, verify with the original, measure and attack."""
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.stdout.write("give the folder with the files of OULAD; nothing was measured\n")
        return 0
    how = sys.argv[2] if len(sys.argv) > 2 else "link"
    own = ", ".join(name if how == "as-it-is" else FIRST.format(name) for name in OWN)
    text = POLICY.format(own=own, link="no" if how == "spread" else "yes")
    policy = Policy.parse(text, base=Path(sys.argv[1]))
    folder = Path(tempfile.mkdtemp())
    try:
        return _measure(policy, folder / "release")
    finally:
        shutil.rmtree(folder)


def _measure(policy: Policy, target: Path) -> int:
    say = sys.stdout.write
    clock = time.perf_counter()
    publication = publish_to(target, policy)
    say(f"{'read, anonymise, write, verify':<32}{time.perf_counter() - clock:8.1f} s\n")
    say("".join(f"{note}\n" for note in publication.notes))
    clock = time.perf_counter()
    verdict = verify(target, original=policy)
    say(f"{'verify with the original':<32}{time.perf_counter() - clock:8.1f} s\n")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    say(f"{'memory':<32}{memory:8.2f} GiB\n")
    for finding in verdict.findings:
        if finding.claim.startswith(("entity", "truth", "division", "k-anonymity")):
            say(f"{finding.claim:<32}{finding.status.value}: {finding.measured}\n")
    say("".join(f"{line}\n" for line in _lost(policy, publication.release)))
    clock = time.perf_counter()
    for result in attack(publication.release, original=policy):
        say(f"{result.attacker}: {result.sentence}\n")
    say(f"{'attack':<32}{time.perf_counter() - clock:8.1f} s\n")
    return 0 if verdict.holds else 1


def _lost(policy: Policy, release: Release) -> Iterator[str]:
    """What is lost: by table and column of linked tables, else by column."""
    original = read_original(policy).subject
    if isinstance(original, Table):
        lost = ncp(published_classes(release, original))
        yield f"NCP {lost.overall:.4f}"
        yield from (f"    {name:<28}{loss:.4f}" for name, loss in lost.per_column.items())
        return
    for table in linked_loss(original, release):
        yield f"{table.name}: {table.removed:,} of {table.rows:,} rows removed"
        yield from (f"    {name:<28}{loss:.4f}" for name, loss in table.columns.items())


if __name__ == "__main__":
    raise SystemExit(main())
