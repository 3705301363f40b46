"""Files of a release that are not what the manifest lists: nothing is read from them."""

import os
from dataclasses import replace

import polars as pl
import pytest

from disguise_releases import PAPER, policy_of, release_of
from papilio.cli.app import run
from papilio.errors import ReleaseError
from papilio.release.files import LARGEST_TEXT
from papilio.release.lazy_frames import parts_of
from papilio.release.release import Release
from papilio.release.store import open_release
from papilio.verify.verdict import Status
from papilio.workflow.ask import ask, rewrite
from papilio.workflow.load import load
from papilio.workflow.report import document, report
from papilio.workflow.risk import attack, risk
from papilio.workflow.verify import verify
from parts import declare, rehash, save_in_parts

QUERY = "SELECT sum(salary) FROM people"
HELP = "people_help.parquet"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    release, _ = release_of("whole")
    folder = tmp_path_factory.mktemp("made")
    release.save(folder / "parquet")
    release.save(folder / "csv", format="csv")
    return folder


@pytest.fixture
def target(made, tmp_path):
    """A copy of the release with a table of another sum, and the hashes of the first."""
    target = Release.open(made / "parquet").save(tmp_path / "release")
    help_table = pl.read_parquet(target / HELP)
    help_table.with_columns(pl.col("sum_lo") + 1, pl.col("sum_hi") + 1).write_parquet(target / HELP)
    return target


VERBS = {
    "open": lambda place: Release.open(place),
    "store": lambda place: open_release(place),
    "query": lambda place: ask(place, QUERY),
    "query --sql": lambda place: rewrite(place, QUERY, to="postgres"),
    "load": lambda place: load(place, "postgresql://nobody@localhost:1/none"),
    "attack": lambda place: attack(place, original=policy_of("whole"), data=PAPER),
    "risk": lambda place: risk(place, original=policy_of("whole"), data=PAPER),
    "report": lambda place: report(
        place, place.parent / "report.html", original=policy_of("whole"), data=PAPER
    ),
    "document": lambda place: document(place, original=policy_of("whole"), data=PAPER),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_checks_hashes_first(target, verb):
    with pytest.raises(ReleaseError, match=rf"{HELP}") as caught:
        VERBS[verb](target)
    assert len(str(caught.value).splitlines()) == 1
    assert not (target.parent / "report.html").exists()


def test_the_verifier_says_what_changed(target):
    verdict = verify(target)
    (files,) = (each for each in verdict.findings if each.claim == "files")
    assert files.status is Status.VIOLATED
    assert files.measured == f"{HELP} changed"


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_the_command_line_does_not_answer(made, tmp_path, form, capsys):
    target = Release.open(made / form).save(tmp_path / "release", format=form)
    with (target / f"people_help.{form}").open("ab") as file:
        file.write(b" ")
    assert run(["query", str(target), QUERY]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1


# -- what is no file --------------------------------------------------------------------------


def _link(path):
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _link_outside(path):
    outside = path.parent.parent / "outside"
    path.rename(outside)
    path.symlink_to(outside)


def _folder(path):
    path.unlink()
    path.mkdir()


def _pipe(path):
    path.unlink()
    os.mkfifo(path)


def _nothing(path):
    path.unlink()
    path.symlink_to("nowhere")


REPLACEMENTS = {
    "link": (_link, "is a link"),
    "link out": (_link_outside, "is a link"),
    "folder": (_folder, "is not a file"),
    "pipe": (_pipe, "is not a file"),
    "dangling link": (_nothing, "is a link"),
}


@pytest.mark.parametrize("change", REPLACEMENTS)
@pytest.mark.parametrize("name", [HELP, "tree.csv"])
def test_what_is_no_regular_file(made, tmp_path, change, name):
    release = Release.open(made / "parquet")
    target = release.save(tmp_path / "release")
    name = name if name == HELP else next(iter(release.hierarchies))
    replaced, words = REPLACEMENTS[change]
    replaced(target / name)
    verdict = verify(target)
    (files,) = (each for each in verdict.findings if each.claim == "files")
    assert files.status is Status.VIOLATED
    assert f"{name} {words}" in files.measured
    for read in (Release.open, lambda place: ask(place, QUERY)):
        with pytest.raises(ReleaseError, match=words):
            read(target)


@pytest.mark.parametrize("table", [None, "people_help"])
def test_a_listed_folder_without_a_hash(made, tmp_path, table):
    target = Release.open(made / "parquet").save(tmp_path / "release")
    (target / "more").mkdir()
    (target / "more" / "names.csv").write_text("name\nMiller\n")
    entry = {"name": "more", "sha256": ""} | ({} if table is None else {"table": table})
    declare(target, lambda manifest: manifest["files"].append(entry))
    (files,) = (each for each in verify(target).findings if each.claim == "files")
    assert files.status is Status.VIOLATED
    assert "more is not a file" in files.measured
    with pytest.raises(ReleaseError, match="more is not a file"):
        Release.open(target)


def test_a_huge_hierarchy(made, tmp_path):
    release = Release.open(made / "parquet")
    target = release.save(tmp_path / "release")
    with (target / next(iter(release.hierarchies))).open("ab") as file:
        file.truncate(LARGEST_TEXT + 1)
    rehash(target)
    (files,) = (each for each in verify(target).findings if each.claim == "files")
    assert "is larger than 64 MiB" in files.measured
    with pytest.raises(ReleaseError, match="is larger than 64 MiB"):
        Release.open(target)


@pytest.mark.parametrize("header", [b"a\x00b,c\n", b"x," * 10_001 + b"x\n", b"\xff,b\n", b",\n"])
def test_headers_that_cannot_be(made, tmp_path, header):
    target = Release.open(made / "csv").save(tmp_path / "release", format="csv")
    (target / "people.csv").write_bytes(header + b"1,2\n")
    rehash(target)
    assert verify(target).status is Status.VIOLATED
    with pytest.raises(ReleaseError):
        Release.open(target)


def test_groups_are_whole_numbers(made, tmp_path):
    target = Release.open(made / "parquet").save(tmp_path / "release")
    path = target / "people_values.parquet"
    pl.read_parquet(path).with_columns(pl.col("group").cast(pl.Float32)).write_parquet(path)
    rehash(target)
    for read in (Release.open, lambda place: ask(place, QUERY)):
        with pytest.raises(ReleaseError, match="are not those that release"):
            read(target)


# -- files that change after they were looked at ----------------------------------------------


def test_a_table_that_changes_after_it_was_opened(made, tmp_path):
    release = Release.open(made / "parquet")
    target = save_in_parts(release, tmp_path / "release", parts=2)
    opened = Release.open(target)
    (target / "people.00001.parquet").write_bytes((target / "people.00002.parquet").read_bytes())
    with pytest.raises(ReleaseError, match="changed while it was read"):
        opened.frames["people"]
    with pytest.raises(ReleaseError, match="changed while it was read"):
        list(parts_of(opened.frames, "people"))
    with pytest.raises(ReleaseError, match="changed while it was read"):
        opened.save(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_file_that_changes_while_it_is_judged(made, tmp_path, monkeypatch):
    target = Release.open(made / "parquet").save(tmp_path / "release")

    def judged(opened):
        (target / HELP).touch()
        return original(opened)

    from papilio.verify import judge

    original = judge.check_tables
    monkeypatch.setattr(judge, "check_tables", judged)
    findings = [each for each in verify(target).findings if each.claim == "files"]
    assert [each.status for each in findings] == [Status.HOLDS, Status.VIOLATED]
    assert findings[1].measured == f"{HELP} changed meanwhile"


def test_a_release_in_memory_has_no_files(made):
    release = replace(Release.open(made / "parquet"), directory=None)
    assert verify(release).holds
