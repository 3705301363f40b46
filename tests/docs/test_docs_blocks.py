"""The runner of code blocks notices when a page is wrong."""

from __future__ import annotations

import pytest
from generators.blocks import blocks_of, refresh, run_page


def page(*blocks):
    return "\n\n".join(f"```{language}\n{body}```" for language, body in blocks) + "\n"


def agreeing(text):
    return [each.agrees for each in run_page(text)]


def test_equal_outputs_agree():
    assert agreeing(page(("console", "$ echo a\na\n"))) == [True]
    assert agreeing(page(("python", "print(1)\n"), ("text", "1\n"))) == [True]


def test_other_outputs_do_not():
    assert agreeing(page(("console", "$ echo a\nb\n"))) == [False]
    assert agreeing(page(("console", "$ echo a\n"))) == [False]
    assert agreeing(page(("python", "print(1)\n"), ("text", "2\n"))) == [False]


def test_each_command_has_its_own_output():
    text = page(("console", "$ echo a\na\n$ echo b\nc\n"))
    assert agreeing(text) == [True, False]


def test_a_block_that_prints_must_show_it():
    assert agreeing(page(("python", "print(1)\n"))) == [False]
    assert agreeing(page(("python", "a = 1\n"))) == [True]


def test_text_after_prose_is_no_output():
    text = "```python\na = 1\n```\n\nProse.\n\n```text\n2\n```\n"
    assert agreeing(text) == [True]


def test_dots_stand_for_any_lines_and_nothing_else():
    assert agreeing(page(("console", "$ seq 5\n1\n...\n5\n"))) == [True]
    assert agreeing(page(("console", "$ seq 5\n1\n...\n4\n"))) == [False]
    assert agreeing(page(("console", "$ echo a...\na..b\n"))) == [False]


def test_exit_codes_are_part_of_the_output():
    assert agreeing(page(("console", "$ false\n"))) == [False]
    assert agreeing(page(("console", "$ false\n[exit 1]\n"))) == [True]
    (output,) = run_page(page(("console", "$ papilio nonsense\n")))
    assert output.real.endswith("[exit 2]\n")


def test_names_live_on_in_later_blocks():
    assert agreeing(page(("python", "a = 1\n"), ("python", "print(a)\n"), ("text", "1\n"))) == [
        True,
        True,
    ]


def test_an_error_in_a_block_is_an_error():
    with pytest.raises(ZeroDivisionError):
        run_page(page(("python", "1 / 0\n")))


def test_marked_blocks_are_left_alone():
    text = "<!-- not run -->\n```python\n1 / 0\n```\n"
    assert blocks_of(text)[0].skipped
    assert run_page(text) == []


def test_refresh_replaces_what_is_wrong_and_only_that():
    text = page(
        ("console", "$ seq 3\n1\n...\n$ echo b\nc\n"), ("python", "print(2)\n"), ("text", "")
    )
    fresh = refresh(text, run_page(text))
    assert "$ seq 3\n1\n...\n$ echo b\nb\n```" in fresh
    assert "```text\n2\n```" in fresh
    assert all(agreeing(fresh))
