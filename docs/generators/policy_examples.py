"""An example for every key of a policy; each is valid together with ``columns`` and ``privacy``."""

from __future__ import annotations

EXAMPLES = {
    "papilio": "papilio: 1",
    "source": "source: patients.csv",
    "columns": "columns:\n  name:    identifier\n  age:     quasi\n  disease: sensitive",
    "privacy": "privacy:\n  k: 10",
    "method": "method: hybrid",
    "metric": "method: incognito\nmetric: height",
    "objective": "method: hybrid\nobjective: balance",
    "improve": "improve: 10s",
    "cells": "cells: text",
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
        "columns:\n  admitted: {role: quasi, hierarchy: {dates: [month, quarter, year]}}"
    ),
    "columns.<name>.hierarchy.automatic": "columns:\n  age: {role: quasi, hierarchy: automatic}",
    "improve.seconds": "improve: {seconds: 90}",
    "improve.steps": "improve: {steps: 5000}",
    "privacy.k": "privacy:\n  k: 10",
    "privacy.l": (
        "columns:\n  age: quasi\n  disease: sensitive\nprivacy:\n  k: 10\n  l:\n"
        "    disease: [3, {recursive: [2, 3]}]      # both are demanded"
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
}
