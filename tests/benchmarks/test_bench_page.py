"""The page of benchmarks: measured for real on tiny tables, saved, compared and drawn."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import bench
from page.changes import changes
from page.measure import measure
from page.peer_runs import saved_peers
from page.plan import (
    ALL_METHODS,
    ATTRIBUTES,
    FULL,
    LARGE,
    METHODS,
    QUICK,
    ROWS,
    K,
    Sizes,
    Task,
    tasks,
)
from page.render import render_page
from page.results import Bound, Measured, load

pytestmark = pytest.mark.long

TINY = Sizes((1000, 2000), 1000, 1000, ks=(20,), attributes=(2,))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A whole run over tiny tables, with two of the methods."""
    folder = tmp_path_factory.mktemp("bench")
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "tell", said.append)
        patch.setattr("page.plan.ALL_METHODS", {"permutation": 10**7})
        patch.setattr("page.plan.FOLLOWED", ("mondrian",))
        patch.setattr("page.plan.Task.repeats", 1)
        code = bench.main(["--quick", "-o", str(folder / "page.html")], TINY)
    assert code == 0
    return folder, said


def test_everything_is_measured(run):
    folder, said = run
    results = load(folder / "page.json")
    assert len(results.measured) == 2 + 1 + 1 + 1 == len(said) - 1
    for each in results.measured:
        assert each.error is None
        assert each.seconds > 0
        assert each.processor > 0
        assert each.mebibytes > 50
        assert each.in_sorts == each.seconds / each.sort
        assert each.in_groupings == each.seconds / each.group
        assert (each.loss is None) == (each.task.method == "permutation")
    (loose, _), (strict,) = results.section(ROWS), results.section(K)
    assert 0 < loose.loss < strict.loss < 1


def test_the_page_stands_alone(run):
    folder, _ = run
    page = (folder / "page.html").read_text()
    for title in ("Over the number of rows", "Over k", "quasi-identifiers", "By method"):
        assert title in page
    assert page.count("<svg") == 3
    assert "The machine" in page
    assert "anonypy Mondrian" in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "<script" not in page


def test_nothing_private_is_saved(run):
    folder, _ = run
    text = (folder / "page.json").read_text() + (folder / "page.html").read_text()
    assert str(folder) not in text
    assert "/home" not in text
    assert "/tmp" not in text


def test_two_runs_are_compared(run, monkeypatch):
    folder, _ = run
    results = load(folder / "page.json")
    slower = replace(
        results, measured=tuple(replace(m, seconds=2 * m.seconds) for m in results.measured)
    )
    found = changes(slower, results)
    assert [each.task for each in found] == [each.task for each in results.measured]
    assert {round(each.time, 9) for each in found} == {2.0}
    assert {each.memory for each in found} == {1.0}
    assert {each.loss for each in found} == {1.0, None}
    assert "Beside an older run" in render_page(slower, found)
    assert changes(replace(results, measured=()), results) == ()


def test_bounds_decide(run, monkeypatch, tmp_path):
    folder, _ = run
    old = folder / "page.json"
    kept, broken = Bound("kept", 1.0, 0.5, 1.0), Bound("broken", 1.0, 2.0, 1.0)
    monkeypatch.setattr(bench, "measure", lambda *_: iter(load(old).measured))
    said = []
    monkeypatch.setattr(bench, "tell", said.append)
    for found, code in (((kept,), 0), ((kept, broken), 1)):
        monkeypatch.setattr(bench, "bounds", lambda found=found: found)
        given = ["-o", str(tmp_path / "page.html"), "--compare", str(old), "--peers", "none"]
        assert bench.main(given, TINY) == code
    page = (tmp_path / "page.html").read_text()
    assert "Out of bounds: 1 of 2" in page
    assert "Beside an older run" in page
    assert "Against other packages" not in page
    assert any("new / old" in line for line in said)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1}'])
def test_files_that_are_no_runs(tmp_path, text):
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(SystemExit, match="is not a saved run"):
        load(path)


def test_a_task_that_fails(tmp_path, monkeypatch):
    said = []
    (found,) = measure([Task(METHODS, "no-such-method", 500)], tmp_path, said.append)
    assert found.seconds is None
    assert found.error == "papilio.errors.PolicyError" or found.error.endswith("ValidationError")
    assert found.error in said[0]
    assert "not measured" in render_page(_alone(found))


def _alone(found: Measured):
    from page.results import Results

    return Results("2026-11-16", {"Papilio": "1"}, (found,))


def test_plans():
    full = list(tasks(FULL))
    assert {task.rows for task in full if task.section == ROWS} == {10**4, 10**5, 10**6, 10**7}
    assert {task.method for task in full if task.section == METHODS} == {*ALL_METHODS}
    assert {task.k for task in full if task.section == K} == {*FULL.ks}
    assert {task.attributes for task in full if task.section == ATTRIBUTES} == {2, 4, 6, 8}
    assert max(task.rows for task in tasks(QUICK)) == 10**6
    assert [task for task in tasks(QUICK, large=True) if task.rows == LARGE]


def test_saved_peers_are_complete():
    runs = saved_peers()
    names = {run.name for run in runs}
    assert {"papilio hybrid", "anonypy Mondrian", "anonypyx MDAV-generic"} <= names
    assert {run.k for run in runs} == {5, 10, 25, 50, 100}
    best = min((r for r in runs if r.k == 10 and r.loss), key=lambda r: r.loss)
    assert best.name.startswith("papilio")


def test_saved_reference_can_be_compared():
    old = load(Path(bench.__file__).parent / "results" / "bench_quick.json")
    assert {each.task for each in old.measured} == {*tasks(QUICK)}
    assert all(each.time == 1 for each in changes(old, old))
