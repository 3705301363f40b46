"""Links between pages lead somewhere."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from generate import GENERATED, ROOT, written

PAGES = [path for path in [*written(), *GENERATED] if path.suffix == ".md"]
LINK = re.compile(r"!?\[(?:[^\]]|\n)*?\]\(([^)\s]+)\)")


def without_code(text):
    return re.sub(r"```.*?```", "", text, flags=re.S)


def anchor(heading):
    """The anchor that a heading gets on GitHub."""
    plain = re.sub(r"[^\w\- ]", "", heading.lower().strip())
    return plain.replace(" ", "-")


def anchors(text):
    found, seen = set(), {}
    for heading in re.findall(r"^#+ (.*)$", without_code(text), re.M):
        name = anchor(heading)
        number = seen.get(name, 0)
        seen[name] = number + 1
        found.add(f"{name}-{number}" if number else name)
    return found


def links(path):
    return LINK.findall(without_code(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_resolve(path):
    for link in links(path):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, part = unquote(link).partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        if part:
            assert part in anchors(target.read_text(encoding="utf-8")), link


def test_links_are_found():
    assert sum(len(links(path)) for path in PAGES) > 40


def test_anchors_are_those_of_github():
    assert anchor("7. Ask what k does not answer") == "7-ask-what-k-does-not-answer"
    assert anchor("Keys of `columns.<name>`") == "keys-of-columnsname"
    assert anchors("# A b\n\n# A b\n") == {"a-b", "a-b-1"}


def test_pictures_have_a_description():
    for path in PAGES:
        for text in re.findall(r"!\[([^\]]*)\]", path.read_text(encoding="utf-8")):
            assert text.strip()
