"""An example for every key of a policy; each is valid together with ``columns`` and ``privacy``."""

from __future__ import annotations

#: Beginnings that several examples share.
_SALARY = "columns:\n  age: quasi\n  salary: {role: sensitive, type: numeric}\nprivacy:\n"
_TARGET = _SALARY + "  target:\n    salary: "
_SEVERAL = "columns:\n  patient: identifier\n  symptoms: "
_PARTS = "columns:\n  age: quasi\n  disease: sensitive\n  job: sensitive\nprivacy:\n  k: 2\n"
_RECIPIENTS = (
    "columns: {age: quasi, town: quasi, job: quasi}\n"
    "recipients:\n  insurer:   [age, town]\n  personnel: [age, job]\n"
)
_OWN = (
    "columns: {{age: quasi, postcode: quasi, occupation: quasi, disease: sensitive}}\n"
    "recipients:\n  insurer:   {{knows: [age, postcode], {}}}\n  personnel: [age, occupation]\n"
)
_COALITION = (
    _RECIPIENTS + "privacy:\n  k: 10\n"
    "  collusion: [{who: [insurer, personnel], k: 3}]   # short for {named: [...]}"
)
_GRAPH = (
    "graph:\n  left:  {left}\n  right: {right}\n  edges: {edges}\n{more}privacy: {{k: 10, l: 10}}"
)
_LEFT = "{source: authors.csv, key: id, columns: {country: plain}}"
_RIGHT = "{source: papers.csv, key: id, columns: {area: plain}}"
_EDGES = "{source: wrote.csv, left: author, right: paper}"
_TABLES = (
    "tables:\n  student: {source: student.csv, key: sid, columns: {town: quasi}}\n"
    "  takes:\n    source: takes.csv\n    parent: {student: sid}\n"
    "    columns: {course: quasi, grade: sensitive}\n"
)
_PERSON = "person: student\n"


def _graph(left: str = _LEFT, right: str = _RIGHT, edges: str = _EDGES, more: str = "") -> str:
    return _GRAPH.format(left=left, right=right, edges=edges, more=more)


EXAMPLES = {
    "papilio": "papilio: 1",
    "source": "source: patients.csv",
    "columns": "columns:\n  name:    identifier\n  age:     quasi\n  disease: sensitive",
    "privacy": "privacy:\n  k: 10",
    "method": "method: hybrid",
    "metric": "method: incognito\nmetric: height",
    "objective": "method: hybrid\nobjective: balance",
    "improve": "improve: 10s",
    "cells": "columns: {age: quasi, town: quasi}\ncells: safe",
    "source.file": "source: {file: data/patients.parquet}",
    "source.name": "source: {file: export-2024-07-01.csv, name: patients}",
    "source.null": "source: {file: patients.csv, null: ['NA', '?']}",
    "source.sql": (
        "source:\n  name: adults\n  sql: >\n"
        "    SELECT p.*, j.sector FROM 'people.csv' p JOIN 'jobs.csv' j USING (job)\n"
        "    WHERE p.age >= 18"
    ),
    "source.postgresql": "source: postgresql://reader@db.example/clinic#public.patients",
    "source.table": (
        "source: {postgresql: 'postgresql://reader@db.example/clinic', table: public.patients}"
    ),
    "source.query": (
        "source:\n  postgresql: postgresql://reader@db.example/clinic\n"
        "  query: SELECT age, job, disease FROM patients WHERE consent"
    ),
    "columns.<name>.role": "columns:\n  age: quasi               # short for {role: quasi}",
    "columns.<name>.type": (
        "columns:\n  postcode: {role: quasi, type: category}   # keeps leading zeros"
    ),
    "columns.<name>.hierarchy": "columns:\n  job: {role: quasi, hierarchy: job.csv}",
    "columns.<name>.domain": ("columns:\n  size: {role: quasi, domain: [small, medium, large]}"),
    "columns.<name>.follows": (
        "columns:\n  town: quasi\n  county: {role: plain, follows: town}\nprivacy:\n  k: 10"
    ),
    "depends": (
        "columns: {town: quasi, county: plain}\ndepends: [[town], county]\nprivacy:\n  k: 10"
    ),
    "columns.<name>.hierarchy.file": ("columns:\n  job: {role: quasi, hierarchy: {file: job.csv}}"),
    "columns.<name>.hierarchy.prefix": (
        "columns:\n  postcode: {role: quasi, type: category, hierarchy: {prefix: [5, 3, 2]}}"
    ),
    "columns.<name>.hierarchy.intervals": (
        "columns:\n  age: {role: quasi, hierarchy: {intervals: [5, 20, 100]}}"
    ),
    "columns.<name>.hierarchy.origin": (
        "columns:\n  age: {role: quasi, hierarchy: {intervals: [10, 20], origin: 18}}"
    ),
    "columns.<name>.hierarchy.dates": (
        "columns:\n  admitted: {role: quasi, hierarchy: {dates: [month, year, decade]}}"
    ),
    "columns.<name>.hierarchy.automatic": (
        "columns:\n  age: {role: quasi, hierarchy: {automatic: true}}   # short: automatic"
    ),
    "improve.seconds": "improve: {seconds: 90}",
    "improve.steps": "improve: {steps: 5000}",
    "privacy.k": "privacy:\n  k: 10",
    "privacy.l": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n  k: 10\n"
        "  l: {disease: [3, {recursive: [2, 3]}]}      # both are demanded"
    ),
    "privacy.l.<name>.distinct": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n"
        "  l: {disease: 3}            # short for {disease: {distinct: 3}}"
    ),
    "privacy.l.<name>.entropy": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n  l: {disease: {entropy: 2.5}}"
    ),
    "privacy.l.<name>.recursive": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n"
        "  l: {disease: {recursive: [2, 3]}}"
    ),
    "privacy.t": (
        "columns:\n  age: quasi\n  disease: sensitive\n  salary: sensitive\nprivacy:\n  k: 10\n"
        "  t: {disease: 0.3, salary: 0.2}"
    ),
    "privacy.t.<name>.t": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n"
        "  t: {disease: 0.3}          # short for {disease: {t: 0.3}}"
    ),
    "privacy.t.<name>.distance": (
        "columns:\n  age: quasi\n  disease: {role: sensitive, hierarchy: disease.csv}\nprivacy:\n"
        "  t: {disease: {t: 0.3, distance: hierarchical}}"
    ),
    "privacy.suppress": "method: incognito\nprivacy:\n  k: 10\n  suppress: 2%",
    "recipients": _RECIPIENTS,
    "recipients.<name>.knows": _OWN.format("k: 20"),
    "recipients.<name>.file": (
        "columns: {age: quasi, town: quasi, job: quasi}\n"
        "recipients:\n"
        "  insurer:   {knows: voters.csv}     # short for {file: voters.csv}\n"
        "  personnel: [age, job]\n"
    ),
    "recipients.<name>.secret": _OWN.format("secret: {occupation: {l: 2}}"),
    "recipients.<name>.secret.<name>.l": _OWN.format("secret: {occupation: {l: 2}}"),
    "recipients.<name>.k": _OWN.format("k: 10"),
    "recipients.<name>.l": _OWN.format("l: {disease: 3}"),
    "recipients.<name>.t": _OWN.format("t: {disease: 0.3}"),
    "privacy.collusion": _RECIPIENTS + "privacy:\n  k: 10\n  collusion: {any_two: 3, all: 2}",
    "privacy.collusion.any_two": _RECIPIENTS + "privacy:\n  k: 10\n  collusion: {any_two: 3}",
    "privacy.collusion.all": _RECIPIENTS + "privacy:\n  k: 10\n  collusion: {all: 2}",
    "privacy.collusion.named": _COALITION,
    "privacy.collusion.named.who": _COALITION,
    "privacy.collusion.named.k": _COALITION,
    "generalise": _RECIPIENTS + "method: union\ngeneralise: hybrid",
    "wings": _RECIPIENTS + "method: butterfly\nwings: hybrid",
    "minimise": _SALARY + "  k: 4\n  e: 1000\nmethod: permutation\nminimise: max",
    "classes": _PARTS + "  exposure: 0.5\nmethod: projections\nclasses: shared",
    "plan": _PARTS + "  exposure: 0.5\nmethod: projections\nplan: greedy",
    "graph": _graph(),
    "graph.left": _graph(),
    "graph.right": _graph(),
    "graph.edges": _graph(),
    "graph.order": _graph(more="  order: level\n").replace("l: 10}", "l: 10, suppress: 1%}"),
    "graph.retries": _graph(more="  retries: 10\n"),
    "graph.left.source": _graph(left="{source: authors.parquet, key: id}"),
    "graph.left.key": _graph(left="{source: authors.csv, key: id}"),
    "graph.left.columns": _graph(),
    "graph.left.columns.<name>.role": _graph(
        left="{source: authors.csv, key: id, columns: {name: identifier, country: plain}}"
    ),
    "graph.left.columns.<name>.type": _graph(
        left="{source: authors.csv, key: id, columns: {code: {role: plain, type: category}}}"
    ),
    "graph.edges.source": _graph(),
    "graph.edges.left": _graph(),
    "graph.edges.right": _graph(),
    "graph.edges.dangling": _graph(
        edges="{source: wrote.csv, left: author, right: paper, dangling: drop}"
    ),
    "tables": _TABLES + _PERSON,
    "person": (
        "person: patient_id\ncolumns:\n  patient_id: identifier\n  age: quasi\n  disease: sensitive"
    ),
    "link": (
        "columns: {sex: quasi, ward: quasi, illness: sensitive}\nperson: patient_id\nlink: yes"
    ),
    "database": (
        "database: university.duckdb\ntables:\n  student: {columns: {town: quasi}}\n"
        "  takes: {columns: {course: quasi, grade: sensitive}}\n" + _PERSON
    ),
    "pairing": _TABLES + _PERSON + "pairing: local",
    "skeleton": _TABLES + _PERSON + "skeleton: divide",
    "tables.<name>.source": _TABLES + _PERSON,
    "tables.<name>.key": _TABLES + _PERSON,
    "tables.<name>.parent": _TABLES + _PERSON,
    "tables.<name>.columns": _TABLES + _PERSON,
    "tables.<name>.at_most": _TABLES + "    at_most: 20\n" + _PERSON,
    "columns.<name>.bins": (
        "columns:\n  age: quasi\n  disease: sensitive\n"
        "  salary: {role: sensitive, type: numeric, bins: 10}\nprivacy:\n  k: 2\n  exposure: 0.5"
    ),
    "columns.<name>.harmless": (
        "columns:\n  age: quasi\n  disease: {role: sensitive, harmless: [none]}\n"
        "  job: sensitive\nprivacy:\n  k: 2\n  exposure: 0.5"
    ),
    "columns.<name>.values": _SEVERAL + "{role: sensitive, values: several}",
    "columns.<name>.separator": _SEVERAL + "{role: sensitive, values: several, separator: '|'}",
    "columns.<name>.source": (
        _SEVERAL + "{role: sensitive, values: several, source: symptoms.csv, key: patient, "
        "value: symptom}"
    ),
    "columns.<name>.key": (
        _SEVERAL + "{role: sensitive, values: several, source: symptoms.csv, key: patient, "
        "value: symptom}"
    ),
    "columns.<name>.value": (
        _SEVERAL + "{role: sensitive, values: several, source: symptoms.csv, key: patient, "
        "value: symptom}"
    ),
    "privacy.collusion_k": _RECIPIENTS + "privacy:\n  k: 10\n  collusion_k: 2",
    "privacy.e": _SALARY + "  k: 4\n  e: 1000",
    "privacy.known": _SALARY + "  k: 4\n  e: 5%\n  known: 1",
    "privacy.near": _SALARY + "  k: 4\n  e: 5%\n  near: 50% within 5%",
    "privacy.near.width": _SALARY + "  k: 4\n  e: 5%\n  near: {width: 1000, at_most: 50%}",
    "privacy.near.at_most": _SALARY + "  k: 4\n  e: 5%\n  near: {width: 5%, at_most: 50%}",
    "privacy.association_loss": _PARTS + "  association_loss: 0.2",
    "privacy.exposure": _PARTS + "  exposure: 0.5",
    "privacy.generalisation_loss": _PARTS + "  exposure: 0.5\n  generalisation_loss: 0.3",
    "privacy.target": _SALARY + "  target: {salary: {distribution: uniform}}",
    "privacy.shift": _TARGET + "{distribution: uniform}\n  shift: 0.05",
    "privacy.fakes": _TARGET + "{distribution: uniform}\n  fakes: 5%",
    "privacy.personal": (
        "columns:\n  age: quasi\n  wish: identifier\n"
        "  salary: {role: sensitive, type: numeric}\nprivacy:\n"
        "  target: {salary: {distribution: uniform}}\n  personal: wish"
    ),
    "privacy.volunteers": (
        "columns:\n  age: quasi\n  wish: identifier\n"
        "  salary: {role: sensitive, type: numeric}\nprivacy:\n"
        "  target: {salary: {distribution: uniform}}\n  personal: wish\n  volunteers: blind"
    ),
    "privacy.t.<name>.n": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n  t: {disease: {t: 0.3, n: 1000}}"
    ),
    "privacy.target.<name>.distribution": _TARGET + "{distribution: zipf}",
    "privacy.target.<name>.file": _TARGET + "{file: salaries-of-the-country.csv}",
    "privacy.target.<name>.column": _TARGET + "{file: census.csv, column: salary}",
    "privacy.target.<name>.weight": _TARGET + "{file: census.csv, column: salary, weight: people}",
    "privacy.target.<name>.mean": _TARGET + "{distribution: normal, mean: 3000}",
    "privacy.target.<name>.std": _TARGET + "{distribution: normal, mean: 3000, std: 800}",
    "privacy.target.<name>.exponent": _TARGET + "{distribution: zipf, exponent: 1.5}",
    "privacy.target.<name>.by": (
        "columns: {region: quasi, salary: {role: sensitive, type: numeric}}\nprivacy:\n"
        "  target: {salary: {distribution: same, by: [region]}}"
    ),
    "privacy.target.<name>.mode": _TARGET + "{distribution: uniform, mode: per-class}",
    "privacy.target.<name>.tree": _TARGET + "{distribution: uniform, tree: {arity: 4}}",
    "privacy.target.<name>.largest_weight": _TARGET + "{distribution: normal, largest_weight: 20}",
    "privacy.target.<name>.allocation": _TARGET + "{distribution: uniform, allocation: randomised}",
    "privacy.target.<name>.tree.arity": _TARGET + "{distribution: uniform, tree: {arity: 4}}",
    "privacy.target.<name>.tree.lowest": (
        _TARGET + "{distribution: uniform, tree: {lowest: 0, highest: 9999, width: 100}}"
    ),
    "privacy.target.<name>.tree.highest": (
        _TARGET + "{distribution: uniform, tree: {lowest: 0, highest: 9999, width: 100}}"
    ),
    "privacy.target.<name>.tree.width": (
        _TARGET + "{distribution: uniform, tree: {lowest: 0, highest: 9999, width: 100}}"
    ),
    "lights": "lights: {amber: 0.1%, red: 2%}",
    "lights.amber": "lights: {amber: 0.5%}",
    "lights.red": "lights: {red: 2%}",
}
