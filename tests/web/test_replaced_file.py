"""Files of a project that are written again and again."""

from __future__ import annotations

import pytest

from papilio.errors import OutputError
from papilio.web.transfers import replace_text


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "policy.yaml"
    for text in ("one", "é two"):
        replace_text(path, text, "policy")
        assert path.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_refusal_is_one_line_and_leaves_what_was_there(tmp_path):
    path = tmp_path / "policy.yaml"
    path.mkdir()
    with pytest.raises(OutputError, match="the policy cannot be written") as caught:
        replace_text(path, "text", "policy")
    assert caught.value.reason == "cannot-write"
    assert list(tmp_path.iterdir()) == [path]
