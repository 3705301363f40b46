"""Commands say what killed runs left, and remove it."""

import os

import pytest

from papilio.policy.policy import Policy
from papilio.release import scratch
from papilio.release.locked_folder import LOCK, MARK, locked_folder
from papilio.workflow.publish import publish_to

DEAD = "0123456789abcdef"


@pytest.fixture
def left(bench, tmp_path_factory, monkeypatch):
    """What a killed run left beside the release and in the private place."""
    base = tmp_path_factory.mktemp("scratch")
    monkeypatch.setenv("PAPILIO_SCRATCH", str(base))
    place = base / f"papilio-scratch-{os.geteuid()}"
    place.mkdir(mode=0o700)
    folders = [place / f"run-{DEAD}", bench.folder / f".papilio-{DEAD}"]
    for folder in folders:
        folder.mkdir()
        (folder / LOCK).write_bytes(MARK)
        (folder / "rows").write_text("x" * 1000)
    # Nothing else is then said: no light is amber or red.
    policy = bench.folder / "policy.yaml"
    policy.write_text(f"{policy.read_text()}\ncells: safe\n")
    return folders


def sentences(left):
    return [f"removed what a run that was killed left behind: {folder}, 1.1 kB" for folder in left]


def test_publish_says_it_at_once(bench, left):
    done = bench.run("publish", "policy.yaml", "-o", "release")
    assert done.code == 0
    assert done.lines == sentences(left)
    assert not any(folder.exists() for folder in left)
    again = bench.run("publish", "policy.yaml", "-o", "another")
    assert again.lines == []


def test_also_if_the_command_fails(bench, left):
    bench.write("policy.yaml", "papilio: 7\n")
    done = bench.run("publish", "policy.yaml", "-o", "release")
    assert done.code == 2
    assert done.lines[:2] == sentences(left)


@pytest.mark.parametrize(
    "command",
    [
        ["verify", "release"],
        ["report", "release", "--original", "policy.yaml"],
        ["init", "people.csv", "-o", "draft.yaml"],
        ["compare", "policy.yaml", "--methods", "mondrian", "--k", "5"],
    ],
)
def test_other_commands(bench, left, command):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scratch, "remove_leftovers", lambda *_: ())
        assert bench.run("publish", "policy.yaml", "-o", "release").code == 0
    assert bench.run(*command).lines == sentences(left)


def test_a_run_that_lives_is_left_alone(bench, left):
    with locked_folder(bench.folder, ".papilio-") as living:
        done = bench.run("publish", "policy.yaml", "-o", "release")
        assert done.lines == sentences(left)
        assert living.path.exists()


def test_in_python_it_is_a_warning(bench, left):
    policy = Policy.load(bench.folder / "policy.yaml")
    with pytest.warns(UserWarning, match="a run that was killed left behind") as told:
        publish_to(bench.folder / "release", policy)
    assert [str(each.message) for each in told] == sentences(left)
