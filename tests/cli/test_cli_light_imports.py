"""What is loaded when: neither importing Papilio nor asking for help may take long."""

import json
import subprocess
import sys

import pytest

HEAVY = ("polars", "numba", "pandas", "duckdb", "pyarrow", "numpy", "scipy", "altair")


def loaded_after(code):
    """Heavy modules that a fresh interpreter has loaded after running code."""
    report = "import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    process = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    modules = set(json.loads(process.stderr))
    return {name for name in HEAVY if name in modules}


def test_import_is_light():
    assert loaded_after("import papilio") == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["publish", "--help"], []])
def test_help_is_light(arguments):
    assert loaded_after(f"from papilio.cli.app import run; run({arguments!r})") == set()


def test_a_question_needs_no_compiler_and_no_pictures():
    """An answer takes less than a second, and half of that would be spent on loading these."""
    loaded = loaded_after("import papilio.workflow.ask, papilio.query.ask")
    assert loaded & {"numba", "pandas", "scipy", "altair"} == set()


def test_all_names_exist():
    import papilio

    for name in papilio.__all__:
        assert getattr(papilio, name) is not None
    assert dir(papilio) == sorted(papilio.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        papilio.nothing  # noqa: B018
