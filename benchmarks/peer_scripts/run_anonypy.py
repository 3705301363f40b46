"""Mondrian of anonypy."""

from __future__ import annotations

import sys

import anonypy
import pandas as pd
from measured import QUASI, SENSITIVE, Task, run, table

task = Task.read(sys.argv[1:])
data = table(task)
rows = run(task, lambda: anonypy.Preserver(data, QUASI, SENSITIVE).anonymize_k_anonymity(task.k))
published = pd.DataFrame(rows)
for name in QUASI:
    published[name] = published[name].str[0]
published[[*QUASI, "count"]].to_csv(task.target, index=False)
