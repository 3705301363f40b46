"""Full-domain generalisation of anjana; the option is the percentage of rows it may leave out."""

from __future__ import annotations

import sys

import pandas as pd
from anjana.anonymity import k_anonymity
from measured import NUMERIC, QUASI, Task, run

task = Task.read(sys.argv[1:])
data = pd.read_csv(task.folder / "adult.csv")
hierarchies = {}
for name in QUASI:
    paths = pd.read_csv(task.folder / f"{name}.csv", header=None, dtype=str)
    if name in NUMERIC:
        paths[0] = paths[0].astype(int)
    hierarchies[name] = {level: paths[level].to_numpy() for level in paths}
published = run(task, lambda: k_anonymity(data, [], QUASI, task.k, float(task.option), hierarchies))
published[QUASI].to_csv(task.target, index=False)
