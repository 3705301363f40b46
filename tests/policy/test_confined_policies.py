"""A policy reads files of its own folder, and others only if the owner allows them."""

from pathlib import Path

import polars as pl
import pytest

from papilio import Policy
from papilio.cli.app import run
from papilio.errors import DataError, PapilioError, PolicyError
from papilio.policy.apply import order_from_source
from papilio.workflow.publish import publish_to

ROWS = "job,age,ill\n" + "\n".join(f"smith,{20 + n},{'flu' if n % 2 else 'none'}" for n in range(6))
TREE = "smith,worker,*\n"
WEIGHTS = "value,weight\nflu,1\nnone,1\n"
PEOPLE = "sid,name\n" + "\n".join(f"{n},x" for n in range(6))
ONE = """
source: rows.csv
columns: {job: {role: quasi, hierarchy: tree.csv}, ill: sensitive}
privacy: {k: 2}
"""
DISGUISE = """
source: rows.csv
columns: {job: quasi, ill: sensitive}
privacy: {target: {ill: {file: weights.csv}}}
"""
SEVERAL = """
source: people.csv
columns:
  sid: identifier
  name: quasi
  s: {role: sensitive, values: several, source: linked.csv, key: sid, value: name}
privacy: {k: 2, t: 0.5, association_loss: 0.5, exposure: 0.5}
method: projections
"""
TABLES = """
tables: {p: {source: people.csv, key: sid, columns: {name: {role: quasi, hierarchy: tree.csv}}}}
person: p
privacy: {k: 2}
"""
DATABASE = """
database: people.db
tables: {p: {key: sid, columns: {name: quasi}}}
person: p
privacy: {k: 2}
"""
GRAPH = """
graph:
  left: {source: left.csv, key: sid}
  right: {source: right.csv, key: sid}
  edges: {source: edges.csv, left: a, right: b}
privacy: {k: 2, l: 2}
"""
#: A policy for each key that names a file, and the name that stands there.
KEYS = {
    "source.file": (ONE, "rows.csv"),
    "columns.job.hierarchy.file": (ONE, "tree.csv"),
    "columns.s.source.file": (SEVERAL, "linked.csv"),
    "privacy.target.ill.file": (DISGUISE, "weights.csv"),
    "tables.p.source.file": (TABLES, "people.csv"),
    "tables.p.columns.name.hierarchy.file": (TABLES, "tree.csv"),
    "database": (DATABASE, "people.db"),
    "graph.left.source.file": (GRAPH, "left.csv"),
    "graph.right.source.file": (GRAPH, "right.csv"),
    "graph.edges.source.file": (GRAPH, "edges.csv"),
}


@pytest.fixture
def folder(tmp_path):
    """A policy's folder beside one with the owner's other files."""
    base, other = tmp_path / "policy", tmp_path / "other"
    for place in (base, other):
        place.mkdir()
        (place / "rows.csv").write_text(ROWS)
        (place / "tree.csv").write_text(TREE)
        (place / "weights.csv").write_text(WEIGHTS)
        (place / "people.csv").write_text(PEOPLE)
    return base


def written(folder, key, name):
    """Write the policy of a key with another name of a file there."""
    text, usual = KEYS[key]
    (folder / "p.yaml").write_text(text.strip().replace(usual, str(name)))
    return folder / "p.yaml"


def outside(folder):
    """Ways to name a file beside the folder."""
    (folder / "link.csv").symlink_to(folder.parent / "other" / "rows.csv")
    (folder / "links").symlink_to(folder.parent / "other")
    return [folder.parent / "other" / "rows.csv", "../other/rows.csv", "link.csv", "links/rows.csv"]


@pytest.mark.parametrize("key", KEYS)
def test_no_key_names_a_file_elsewhere(folder, key):
    for name in outside(folder):
        with pytest.raises(PolicyError) as caught:
            Policy.load(written(folder, key, name))
        (fault,) = caught.value.faults
        assert fault.where == key
        assert fault.line is not None
        assert "--allow FOLDER" in fault.message


@pytest.mark.parametrize("key", KEYS)
def test_files_of_the_folder_may_be_named_absolutely_too(folder, key):
    for name in ("rows.csv", folder / "rows.csv", "./rows.csv"):
        Policy.load(written(folder, key, name))


@pytest.mark.parametrize("key", KEYS)
def test_the_owner_allows_a_folder_or_a_file(folder, key):
    other = folder.parent / "other"
    for name in outside(folder):
        for allow in ([other], [str(other / "rows.csv")], [folder.parent]):
            Policy.load(written(folder, key, name), allow=allow)


def test_what_is_allowed_is_read(folder):
    for name in (folder.parent / "other/rows.csv", "../other/rows.csv"):
        file = written(folder, "source.file", name)
        order = order_from_source(Policy.load(file, allow=[folder.parent / "other"]))
        assert order.table.height == 6


def test_a_link_that_came_after_the_policy_was_read_is_not_followed(folder):
    """Also a hierarchy, a target and a table are looked at again when they are read."""
    policy = Policy.load(written(folder, "source.file", "rows.csv"))
    (folder / "rows.csv").unlink()
    (folder / "rows.csv").symlink_to(folder.parent / "other" / "rows.csv")
    with pytest.raises(DataError, match="--allow"):
        order_from_source(policy)


def test_a_folder_of_files_may_not_hold_links_to_others(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "1.csv").write_text(ROWS)
    (folder / "parts" / "2.csv").symlink_to(folder.parent / "other" / "rows.csv")
    file = written(folder, "source.file", "parts")
    with pytest.raises(DataError, match=r"2\.csv.*--allow"):
        order_from_source(Policy.load(file))
    with pytest.raises(DataError, match=r"2\.csv.*--allow"):
        publish_to(folder / "out", Policy.load(file), memory="1GiB")
    allowed = Policy.load(file, allow=[folder.parent / "other"])
    assert order_from_source(allowed).table.height == 12


def test_text_is_confined_as_a_file_is(folder, monkeypatch):
    monkeypatch.chdir(folder)
    text = ONE.replace("rows.csv", "../other/rows.csv")
    for base in (None, folder):
        with pytest.raises(PolicyError, match="--allow"):
            Policy.parse(text, base=base)
    assert Policy.parse(text, allow=[folder.parent]).where().path.name == "rows.csv"


def test_a_policy_written_in_python_names_any_file(folder):
    policy = Policy(
        source=str(folder.parent / "other" / "rows.csv"),
        columns={"job": "quasi", "ill": "sensitive"},
        privacy={"k": 2},
    )
    assert policy.allowed is None
    assert order_from_source(policy).table.height == 6


COMMANDS = [
    ["publish", "p.yaml", "-o", "out"],
    ["compare", "p.yaml", "--k", "2"],
    ["verify", "made", "--original", "p.yaml"],
    ["attack", "made", "--original", "p.yaml"],
    ["report", "made", "--original", "p.yaml"],
    ["verify", "rows.csv", "--policy", "p.yaml"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_keeps_to_the_folder_until_told(folder, command, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    written(folder, "source.file", "../other/rows.csv")
    publish_to(folder / "made", Policy.load("p.yaml", allow=["../other"]))
    assert run(command) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "p.yaml:1: source.file:" in said
    assert "--allow FOLDER" in said
    assert not (folder / "out").exists()
    # A plain table fails for its own reasons, but is read.
    assert run([*command, "--allow", "../other"]) in (0, 1)


def test_what_is_allowed_must_be_there(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    written(folder, "source.file", "rows.csv")
    assert run(["publish", "p.yaml", "-o", "out", "--allow", "nowhere"]) == 2
    assert "--allow" in capsys.readouterr().err


def test_a_draft_elsewhere_says_what_to_allow(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    pl.DataFrame({"age": [1, 2, 3] * 9, "job": ["a", "b", "c"] * 9}).write_csv("../other/t.csv")
    assert run(["init", "../other/t.csv", "-o", "draft.yaml"]) == 0
    said = capsys.readouterr().out
    assert "papilio publish draft.yaml --allow ../other -o release" in said
    assert "--allow ../other" in (folder / "draft.yaml").read_text()
    assert run(["init", "../other/t.csv", "-o", "../other/draft.yaml"]) == 0
    assert "--allow" not in capsys.readouterr().out
    with pytest.raises(PapilioError):
        Policy.load("draft.yaml")
    Policy.load("draft.yaml", allow=["../other"])
    assert Policy.load(Path("../other/draft.yaml")).where().path.name == "t.csv"


def test_a_folder_named_relatively_holds_its_files(folder, monkeypatch):
    (folder / "parts").mkdir()
    (folder / "parts" / "1.csv").write_text(ROWS)
    written(folder, "source.file", "parts")
    monkeypatch.chdir(folder / "parts")
    assert order_from_source(Policy.load("../p.yaml")).table.height == 6
