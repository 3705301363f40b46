"""The report on a projected release."""

import re

import numpy as np
import pytest

import projected_releases as small
from papilio.errors import PapilioError
from papilio.families.projections.dependency_graph import dependency_graph, describe
from papilio.families.projections.document import plan_curve
from papilio.workflow.report import report

HOSTILE = "<b>&\"'"


def written(tmp_path, frame, policy):
    release = small.release(frame, policy)
    path = report(release, tmp_path / "report.html", original=policy, data=frame)
    return path.read_text(encoding="utf-8"), release


def test_page_says_all_that_is_needed(tmp_path):
    text, release = written(tmp_path, small.people(), small.policy())
    for table in release.manifest.tables:
        assert table.name in text
    for words in (
        "Association loss",
        "Exposure",
        "CODIP*",
        "exact plan",
        "completeness of the plan",
    ):
        assert words in text
    # Dependencies and plans; for each table what it lost, which rows follow from it, and who could
    # be found in it.
    assert text.count("<svg role=") == 2 + 3 * len(release.manifest.tables)
    for table in release.manifest.tables:
        assert f"{table.name}: Complete rows that follow" in text
    assert "http" not in re.sub(r"http-equiv", "", text)


def test_one_column_and_one_table(tmp_path):
    frame = small.people().select("age", "sex", "pay")
    policy = small.policy({"age": "quasi", "sex": "quasi", "pay": "sensitive"}, privacy={})
    text, _ = written(tmp_path, frame, policy)
    assert "1 sensitive column" in text
    assert "1 table" in text


def test_names_and_values_are_escaped(tmp_path):
    frame = small.people().rename({"drug": HOSTILE, "signs": "<i>"})
    columns = {name: said for name, said in small.COLUMNS.items() if name not in ("drug", "signs")}
    columns |= {HOSTILE: "sensitive", "<i>": small.COLUMNS["signs"]}
    text, _ = written(tmp_path, frame, small.policy(columns))
    assert HOSTILE not in text
    assert "<i>=x" not in text
    assert "&lt;b&gt;" in text


def test_another_original_is_refused(tmp_path):
    release = small.release()
    other = small.policy({"age": "quasi", "sex": "quasi", "drug": "sensitive", "job": "sensitive"})
    with pytest.raises(PapilioError):
        report(release, tmp_path / "r.html", original=other, data=small.people())


def test_too_many_columns_for_all_plans(tmp_path):
    frame = small.people(30)
    more = {f"s{i}": [(row * i) % 3 for row in range(30)] for i in range(1, 18)}
    frame = frame.select("age", "sex").with_columns(**{k: np.array(v) for k, v in more.items()})
    columns = {"age": "quasi", "sex": "quasi"} | dict.fromkeys(more, "sensitive")
    text, _ = written(tmp_path, frame, small.policy(columns, privacy={"exposure": 0.5}))
    assert "too many columns to find every plan" in text


def test_graph_without_any_dependency():
    svg = dependency_graph(["a", "b"], np.zeros((2, 2)), [[0], [1]], width=300)
    assert svg.startswith("<svg")
    assert "No two columns depend" in describe(["a", "b"], np.zeros((2, 2)), [[0], [1]])


def test_curve_shows_limits():
    points = [(0.0, 1.0), (0.5, 0.2), (1.0, 0.0)]
    without = plan_curve(points, points, (0.5, 0.2), (None, None), width=300)
    limited = plan_curve(points, points, (0.5, 0.2), (0.6, 0.3), width=300)
    assert limited.count("stroke-dasharray") == without.count("stroke-dasharray") + 2
