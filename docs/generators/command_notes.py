"""What the page about the command line says beyond each command's own help."""

from __future__ import annotations

NOTES = {
    "profile": """
Counts only; no value of a cell is shown. A column set is listed if at least 5 % of the rows are
alone on it. Sets have up to three columns. A table of more than a million rows is sampled for the
sets, and the output says so. The suggested roles are a start, not a decision.

```sh
papilio profile patients.csv
papilio profile patients.csv --json
papilio profile 'postgresql://reader@db.example/clinic#public.patients'
```

`--json` prints `rows`, `looked_at`, `largest_set`, `columns`, `risky_sets` and `risky_count`;
[measures](measures.md#uniqueness) explains the figures.
""",
    "init": """
The draft gives every column the role that `profile` suggests, with the reason as a comment. Read
every line. A column you delete from it is not published. A password in an address is not written
into the draft.

```sh
papilio init patients.csv -o policy.yaml
```

`--json` prints `policy` and `roles`.
""",
    "publish": """
Reads the source, anonymises, verifies the finished files and only then gives the directory its
name. If the verifier does not confirm the release, nothing is written. See
[the release format](release-format.md).

```sh
papilio publish policy.yaml -o release
papilio publish policy.yaml -o release-csv --format csv
papilio publish policy.yaml -o release --memory 8GiB
papilio publish policy.yaml -o release --engine spark --remote sc://spark.example:15002
```

A table that does not fit into the memory it may use is published piece by piece, and the run says
so. With `--engine spark`, the work is done by a Spark Connect server; without `--remote` by one on
this machine. [Scale](explanation/scale.md) says what that costs and what cannot run there.

`--json` prints `release`, `method`, `why`, `left_out` (columns the policy does not mention) and
`verdict`, as `papilio verify --json` prints it.
""",
    "verify": """
Reads the directory with SQL and judges every claim of the manifest. It needs nothing but the
release. With `--original`, the source of that policy is read too, and the published rows are
matched one to one with the original rows.

With `--policy`, any table is judged as it is, whoever made it: whether the classes of rows with
equal quasi-identifiers meet what the policy demands, and whether an identifier is among its
columns. Use it for the output of another tool, or to see how far the original is from what you
want. Cells are compared as text, types and hierarchies of quasi-identifiers play no part, and rows
that another tool blanked out form a class like any other. The policy's source and method are not
looked at.

```sh
papilio verify release
papilio verify release --original policy.yaml
papilio verify release --json
papilio verify table-of-another-tool.csv --policy policy.yaml
```

`--json` prints `{"holds": …, "findings": [{"claim", "recipient" or "column", "demanded",
"measured", "status"}]}`, with `--policy` also `left_out`. A status is `holds`, `violated` or
`not checked`; the whole is as good as its worst part.
""",
    "query": """
Every answer is a lower and an upper bound between which the truth lies whatever the original was,
an estimate with its standard deviation, and whether the release determines the answer. What cannot
be bounded is refused, with the place in the query. [Query](query.md) says what can be asked of each
kind of release.

```sh
papilio query release "SELECT town, avg(salary) FROM staff WHERE age > 50 GROUP BY town"
papilio query release "SELECT sum(salary) FROM staff" --sql postgres
```

`--json` prints `{"rows": [{"group": {…}, "answers": {"avg(salary)": {"lo", "hi", "estimate", "std",
"exact"}}}]}`. `--sql` prints the rewritten statement, which runs as it is on the tables that
`papilio load` loads.
""",
    "attack": """
Plays someone who gets the release, with the original at hand to tell who is right. Says in plain
sentences who could be singled out, what could be learnt, and of how many people; never a value.
[Attacks](attacks.md) defines every figure. The results are for the owner. Ends with 0 whatever it
finds: only `verify` judges.

```sh
papilio attack release --original policy.yaml
papilio attack release --original policy.yaml --population 500000
papilio attack release --original policy.yaml --external voters.csv --as insurer --key name
papilio attack release --original policy.yaml --also last-year
```

`--population` says how many people the table was drawn from; without it the table is taken for all
of them, and estimates are shown for stated shares. `--external` joins [a list of
people](attacks.md#outside-file) with the release on their common columns, `--as` lets a recipient
do it, who uses only columns that they may know, and `--key` names a column of list and original by
which single matches are judged. `--also` compares [releases of the same
people](attacks.md#releases-of-the-same-people). `--learn` makes the release once more without a
tenth of the people, and says [what it teaches](attacks.md#learned-values) of those in it and of
those left out; it takes as long as publishing. `--json` prints `attacks`, each with `attack`,
`attacker`, `sentence` and `figures`, and `risk`: the chances of being found before and after.
""",
    "load": """
Copies the tables of a release into a PostgreSQL database, all or none, with the indexes the
rewritten SQL profits from. Tables that are there already are refused unless `--replace` is given.

```sh
papilio load release postgresql://owner@db.example/published --schema staff
```

`--json` prints `tables`: the rows of each table that was loaded.
""",
    "report": """
One HTML file without outside links: the verdict, the classes, what each column lost, distributions
and rows before and after. It shows the original data. Keep it where you keep the original.

```sh
papilio report release --original policy.yaml -o report.html
```

`--json` prints `report`.
""",
    "compare": """
Publishes variants of a policy of any family in memory, verifies each, and shows what it loses,
what it risks, how many people it is about and how long it took. Every method is tried with every
value of every key that is named; with none named, with those that are usual for the family. What
the policy demands otherwise holds for every variant. One that cannot be met says why in its row.

| family | loss | risk | usual variants |
|---|---|---|---|
| one table, recipients | NCP of an average cell | highest chance to find a row | methods, `k` |
| projections | NCP, the mean over the tables | highest chance to find a row in a table | `k` |
| permutation | width of an average group | surest guess of a value | `k`, `minimise` |
| disguise | width of an average range | how far beliefs may be off the target | `shift`, `fakes` |
| linked tables | rows removed, NCP of others | highest chance to pick a person | `k`, `pairing` |
| graph | doubt about an average link | strongest belief in a link | `k` with `l` |

The star marks the least loss under the same demands. [Measures](measures.md) explains further
figures, [methods](methods.md) the methods. Nothing is published; the HTML file shows statistics of
the original and is for the owner.

```sh
papilio compare policy.yaml
papilio compare policy.yaml --methods mondrian,hybrid+improve --k 5,10,20 -o trade-off.html
papilio compare policy.yaml --set privacy.exposure=0.1,0.2,0.5 --set plan=greedy,exact
```

`--json` prints `table`, `people`, `varied`, `demands`, `beside`, `improve`, `measures`, `original`,
`trials` (each with `method`, `values`, `loss`, `risk`, `people`, `left_out`, `seconds`, `measures`
and `best`, or `why_not`) and `page`.
""",
    "serve": """
Starts the workbench for this machine alone and prints its address with a token; nobody without the
token gets in. Everything it keeps lies in one workspace folder. [Workbench](workbench.md) shows the
pages and says what is checked. Ctrl-C ends it.

```sh
papilio serve
papilio serve --workspace projects --no-browser --expires 30
```

`--json` prints `address` and `workspace`.
""",
    "demo": """
Makes a folder with the Adult sample, its policy, a release at k = 10 and the report. `make demo`
does the set-up and runs it.

```sh
papilio demo
```

`--json` prints `policy`, `release`, `report` and `verdict`.
""",
}
