"""The tree editor in a browser: with the mouse, with the keyboard alone, on a phone."""

from __future__ import annotations

import pytest
from axe import serious_findings
from browser import PHONE, Visit, press, write
from playwright.sync_api import Browser, Page, expect
from projects import example_project, table_project
from running import Running

from papilio.data.hierarchy.paths import read_paths
from papilio.web.draft import load_draft
from papilio.web.project import Project

CSV = "town,ill\n" + "".join(f"{town},x\n" for town in ["Aa", "Bb", "Cc", "Dd", "Ee"] * 3)
POLICY = (
    "papilio: 1\nsource: data/table.csv\ncolumns: {town: quasi, ill: sensitive}\nprivacy: {k: 3}\n"
)


@pytest.fixture
def project(visit: Visit) -> Project:
    return table_project(visit.server, "tree", CSV, POLICY)


def tree_of(visit: Visit, project: Project, column: str) -> Page:
    page = visit.open(f"/p/{project.name}/columns?tree={column}")
    page.get_by_role("tree").wait_for()
    return page


def line(page: Page, name: str):  # type: ignore[no-untyped-def]
    return page.get_by_role("treeitem").filter(has=page.get_by_text(name, exact=True))


def paths(project: Project, file: str) -> dict[str, tuple[str, ...]]:
    tree = read_paths(project.hierarchies / file)
    return {
        str(leaf): tuple(str(tree.labels[node]) for node in tree.levels[1:-1, rank])
        for rank, leaf in enumerate(tree.leaves)
    }


@pytest.mark.long
def test_groups_are_made_and_filled_with_the_mouse(visit: Visit, project: Project) -> None:
    page = tree_of(visit, project, "town")
    page.get_by_role("button", name="Edit this tree by hand").click()
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text(
        "hierarchies/town.csv"
    )
    line(page, "Aa").click()
    line(page, "Bb").click()
    expect(page.get_by_text("2 selected.")).to_be_visible()
    page.get_by_label("Name of a group").fill("north")
    page.get_by_role("button", name="Make group").click()
    expect(line(page, "north")).to_contain_text("2 values · 6 rows")
    line(page, "Cc").click()
    page.get_by_label("Move to").select_option("north")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(line(page, "north")).to_contain_text("3 values")
    line(page, "Dd").drag_to(line(page, "north"))
    expect(line(page, "north")).to_contain_text("4 values")
    page.get_by_role("button", name="Undo").click()
    expect(line(page, "north")).to_contain_text("3 values")
    expect(page.get_by_role("region", name="How values look on each level")).to_contain_text(
        "north"
    )
    expected = {"Aa": "north", "Bb": "north", "Cc": "north", "Dd": "Dd", "Ee": "Ee"}
    assert paths(project, "town.csv") == {key: (group,) for key, group in expected.items()}
    assert load_draft(project).get(("columns", "town", "hierarchy")) == "hierarchies/town.csv"
    page.reload()
    expect(line(page, "north")).to_be_visible()


def test_the_keyboard_is_enough(visit: Visit, project: Project) -> None:
    page = tree_of(visit, project, "town")
    page.get_by_role("button", name="Edit this tree by hand").focus()
    press(page, "Enter")
    page.get_by_label("Name of a group").wait_for()
    page.get_by_role("tree").focus()
    for key in ("ArrowDown", "Space", "ArrowDown", "ArrowDown", "Space"):
        press(page, key)
    expect(page.get_by_text("2 selected.")).to_be_visible()
    press(page, "n")
    expect(page.get_by_label("Name of a group")).to_be_focused()
    write(page, "odd")
    press(page, "Enter")
    expect(line(page, "odd")).to_contain_text("2 values")
    page.get_by_role("tree").focus()
    press(page, "Home")
    press(page, "ArrowDown")
    press(page, "Space")
    press(page, "m")
    expect(page.get_by_label("Move to")).to_be_focused()
    press(page, "o")
    press(page, "Tab")
    press(page, "Enter")
    expect(line(page, "odd")).to_contain_text("3 values")
    page.get_by_role("tree").focus()
    press(page, "F2")
    expect(page.get_by_label("Name of a group")).to_be_focused()
    press(page, "Control+a")
    write(page, "first")
    press(page, "Enter")
    expect(line(page, "first")).to_contain_text("3 values")
    page.get_by_role("tree").focus()
    press(page, "ArrowLeft")
    expect(line(page, "Aa")).not_to_be_visible()
    press(page, "ArrowRight")
    expect(line(page, "Aa")).to_be_visible()
    press(page, "Delete")
    expect(line(page, "first")).not_to_be_visible()
    press(page, "Control+z")
    expect(line(page, "first")).to_be_visible()
    assert set(paths(project, "town.csv").values()) >= {("first",)}


@pytest.mark.long
def test_a_name_that_is_taken_is_refused(visit: Visit, project: Project) -> None:
    page = tree_of(visit, project, "town")
    page.get_by_role("button", name="Edit this tree by hand").click()
    page.get_by_label("Name of a group").fill("Aa")
    page.get_by_role("button", name="Make group").click()
    expect(page.get_by_text("this name is taken")).to_be_visible()


@pytest.mark.long
def test_files_come_in_and_go_out(visit: Visit, project: Project) -> None:
    page = tree_of(visit, project, "town")
    content = b"Aa,one,*\nBb,one,*\nCc,two,*\nDd,two,*\n"
    page.locator("input[type=file]").set_input_files(
        {"name": "towns.csv", "mimeType": "text/csv", "buffer": content}
    )
    expect(line(page, "two")).to_be_visible()
    expect(page.get_by_text("1 values are not in the file yet")).to_be_visible()
    assert load_draft(project).get(("columns", "town", "hierarchy")) == "hierarchies/towns.csv"
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert sorted(download.value.path().read_text().splitlines()) == [
        "Aa,one,*", "Bb,one,*", "Cc,two,*", "Dd,two,*", "Ee,*",
    ]  # fmt: skip


@pytest.mark.long
def test_rules_are_shown_and_long_lists_in_parts(visit: Visit) -> None:
    csv = "code,ill\n" + "".join(f"{n:04d},x\n" for n in range(300))
    policy = POLICY.replace(
        "town: quasi", "code: {role: quasi, type: category, hierarchy: {prefix: [1]}}"
    )
    page = tree_of(visit, table_project(visit.server, "codes", csv, policy), "code")
    line(page, "0*").click()
    expect(page.get_by_role("treeitem")).to_have_count(53)
    page.get_by_role("treeitem").last.click()
    expect(page.get_by_role("treeitem")).to_have_count(103)
    expect(page.get_by_role("region", name="How values look on each level")).to_contain_text("0*")


@pytest.mark.long
def test_a_file_that_is_no_tree_says_why(visit: Visit, project: Project) -> None:
    (project.hierarchies / "bad.csv").write_text("Aa,x,*\nBb,y,x,*\nx,*\n")
    text = project.policy_file.read_text()
    said = "town: {role: quasi, hierarchy: hierarchies/bad.csv}"
    project.policy_file.write_text(text.replace("town: quasi", said))
    page = visit.open(f"/p/{project.name}/columns?tree=town")
    expect(page.get_by_role("alert")).to_contain_text("a label of its own")


@pytest.mark.long
def test_a_phone_and_axe(shared_browser: Browser, shared_workbench: Running) -> None:
    visit = Visit(shared_browser, shared_workbench, PHONE)
    page = tree_of(visit, example_project(shared_workbench, "one-table"), "job")
    line(page, "food").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert serious_findings(page) == []
    assert visit.errors == []
    visit.context.close()
