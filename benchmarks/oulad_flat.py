"""Submissions of the Open University's students as one flat file, published with ``link: yes``.

Data: Open University Learning Analytics dataset (Kuzilek, Hlosta, Zdrahal, Scientific Data 4,
2017). Run from the root: ``python -m benchmarks.oulad_flat DATA [first | as-it-is]``. One row per
submission, 173,912 of 23,369 students. Of 52 of them the age band changes from one enrolment to the
next, so that it varies in the file ``as-it-is``; ``first`` takes the first one of each student.
Prints where columns went, what is lost, and what it takes.
"""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from papilio.measure.linked_loss import linked_loss
from papilio.policy.policy import Policy
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
link: yes
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
    first = sys.argv[2:] != ["as-it-is"]
    own = ", ".join(FIRST.format(name) if first else name for name in OWN)
    policy = Policy.parse(POLICY.format(own=own), base=Path(sys.argv[1]))
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
        if finding.claim.startswith(("entity", "truth", "division")):
            say(f"{finding.claim:<32}{finding.status.value}: {finding.measured}\n")
    original = read_original(policy)
    for table in linked_loss(original.subject, publication.release):
        say(f"{table.name}: {table.removed:,} of {table.rows:,} rows removed\n")
        say("".join(f"    {name:<28}{loss:.4f}\n" for name, loss in table.columns.items()))
    clock = time.perf_counter()
    for result in attack(publication.release, original=policy):
        say(f"{result.attacker}: {result.sentence}\n")
    say(f"{'attack':<32}{time.perf_counter() - clock:8.1f} s\n")
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
