"""The report on a disguised release: three distributions, loss and distance, and no script."""

import numpy as np
import pytest

from disguise_releases import PAPER, policy_of, random_frame
from papilio import publish
from papilio.document import Owned
from papilio.document.html import render
from papilio.errors import ReleaseError
from papilio.families.disguise.document import document, loss
from papilio.families.disguise.facts import disguised_facts
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from sizes import spread


def owned(kind, frame):
    policy = policy_of(kind)
    release = publish(frame, policy, name="people")
    order, _ = order_of(frame, policy, "people")
    return Owned(release, policy, order, release.verify(), "for the test")


def content_of(kind, frame):
    mine = owned(kind, frame)
    facts = disguised_facts(mine.release, mine.order.table)
    assert loss(mine) == facts.loss
    return facts


def test_what_is_published_is_the_target_and_not_the_source():
    content = content_of("parts", random_frame(5))
    for each in content.bins:
        assert each.published == pytest.approx(each.target)
    assert sum(each.source for each in content.bins) == pytest.approx(1)
    assert content.published_distance == pytest.approx(0)
    assert content.distance > 0
    assert len(content.points) == content.groups == 3


def test_figures_follow_from_the_tables():
    content = content_of("parts", PAPER)
    # Ranges of Table 3.2: 0; 30 + 10 + 10; 30 + 30 + 10 + 10, over a domain of 30.
    assert content.loss == pytest.approx((50 + 80) / 30 / 11)
    assert content.exact == pytest.approx(4 / 11)
    assert content.depths == (3, 4, 4)
    assert content.fakes == 0


def test_a_target_nearer_to_the_data_costs_less():
    curve = content_of("width", random_frame(5, rows=400)).curve
    assert curve[0].distance < curve[-1].distance
    assert curve[0].loss < curve[-1].loss


def test_groups_are_left_out_where_nobody_knows_who_is_in_which():
    assert content_of("personal", random_frame(2)).points == ()


@pytest.mark.parametrize("kind", spread(["parts", "fakes", "shift", "personal", "chance"], 2))
def test_the_page_stands_alone(kind):
    page = render(document(owned(kind, random_frame(6))))
    assert page.count("<svg") >= 2
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "What this release does not protect against" in page


def test_another_original_is_refused(tmp_path):
    release = publish(PAPER, policy_of("parts"), name="people")
    other = random_frame(1, values=(31, 61))
    with pytest.raises(ReleaseError):
        release.report(tmp_path / "a.html", original=policy_of("parts"), data=other)
    plain = Policy(columns=policy_of("parts").columns, privacy={"k": 2})
    with pytest.raises(ReleaseError, match="give the policy it was made with"):
        release.report(tmp_path / "a.html", original=plain, data=PAPER)
    path = release.report(tmp_path / "a.html", original=policy_of("parts"), data=PAPER)
    assert "holds" in path.read_text(encoding="utf-8")
    assert np.isfinite(path.stat().st_size)
