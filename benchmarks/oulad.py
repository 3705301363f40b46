"""Students of the Open University with their enrolments and submissions, anonymised together.

Data: Open University Learning Analytics dataset (Kuzilek, Hlosta, Zdrahal, Scientific Data 4, 2017)
in ``../shared/data/oulad``. Run from the root: ``python -m benchmarks.oulad``. Prints what is lost
per column, which rows are removed, how long each step takes, and how that compares with bounds:
120 s and 6 GiB, 95% of the enrolments kept.
"""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from papilio.families.linked.make import linked_order_of
from papilio.measure.linked_loss import linked_loss
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish_to
from papilio.workflow.risk import attack
from papilio.workflow.verify import verify

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "oulad"

POLICY = """
papilio: 1
tables:
  student:
    source:
      sql: >
        SELECT id_student, gender, region, highest_education, age_band, disability FROM (
          SELECT *, row_number() OVER (PARTITION BY id_student
            ORDER BY code_presentation, code_module) AS enrolled
          FROM read_csv('studentInfo.csv', all_varchar = true)) WHERE enrolled = 1
    key: id_student
    columns: {gender: quasi, region: quasi, highest_education: quasi, age_band: quasi,
              disability: quasi}
  enrolment:
    source:
      sql: >
        SELECT concat_ws('/', id_student, code_module, code_presentation) AS enrolment,
          id_student, code_module, code_presentation, final_result
        FROM read_csv('studentInfo.csv', all_varchar = true)
    key: enrolment
    parent: {student: id_student}
    columns: {code_module: quasi, code_presentation: quasi, final_result: sensitive}
  submission:
    source:
      sql: >
        SELECT concat_ws('/', id_student, code_module, code_presentation) AS enrolment,
          assessment_type, least(TRY_CAST(score AS INTEGER), 99) // 20 * 20 AS score_from,
          TRY_CAST(date_submitted AS INTEGER) AS date_submitted
        FROM read_csv('studentAssessment.csv', all_varchar = true)
        JOIN read_csv('assessments.csv', all_varchar = true) USING (id_assessment)
    parent: {enrolment: enrolment}
    columns: {assessment_type: quasi, score_from: quasi, date_submitted: sensitive}
person: student
privacy: {k: 5}
"""


def main() -> int:
    """Publish, verify with the original, measure and attack."""
    if not DATA.is_dir():
        sys.stdout.write("../shared/data/oulad is not there; nothing was measured\n")
        return 0
    policy = Policy.parse(POLICY, base=DATA)
    folder = Path(tempfile.mkdtemp())
    try:
        return _measure(policy, folder / "release")
    finally:
        shutil.rmtree(folder)


def _measure(policy: Policy, target: Path) -> int:
    seconds = {}
    clock = time.perf_counter()
    publication = publish_to(target, policy)
    seconds["read, anonymise, write, verify"] = time.perf_counter() - clock
    clock = time.perf_counter()
    verdict = verify(target, original=policy)
    seconds["verify with the original"] = time.perf_counter() - clock
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    order, _ = linked_order_of(None, policy)
    say = sys.stdout.write
    for step, took in seconds.items():
        say(f"{step:<32}{took:8.1f} s\n")
    total = sum(seconds.values())
    say(f"{'together':<32}{total:8.1f} s of 120 s ({total / 120:.2f})\n")
    say(f"{'memory':<32}{memory:8.2f} GiB of 6 GiB ({memory / 6:.2f})\n")
    for finding in verdict.findings:
        if finding.claim.startswith(("entity", "truth", "entities")):
            say(f"{finding.claim:<32}{finding.status.value}: {finding.measured}\n")
    say("\ntable        rows      removed          column               loss\n")
    for table in linked_loss(order.snowflake, publication.release):
        say(f"{table.name:<12} {table.rows:<9,} {table.removed:,} ({table.share_removed:.2%})\n")
        for name, loss in table.columns.items():
            say(f"{'':<40}{name:<20} {loss:.4f}\n")
        if table.name == "enrolment":
            kept = 1 - table.share_removed
            say(f"{'':<12} kept {kept:.2%} of at least 95%\n")
    say("\n")
    for result in attack(publication.release, original=policy):
        say(f"{result.attacker}: {result.sentence}\n")
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
