"""Data comes in, is looked at, and becomes a first policy; in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from browser import Visit
from playwright.sync_api import Page, expect

from papilio.web.draft import load_draft
from papilio.web.project import Project, Workspace

PEOPLE = "name,age,postcode,disease\n" + "".join(
    f"person {number},{20 + number % 50},{10000 + number % 7},{'flu' if number % 3 else 'hiv'}\n"
    for number in range(200)
)
VISITS = Path(__file__).parents[2] / "examples/visits/visits.csv"


def project_of(visit: Visit, name: str) -> Project:
    return Workspace(visit.server.workspace).project(name)


def upload(page: Page, *files: Path) -> None:
    page.get_by_label("Choose files").set_input_files(list(files))


def use_suggestions(page: Page) -> None:
    page.get_by_role("button", name="Use these suggestions").click()
    page.wait_for_url(re.compile(r"/columns$"))


def test_an_uploaded_file_becomes_a_policy(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "people of ward.csv").write_text(PEOPLE)
    page = visit.page()
    upload(page, tmp_path / "people of ward.csv")
    page.wait_for_url(re.compile(r"/p/people_of_ward/data$"))
    expect(page.get_by_role("rowheader", name="postcode")).to_be_visible()
    expect(page.get_by_text("Who stands out")).to_be_visible()
    use_suggestions(page)
    project = project_of(visit, "people_of_ward")
    assert [path.name for path in project.data.iterdir()] == ["people-of-ward.csv"]
    assert load_draft(project).faults() == ()
    assert load_draft(project).tree["columns"] == {
        "name": "identifier", "age": "quasi", "postcode": "quasi", "disease": "sensitive",
    }  # fmt: skip
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("k: 10")


def test_a_file_of_visits_says_how_many_rows_people_have(visit: Visit) -> None:
    page = visit.page()
    upload(page, VISITS)
    page.wait_for_url(re.compile(r"/p/visits[-\d]*/data$"))
    expect(page.locator(".figure", has_text="People")).to_contain_text("120")
    card = page.locator("section", has=page.get_by_role("heading", name="Rows of a person"))
    expect(card).to_contain_text("Column 'patient' seems to name people")
    owned = pl.read_csv(VISITS).group_by("patient").len().get_column("len")
    bars = [line.split("\n") for line in card.locator(".bar").all_inner_texts()]
    assert bars[0] == ["1 row", str((owned == 1).sum())]
    assert bars[-1] == [f"{owned.max()} rows", str((owned == owned.max()).sum())]
    assert sum(int(people) for _, people in bars) == 120


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("ragged.csv", b"a,b\n1,2\n3\n4,5,6\n", "ragged.csv"),
        ("empty.csv", b"", "empty"),
        ("broken.parquet", b"PAR1 but not really", "broken.parquet"),
        ("letter.docx", b"PK\x03\x04", "letter.docx"),
    ],
)
def test_a_bad_file_gets_one_line_on_the_page(
    visit: Visit, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    page = visit.page()
    upload(page, tmp_path / name)
    page.wait_for_url(re.compile(r"/data$"))
    alert = page.get_by_role("alert").filter(has_text=words)
    expect(alert).to_be_visible()
    text = alert.inner_text()
    assert "Traceback" not in text
    assert str(visit.server.workspace) not in text or name in text
    assert "3,4" not in text


@pytest.mark.long
def test_a_file_on_this_machine_stays_where_it_is(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "here.csv").write_text(PEOPLE)
    page = visit.page()
    page.get_by_label("Path of a file or folder").fill(str(tmp_path / "here.csv"))
    page.get_by_label("Path of a file or folder").press("Enter")
    page.wait_for_url(re.compile(r"/p/here/data$"))
    expect(page.get_by_role("rowheader", name="postcode")).to_be_visible()
    project = project_of(visit, "here")
    assert list(project.data.iterdir()) == []
    assert load_draft(project).get(("source",)) == str(tmp_path / "here.csv")


def test_a_path_with_nothing_there_is_said(visit: Visit) -> None:
    page = visit.page()
    page.get_by_label("Path of a file or folder").fill("/no/such/file.csv")
    page.get_by_label("Path of a file or folder").press("Enter")
    expect(page.get_by_text("there is no file or folder at this path")).to_be_visible()


@pytest.mark.long
def test_a_file_is_picked_by_browsing(visit: Visit) -> None:
    home = Path(visit.server.workspace.parent / "cwd")
    (home / "folder").mkdir(exist_ok=True)
    (home / "folder" / "picked.csv").write_text(PEOPLE)
    (home / "folder" / "notes.txt").write_text("no rows")
    (home / ".secret").mkdir(exist_ok=True)
    try:
        page = visit.page()
        page.get_by_role("button", name="Browse").first.click()
        page.get_by_role("button", name="Home folder").click()
        expect(page.get_by_role("button", name=".secret")).to_have_count(0)
        page.get_by_role("button", name="folder", exact=True).click()
        expect(page.get_by_role("button", name="notes.txt")).to_have_count(0)
        page.get_by_role("button", name="picked.csv").click()
        page.wait_for_url(re.compile(r"/p/picked/data$"))
    finally:
        (home / "folder" / "picked.csv").unlink()
        (home / "folder" / "notes.txt").unlink()
        (home / "folder").rmdir()
        (home / ".secret").rmdir()


@pytest.mark.long
def test_several_files_are_offered_as_linked_tables_or_a_graph(
    visit: Visit, tmp_path: Path
) -> None:
    pl.DataFrame({"sid": range(40), "gpa": [i % 5 for i in range(40)]}).write_csv(
        tmp_path / "student.csv"
    )
    pl.DataFrame(
        {"scid": range(80), "sid": [i // 2 for i in range(80)], "course": ["a", "b"] * 40}
    ).write_csv(tmp_path / "takes.csv")
    page = visit.page()
    upload(page, tmp_path / "student.csv", tmp_path / "takes.csv")
    page.wait_for_url(re.compile(r"/p/student/data$"))
    expect(page.get_by_role("button", name=re.compile("^A graph"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Linked tables")).click()
    page.wait_for_url(re.compile(r"/columns$"))
    tree = load_draft(project_of(visit, "student")).tree
    assert tree["person"] == "student"
    assert tree["tables"]["takes"]["parent"] == {"student": "sid"}


def test_a_policy_with_its_files_restores_the_pages(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "ward.csv").write_text(PEOPLE)
    policy = (
        "# of the ward\npapilio: 1\nsource: rows/ward.csv\ncolumns: {age: quasi, "
        "disease: sensitive}\nprivacy: {k: 7}\n"
    )
    (tmp_path / "policy.yaml").write_text(policy)
    page = visit.page()
    upload(page, tmp_path / "policy.yaml", tmp_path / "ward.csv")
    page.wait_for_url(re.compile(r"/p/ward/data$"))
    expect(page.get_by_text("The policy says what the columns are.")).to_be_visible()
    project = project_of(visit, "ward")
    assert load_draft(project).text == policy
    assert (project.folder / "rows" / "ward.csv").is_file()
    assert list(project.data.iterdir()) == []


@pytest.mark.long
def test_a_policy_by_its_path_finds_its_files(visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    (folder / "trees").mkdir(parents=True)
    (folder / "rows.csv").write_text(PEOPLE)
    (folder / "trees" / "age.csv").write_text("20,young\n")
    (folder / "p.yaml").write_text(
        "papilio: 1\nsource: {sql: \"SELECT * FROM 'rows.csv'\"}\n"
        "columns: {age: {role: quasi, hierarchy: trees/age.csv}}\nprivacy: {k: 7}\n"
    )
    page = visit.page()
    page.get_by_label("Path of a policy file").fill(str(folder / "p.yaml"))
    page.get_by_label("Path of a policy file").press("Enter")
    page.wait_for_url(re.compile(r"/p/elsewhere/data$"))
    expect(page.get_by_role("rowheader", name="postcode")).to_be_visible()
    project = project_of(visit, "elsewhere")
    assert (project.folder / "rows.csv").resolve() == folder / "rows.csv"
    assert not (project.folder / "trees" / "age.csv").is_symlink()


def test_what_is_no_policy_is_refused_and_leaves_no_project(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("a: 1\n")
    page = visit.page()
    upload(page, tmp_path / "other.yaml")
    expect(page.get_by_text("not a policy")).to_be_visible()
    assert "other" not in [each.name for each in Workspace(visit.server.workspace).projects()]


def test_a_password_is_written_nowhere(visit: Visit) -> None:
    secret = "pa55-w0rd-of-nobody"
    page = visit.page()
    page.get_by_label("Address").fill(f"postgresql://me:{secret}@127.0.0.1:1/db#people")
    page.get_by_role("button", name="Connect").click()
    page.wait_for_url(re.compile(r"/p/people/data$"))
    expect(page.get_by_role("alert")).to_be_visible()
    assert secret not in page.content()
    project = project_of(visit, "people")
    assert load_draft(project).get(("source",)) == "postgresql://me@127.0.0.1:1/db#people"
    for path in visit.server.workspace.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes()
    assert secret not in visit.server.errors.read_text()


def test_a_project_can_be_deleted(visit: Visit) -> None:
    project = Workspace(visit.server.workspace).create("unwanted")
    page = visit.page()
    page.get_by_role("button", name="Delete unwanted").click()
    page.get_by_role("button", name="Keep it").click()
    # Until it is gone, its buttons can still be met, and do nothing.
    expect(page.get_by_role("button", name="Keep it")).to_have_count(0)
    assert project.folder.is_dir()
    page.get_by_role("button", name="Delete unwanted").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("button", name="Delete unwanted")).to_have_count(0)
    assert not project.folder.exists()
