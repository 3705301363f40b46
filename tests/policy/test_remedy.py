"""What a remedy says is what is to be written into the policy."""

from __future__ import annotations

from typing import Any

import pytest

from papilio import K, Policy
from papilio.policy.files import read_yaml
from papilio.policy.remedy import Remedy


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("privacy", "l", "salary"), 2, "privacy: {l: {salary: 2}}"),
        (("columns", "no: town"), "quasi", "columns: {'no: town': quasi}"),
        (("person",), "rows", "person: rows"),
        (("privacy", "near"), {"width": 5, "at_most": 0.5}, None),
    ],
)
def test_the_line_reads_back(path: tuple[str, ...], value: Any, line: str | None) -> None:
    remedy = Remedy(((path, value),), "It helps.")
    read: Any = read_yaml(remedy.line).data
    for key in path:
        read = read[key]
    assert read == value
    assert line is None or remedy.line == line


def test_a_policy_takes_it() -> None:
    policy = Policy(columns={"age": "quasi", "pay": "sensitive"}, privacy=K(5))
    remedy = Remedy(((("privacy", "l", "pay"), 2),), "It helps.")
    names = [requirement.name for requirement in policy.varied(remedy.changes).requirements]
    assert names == ["k-anonymity", "distinct-l-diversity"]
