"""What `make release` refuses, and what runs before each commit."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from papilio import __version__
from papilio.policy.files import read_yaml

ROOT = Path(__file__).parents[1]
_SPEC = importlib.util.spec_from_file_location("release_tool", ROOT / "tools" / "release.py")
release = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(release)

METADATA = b"""\
Metadata-Version: 2.4
Name: papilio
Version: 1.2
Summary: Invented
Description-Content-Type: text/markdown

# Papilio
"""
TRACKED = ["README.md", "src/papilio/__init__.py", "src/papilio/py.typed", "tests/test_a.py"]


def sdist(**changed):
    return dict.fromkeys(TRACKED, b"") | {"PKG-INFO": METADATA, "setup.cfg": b""} | changed


def wheel(**changed):
    info = "papilio-1.2.dist-info"
    needed = ("RECORD", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE")
    return {
        "papilio/__init__.py": b"",
        "papilio/py.typed": b"",
        f"{info}/METADATA": METADATA,
        **{f"{info}/{name}": b"" for name in needed},
        **changed,
    }


def without(files, name):
    return {each: content for each, content in files.items() if each != name}


def test_packages_that_are_as_committed_pass():
    release.check_sdist(sdist(), TRACKED, "1.2")
    release.check_wheel(wheel(), TRACKED, "1.2")


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (without(sdist(), "tests/test_a.py"), r"lacks 1 files: tests/test_a\.py"),
        (sdist(**{".coverage": b""}), r"has also 1 files: \.coverage"),
        (sdist(**{"README.md": str(ROOT).encode()}), r"README\.md of the sdist names a folder"),
        (sdist(**{"PKG-INFO": METADATA.replace(b"1.2", b"1.3")}), r"version 1\.3, not 1\.2"),
        (
            sdist(**{"PKG-INFO": METADATA.replace(b"text/markdown", b"text/plain")}),
            "does not show the README",
        ),
    ],
)
def test_an_sdist_that_is_not_the_commit_is_refused(files, says):
    with pytest.raises(release.NotFitError, match=says):
        release.check_sdist(files, TRACKED, "1.2")


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (without(wheel(), "papilio/py.typed"), r"lacks 1 files: papilio/py\.typed"),
        (wheel(**{"tests/test_a.py": b""}), r"has also 1 files: tests/test_a\.py"),
        (without(wheel(), "papilio-1.2.dist-info/licenses/NOTICE"), "has no .*NOTICE"),
        (without(wheel(), "papilio-1.2.dist-info/entry_points.txt"), "has no .*entry_points"),
    ],
)
def test_a_wheel_that_is_not_the_package_is_refused(files, says):
    with pytest.raises(release.NotFitError, match=says):
        release.check_wheel(files, TRACKED, "1.2")


def test_the_changelog_must_know_the_version():
    text = "# Changelog\n\n## Unreleased\n\n## 1.2\n\n- That.\n\n## 1.1\n"
    assert release.check_changelog(text, "1.2") == []
    for other in ("1.1", "1.3"):
        with pytest.raises(
            release.NotFitError, match=f"the newest version of .* is 1.2, .*{other}"
        ):
            release.check_changelog(text, other)


def test_changes_that_have_no_version_make_it_a_rehearsal():
    text = "## Unreleased\n\n### Added\n\n- This.\n\n## 1.2\n\n- That.\n"
    (note,) = release.check_changelog(text, "1.2")
    assert "Unreleased" in note


def test_changelog_and_code_agree_now():
    source = (ROOT / "src" / "papilio" / "version.py").read_text(encoding="utf-8")
    assert release.version_of(source) == __version__
    release.check_changelog((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__)


def test_pins_are_those_of_the_requirements_without_hashes():
    text = (ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8")
    pins = release.pinned(text).splitlines()
    assert len(pins) == text.count("==") - text.count("# ==")
    assert "sha256" not in "".join(pins)
    assert any(each.startswith("polars==") for each in pins)


def test_hooks_run_the_pinned_tools_that_make_runs():
    hooks = [
        hook
        for repository in read_yaml(ROOT / ".pre-commit-config.yaml").data["repos"]
        for hook in repository["hooks"]
        if repository["repo"] == "local"
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    made = set(
        re.findall(
            r"^\t\$\(BIN\)/(ruff check|ruff format --check|mypy|lint-imports)", makefile, re.M
        )
    )
    entries = {
        hook["entry"].removeprefix(".venv/bin/").removesuffix(" --force-exclude") for hook in hooks
    }
    assert entries == made
    assert all(hook["language"] == "system" for hook in hooks)
    pinned = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    for tool in ("ruff", "mypy", "import-linter", "pre-commit", "build"):
        assert f"\n{tool}==" in pinned
