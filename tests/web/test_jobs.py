"""Work in child processes: results, failures, cancelling, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import job_verbs
import pytest

from papilio.errors import PapilioError
from papilio.release.locked_folder import HIDDEN, locked_folder
from papilio.web.jobs import run as run_module
from papilio.web.jobs.run import Desk, JobError, State, Verb
from papilio.web.project import PARTS, Project, Workspace
from papilio.web.server import _clear

NAMES = [
    "add",
    "stages",
    "wait",
    "kernel",
    "die",
    "infeasible",
    "bad_policy",
    "defect",
    "spawn_and_wait",
    "make_and_wait",
    "spill_and_die",
]
ALONE = {"wait", "kernel", "die", "make_and_wait"}


@pytest.fixture(scope="module")
def desk():
    known = {name: Verb(f"job_verbs:{name}", name in ALONE) for name in NAMES}
    before = dict(run_module.VERBS)
    run_module.VERBS.clear()
    run_module.VERBS.update(known)
    desk = Desk()
    yield desk
    desk.close()
    run_module.VERBS.clear()
    run_module.VERBS.update(before)


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "patients"
    for part in PARTS:
        (folder / part).mkdir(parents=True)
    return Project("patients", folder)


def hidden(project: Project) -> list[str]:
    return [str(each) for each in project.folder.rglob(".*")]


def until(condition) -> None:
    end = time.monotonic() + 120
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    # A zombie still answers.
    return "(zombie)" in Path(f"/proc/{process}/status").read_text()


def test_a_result_comes_back_from_another_process(desk, project):
    job = desk.start(project, "add", {"a": 2, "b": 3})
    assert job.wait(120)
    result = job.result()
    assert (result["sum"], result["folder"]) == (5, str(project.folder))
    assert result["process"] != os.getpid()
    assert job.state is State.DONE
    assert not hidden(project)


def test_light_work_reuses_its_child(desk, project):
    processes = set()
    for _ in range(3):
        job = desk.start(project, "add", {"a": 1, "b": 1})
        assert job.wait(120)
        processes.add(job.result()["process"])
        until(lambda: desk._idle)
    assert len(processes) <= 2


def test_stages_are_told_while_it_runs(desk, project):
    job = desk.start(project, "stages")
    until(lambda: (job.progress.stage, job.progress.share) == ("first", 0.1))
    begun = time.monotonic()
    (project.folder / "after first").touch()
    until(lambda: (job.progress.stage, job.progress.share) == ("second", 0.7))
    seen = time.monotonic() - begun
    (project.folder / "after second").touch()
    assert job.wait(120)
    assert job.seconds >= seen


def test_a_result_is_not_there_before_the_end(desk, project):
    job = desk.start(project, "stages")
    with pytest.raises(JobError, match="not over"):
        job.result()
    for stage in ("first", "second"):
        (project.folder / f"after {stage}").touch()
    assert job.wait(120)
    assert job.result() is None


def test_errors_come_back_with_reason_and_what_can_be_met(desk, project):
    job = desk.start(project, "infeasible")
    assert job.wait(120)
    with pytest.raises(JobError, match="k cannot be met; k: 3 can be met"):
        job.result()
    assert (job.failure.reason, job.failure.nearest) == ("too-few", "k: 3 can be met")


def test_faults_of_a_policy_come_back_one_by_one(desk, project):
    job = desk.start(project, "bad_policy")
    assert job.wait(120)
    (fault,) = job.failure.faults
    assert (fault.where, fault.line) == ("privacy.k", 7)


def test_what_was_not_foreseen_comes_back_without_its_text(desk, project, capfd):
    job = desk.start(project, "defect")
    assert job.wait(120)
    assert job.failure.reason == "defect"
    assert "ValueError" in job.failure.message
    assert job_verbs.SECRET not in job.failure.message
    out, err = capfd.readouterr()
    assert job_verbs.SECRET not in out + err


@pytest.mark.parametrize("ignore", [False, True])
def test_cancelling_ends_the_process_and_leaves_nothing(desk, project, ignore):
    job = desk.start(project, "wait", {"ignore": ignore})
    until(lambda: job.progress.stage == "waiting")
    assert len(hidden(project)) == 2
    process = job._worker._process.pid
    job.cancel()
    assert job.wait(120)
    assert job.state is State.CANCELLED
    assert gone(process)
    assert not hidden(project)
    with pytest.raises(JobError, match="cancelled"):
        job.result()


def test_cancelling_works_inside_a_kernel(desk, project):
    job = desk.start(project, "kernel")
    until(lambda: job.progress.stage == "in the kernel")
    job.cancel()
    assert job.wait(120)
    assert job.state is State.CANCELLED


def test_cancelling_ends_what_the_child_has_started(desk, project):
    job = desk.start(project, "spawn_and_wait")
    until(lambda: job.progress.stage.isdigit())
    grandchild = int(job.progress.stage)
    job.cancel()
    assert job.wait(120)
    until(lambda: gone(grandchild))


def test_cancelling_takes_back_what_was_made_a_moment_before(desk, project):
    target = project.releases / "1"
    job = desk.start(project, "make_and_wait", makes=target)
    until(target.exists)
    job.cancel()
    assert job.wait(120)
    assert not target.exists()


def test_what_was_there_before_stays(desk, project):
    target = project.releases / "7"
    target.mkdir()
    job = desk.start(project, "wait", makes=target)
    until(lambda: job.progress.stage == "waiting")
    job.cancel()
    assert job.wait(120)
    assert target.is_dir()


def test_cancelling_what_is_over_changes_nothing(desk, project):
    job = desk.start(project, "add", {"a": 1, "b": 1})
    assert job.wait(120)
    job.cancel()
    assert job.state is State.DONE
    assert job.result()["sum"] == 2


def test_a_child_that_is_killed_fails_its_job_and_leaves_nothing(desk, project):
    job = desk.start(project, "die")
    assert job.wait(120)
    assert job.state is State.FAILED
    assert job.failure.reason == "died"
    assert not hidden(project)
    assert desk.start(project, "add", {"a": 1, "b": 1}).wait(120)


def test_a_child_that_died_idle_is_replaced(desk, project):
    desk.prepare()
    victim = desk._idle[-1]._process
    os.kill(victim.pid, signal.SIGKILL)
    victim.join()
    job = desk.start(project, "add", {"a": 4, "b": 4})
    assert job.wait(120)
    assert job.result()["sum"] == 8


def test_a_second_run_of_a_project_is_refused_and_another_project_is_not(desk, project, tmp_path):
    other = Project("other", tmp_path / "other")
    for part in PARTS:
        (other.folder / part).mkdir(parents=True)
    job = desk.start(project, "wait")
    until(lambda: job.progress.stage == "waiting")
    assert desk.running(project) is job
    with pytest.raises(PapilioError, match="busy") as refused:
        desk.start(project, "wait")
    assert refused.value.reason == "busy"
    assert desk.start(project, "add", {"a": 1, "b": 1}).wait(120)
    elsewhere = desk.start(other, "wait")
    for each in (job, elsewhere):
        each.cancel()
        assert each.wait(120)
    assert desk.running(project) is None
    assert desk.latest(project, "wait") is job


def test_everything_of_a_project_is_ended_before_it_is_deleted(desk, project):
    jobs = [desk.start(project, verb) for verb in ("wait", "spawn_and_wait")]
    desk.cancel_all(project)
    assert {job.state for job in jobs} == {State.CANCELLED}
    assert desk.latest(project, "wait") is None
    assert not hidden(project)


def test_starting_removes_what_a_server_left_that_was_killed(desk, project):
    (project.releases / ".papilio-dead").mkdir()
    job = desk.start(project, "make_and_wait")
    until(lambda: job.progress.stage == "made")
    assert not (project.releases / ".papilio-dead").exists()
    job.cancel()
    assert job.wait(120)


def test_what_a_killed_child_spilt_was_in_the_project_and_is_gone(desk, project):
    job = desk.start(project, "spill_and_die")
    assert job.wait(120)
    assert job.state is State.FAILED
    spilt = Path((project.folder / "spilt-to").read_text())
    assert project.folder in spilt.parents
    assert not hidden(project)


def test_a_server_that_starts_removes_what_one_left_that_was_killed(project):
    left = [
        project.folder / ".scratch-0123" / "spilt",
        project.folder / ".papilio-0123" / "file",
        project.data / ".papilio-4567",
        project.releases / ".papilio-89ab" / "release" / "rows",
        project.reports / ".papilio-cdef" / "file",
    ]
    for path in left:
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("x" * 30)
    told = []
    _clear(Workspace(project.folder.parent), told.append)
    assert not told
    (project.folder / "policy.yaml").write_text("papilio: 1\n")
    with locked_folder(project.state, HIDDEN) as saving:
        _clear(Workspace(project.folder.parent), told.append)
        assert saving.path.exists()
    assert len(told) == len(left)
    assert all(line.startswith("removed what a run that was killed left behind") for line in told)
    assert all(line.endswith("30 bytes") for line in told)
    assert not hidden(project)


_SERVER = """
import sys, time
from pathlib import Path
from papilio.web.jobs import run
from papilio.web.jobs.run import Verb
from papilio.web.project import Project
if __name__ == "__main__":
    run.VERBS["wait"] = Verb("job_verbs:wait", True)
    job = run.start(Project("patients", Path(sys.argv[1])), "wait")
    while job.progress.stage != "waiting":
        time.sleep(0.01)
    print(job._worker._process.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.long
@pytest.mark.parametrize("kill", [False, True])
def test_children_end_with_the_server(project, tmp_path, kill):
    script = tmp_path / "server.py"
    script.write_text(_SERVER)
    paths = os.pathsep.join(path for path in sys.path if path)
    server = subprocess.Popen(
        [sys.executable, script, project.folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    )
    child = int(server.stdout.readline())
    if kill:
        server.kill()
    server.communicate()
    until(lambda: gone(child))
