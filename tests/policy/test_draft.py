import re

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from papilio.data.table import ColumnType, Role
from papilio.data.wording import can_be_shown
from papilio.errors import PolicyError
from papilio.families.one_table.draft import DraftColumn, draft_policy
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy

NASTY = [
    "yes", "No", "null", "~", "true", "y", "1", "1e3", "0x1F", "2020-01-01", "12:30:00", ".inf",
    "<<", "=", "", " ", " lead", "trail ", "a: b", "a:", "a #b", "#a", "- a", "? a", "[a", "{a}",
    "'", '"', "\\", "a\nb", "a\r\nb", "a\tb", "\x00", "\x85", "\u2028", "\ufeff", "größe", "年齢",
    "🦋", "e\u0301", "%TAG", "@a", "`a", "!a", "&a", "*a", "|", ">", "---", "...", "a, b",
    "marital status",
]  # fmt: skip

columns = st.builds(
    DraftColumn,
    name=st.text(max_size=20) | st.sampled_from(NASTY) | st.text(min_size=900, max_size=1_200),
    role=st.sampled_from(Role),
    type=st.sampled_from(ColumnType),
    reason=st.text(max_size=40),
)


def plain(name, role=Role.QUASI, type_=ColumnType.CATEGORY, reason="because"):
    return DraftColumn(name, role, type_, reason)


@given(st.lists(columns, max_size=6, unique_by=lambda column: column.name), st.text())
@example([plain(name) for name in NASTY], "data.csv")
@example([plain("x" * 2_000), plain("\n" * 600), plain("🦋" * 400)], "data.csv")
@example([plain("a", reason="line\nbreak: # {\x00 \ud7ff \ufffe")], "no")
def test_any_names_reasons_and_sources_give_valid_yaml(columns, source):
    draft = yaml.safe_load(draft_policy(columns, source, rows=100))
    free = [column for column in columns if column.role is Role.QUASI]
    assert draft == {
        **({"cells": "safe"} if len(free) > 1 else {}),
        "papilio": 1,
        "source": source,
        "columns": {column.name: column.role.value for column in columns},
        "privacy": {"k": 10},
    }
    assert list(draft["columns"]) == [column.name for column in columns]
    assert all(type(name) is str for name in draft["columns"])


def test_cells_are_safe_where_two_columns_can_say_less():
    age, job = plain("age"), plain("job")
    one = DraftColumn("job", Role.QUASI, ColumnType.CATEGORY, "because", several=False)
    secret = plain("job", Role.SENSITIVE)
    for columns, safe in (([age, job], True), ([age], False), ([age, one], False)):
        assert ("cells" in yaml.safe_load(draft_policy(columns, "data.csv", rows=9))) == safe
    assert "cells:" not in draft_policy([age, secret], "data.csv", rows=9)
    Policy(**yaml.safe_load(draft_policy([age, job], "data.csv", rows=9)))


@pytest.mark.parametrize(("rows", "k"), [(0, 1), (1, 1), (7, 7), (10, 10), (10**6, 10)])
def test_k_is_at_most_the_number_of_rows(rows, k):
    draft = draft_policy([plain("age")], "data.csv", rows=rows)
    assert yaml.safe_load(draft)["privacy"] == {"k": k}


def test_a_draft_reads_well():
    draft = draft_policy(
        [
            plain("name", Role.IDENTIFIER, reason="it labels a person"),
            plain("age", type_=ColumnType.NUMERIC, reason="others may know it"),
            plain("disease", Role.SENSITIVE, reason="it\nis  private"),
        ],
        "patients.csv",
        rows=50,
    )
    lines = draft.splitlines()
    assert "source: patients.csv" in lines
    assert "  name:    identifier  # it labels a person" in lines
    assert "  age:     quasi       # others may know it" in lines
    assert "  disease: sensitive   # it is private" in lines
    assert "# method: left out on purpose, Papilio chooses one and says why" in lines


def test_a_draft_is_a_policy():
    names = [name for name in NASTY if can_be_shown(name)]
    columns = [plain(name, reason="x") for name in names]
    policy = Policy.parse(draft_policy(columns, "data.csv", rows=50))
    assert policy.quasi == tuple(names)
    for name in set(NASTY) - set(names):
        with pytest.raises(PolicyError, match="control character"):
            Policy.parse(draft_policy([plain(name)], "data.csv", rows=50))


def examples(draft):
    """The lines to uncomment, read as YAML."""
    found = {}
    for line in re.findall(r"^  # (.+: \{role: .*)$", draft, re.MULTILINE):
        found |= yaml.safe_load(line)
    return found


def test_examples_fit_and_would_be_accepted():
    draft = draft_policy(
        [
            plain("age", type_=ColumnType.NUMERIC),
            plain("hours", type_=ColumnType.NUMERIC),
            plain("ZIP code", type_=ColumnType.NUMERIC),
            plain("born", type_=ColumnType.DATE),
            plain("married", type_=ColumnType.BOOLEAN),
            plain("Job: now", type_=ColumnType.CATEGORY),
            plain("salary", Role.SENSITIVE, ColumnType.NUMERIC),
        ],
        "data.csv",
        rows=100,
    )
    found = examples(draft)
    assert found == {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 20, 100]}},
        "ZIP code": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [5, 3, 2]}},
        "born": {"role": "quasi", "hierarchy": {"dates": ["month", "year", "decade"]}},
        "Job: now": {"role": "quasi", "hierarchy": "job-now.csv"},
    }
    for column in found.values():
        assert ColumnPolicy.model_validate(column).hierarchy is not None


def test_a_postcode_that_is_text_needs_no_type():
    found = examples(draft_policy([plain("plz")], "data.csv", rows=100))
    assert found == {"plz": {"role": "quasi", "hierarchy": {"prefix": [5, 3, 2]}}}


@given(st.lists(columns, max_size=6, unique_by=lambda column: column.name))
def test_examples_name_columns_of_the_draft(columns):
    found = examples(draft_policy(columns, "data.csv", rows=100))
    quasi = {column.name for column in columns if column.role is Role.QUASI}
    assert set(found) <= quasi


def test_a_draft_without_quasi_columns_says_so():
    remark = "# No column is quasi yet"
    assert remark in draft_policy([plain("x", Role.SENSITIVE)], "data.csv", rows=9)
    assert remark not in draft_policy([plain("x")], "data.csv", rows=9)


def counted(name, least, most, classes):
    return DraftColumn(name, Role.SENSITIVE, ColumnType.CATEGORY, "because", least, most, classes)


def test_every_sensitive_column_gets_an_l_that_can_be_met():
    draft = draft_policy(
        [plain("age"), counted("illness", 3, 12, 400), counted("job: now", 2, 2, 30)],
        "data.csv",
        rows=1_000,
    )
    assert yaml.safe_load(draft)["privacy"] == {"k": 10, "l": {"illness": 3, "job: now": 2}}
    text = " ".join(draft.replace("#", "").split())
    assert "'job: now' there can be no more than 30 classes" in text
    assert "The largest l that can be met: illness 12, job: now 2." in text
    Policy.parse(draft)


def test_a_value_that_everybody_has_is_named_and_nothing_demanded_of_it():
    draft = draft_policy([plain("age"), counted("illness", None, 1, 0)], "data.csv", rows=50)
    assert yaml.safe_load(draft)["privacy"] == {"k": 10}
    assert "'illness' has one value that all may share" in draft


def test_many_or_long_columns_stand_below_each_other():
    columns = [counted(f"a rather long name of column {i}", 2, 3, 9) for i in range(9)]
    columns.append(counted("x" * 2_000, 2, 3, 9))
    draft = draft_policy([plain("age"), *columns], "data.csv", rows=50)
    assert yaml.safe_load(draft)["privacy"]["l"] == {each.name: 2 for each in columns[:-1]}
    assert all(len(line) <= 100 for line in draft.splitlines() if "x" * 99 not in line)
