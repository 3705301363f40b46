"""Real runs in child processes, cancelled at every stage."""

from __future__ import annotations

import random
import shutil
import time

import pytest

from papilio.release.release import Release
from papilio.web.jobs.run import Desk, State
from papilio.web.project import PARTS, Project, Workspace
from papilio.web.records import load_record
from sizes import some

ROWS = 150_000
POLICY = """papilio: 1
source: data/table.csv
columns: {age: quasi, weight: quasi, height: quasi, disease: sensitive}
privacy: {k: 5}
method: mondrian
"""


@pytest.fixture(scope="module")
def desk():
    made = Desk()
    made.prepare()
    yield made
    made.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("workspace")).create("people")
    draw = random.Random(3)
    lines = (
        f"{draw.randint(0, 99)},{draw.randint(0, 9999)},{draw.random():.5f},{draw.choice('abcde')}"
        for _ in range(ROWS)
    )
    text = "age,weight,height,disease\n" + "\n".join(lines) + "\n"
    (made.data / "table.csv").write_text(text)
    made.policy_file.write_text(POLICY)
    return made


STAGES = ("reading", "dividing", "generalising", "writing", "verifying")


def publish(desk: Desk, project: Project):
    target = project.next_release()
    order = {"text": POLICY, "number": int(target.name)}
    return desk.start(project, "publish", order, makes=target)


@pytest.mark.parametrize("stage", some(STAGES, "generalising"))
def test_a_run_cancelled_at_a_stage_leaves_nothing(desk, project, stage):
    for _ in range(5):
        job = publish(desk, project)
        while job.running and job.progress.stage != stage:
            time.sleep(0.002)
        job.cancel()
        assert job.wait(300)
        if job.state is State.CANCELLED:
            break
        # On a busy machine the stage may be over before anybody looks.
        shutil.rmtree(project.release(1))
    assert job.state is State.CANCELLED
    assert list(project.releases.iterdir()) == []
    assert {path.name for path in project.folder.iterdir()} == {*PARTS, "policy.yaml"}


def test_the_run_after_a_cancelled_one_succeeds_and_is_remembered(desk, project):
    job = publish(desk, project)
    assert job.wait(300)
    record = job.result()
    assert record == load_record(project, 1)
    assert (record.kind, record.method, record.k) == ("generalised", "mondrian", 5)
    release = Release.open(project.release(1))
    assert release.verify().holds
    assert sum(frame.height for frame in release.frames.values()) == ROWS


def test_a_source_that_is_missing_is_told_without_a_trace(desk, tmp_path):
    project = Workspace(tmp_path).create("empty")
    job = publish(desk, project)
    assert job.wait(300)
    assert job.state is State.FAILED
    assert "data/table.csv" in job.failure.message
    assert list(project.releases.iterdir()) == []
