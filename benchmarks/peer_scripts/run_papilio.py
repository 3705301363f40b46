"""A publication by Papilio, verification included; the option is part of a policy, as JSON."""

from __future__ import annotations

import json
import sys

from measured import QUASI, SENSITIVE, Task, run, table

import papilio

task = Task.read(sys.argv[1:])
data = table(task)
asked = json.loads(task.option)
full_domain = asked.get("method") == "incognito"
columns = {
    name: {"role": "quasi", "hierarchy": str(task.folder / f"{name}.csv")}
    if full_domain
    else "quasi"
    for name in QUASI
}
privacy = {"k": task.k, **asked.pop("privacy", {})}
policy = papilio.Policy(columns={**columns, SENSITIVE: "sensitive"}, privacy=privacy, **asked)
release = run(task, lambda: papilio.publish(data, policy))
(published,) = release.tables.values()
published.drop(columns=SENSITIVE).to_csv(task.target, index=False)
