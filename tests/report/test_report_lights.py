"""The lights on top of the report of every family, in words and not in colours alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import papilio as pp
from seven_families import FAMILIES, write_family
from sizes import some


@pytest.mark.parametrize("family", some(FAMILIES, first=3))
def test_every_report_begins_with_the_three_lights(family, tmp_path):
    order = pp.Policy.load(write_family(tmp_path, family)[0])
    release = pp.publish(None, order)
    page = pp.report(release, tmp_path / "report.html", original=order).read_text(encoding="utf-8")
    top = page.partition('<section class="lights"')[2].partition("</section>")[0]
    assert page.index('class="lights"') < page.index('class="tiles"')
    for light in release.lights:
        assert f'class="light {light.colour}"' in top
        assert light.colour.face in top
        assert light.colour.sign in top
    if release.lights.secret.remedies:
        line = re.escape(release.lights.secret.remedies[0].line)
        assert re.search(f"<code>{line}</code>", top)


def test_a_page_of_a_release_nobody_attacked_has_no_lights(tmp_path):
    from papilio.document.html import render
    from papilio.workflow.report import document

    order = pp.Policy.load(write_family(Path(tmp_path), "one-table")[0])
    told = document(pp.publish(None, order), original=order)
    assert told.lights is None
    assert '<section class="lights"' not in render(told)
