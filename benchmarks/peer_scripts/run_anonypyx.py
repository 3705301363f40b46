"""An algorithm of anonypyx: ``Mondrian`` or ``MDAV-generic``."""

from __future__ import annotations

import sys

import anonypyx
from measured import QUASI, SENSITIVE, Task, run, table

task = Task.read(sys.argv[1:])
data = table(task)
published = run(
    task,
    lambda: anonypyx.Anonymiser(
        data,
        k=task.k,
        algorithm=task.option,
        feature_columns=QUASI,
        sensitive_column=SENSITIVE,
        generalisation_strategy="human-readable",
    ).anonymise(),
)
published[[*QUASI, "count"]].to_csv(task.target, index=False)
