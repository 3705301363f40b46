"""The pure parts of the comparison with other packages."""

import pytest

import peers
from papilio import samples
from peer_environments import last_line
from pictures import loss_over_seconds, package_looks, save_picture


@pytest.mark.parametrize("name", samples.ADULT_QUASI)
def test_hierarchies_cover_every_value(name):
    adult = samples.adult()
    paths = peers.hierarchy(name)
    leaves = paths.to_series(0)
    assert set(adult[name]) <= set(leaves)
    assert leaves.is_unique().all()
    assert paths.null_count().sum_horizontal().item() == 0
    assert (paths.to_series(-1) == "*").all()


@pytest.mark.long
def test_a_run_by_papilio_is_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "k_of", lambda target: "?")
    table = peers.write_input(tmp_path, samples.adult().head(500))
    hybrid, incognito = (
        next(each for each in peers.CONTESTANTS if each.name == f"papilio {name}")
        for name in ("hybrid", "incognito")
    )
    runs = [peers.run_one(each, 10, tmp_path, table) for each in (hybrid, incognito)]
    assert [run.error for run in runs] == [None, None]
    losses = [run.outcome.ncp for run in runs]
    assert 0 < losses[0] < losses[1] <= 1
    assert all(run.outcome.left_out == 0 and run.mebibytes > 10 for run in runs)


def test_failures_are_told(tmp_path):
    table = peers.write_input(tmp_path, samples.adult().head(50))
    impossible = peers.Contestant("papilio x", "papilio", '{"method": "nonsense"}', None)
    run = peers.run_one(impossible, 10, tmp_path, table)
    assert run.outcome is None
    assert "method" in run.error
    assert run.error in run.text
    assert peers.failure(-9, "") == "killed, out of memory"
    assert last_line("Traceback\n  x\nTypeError: bad\n\n") == "TypeError: bad"


def test_the_picture_has_a_plot_for_each_k(tmp_path):
    rows = [{"k": k, "name": "one", "seconds": 2.0, "ncp": 0.1} for k in (5, 10)]
    save_picture(loss_over_seconds(rows, (5, 10), ["one"]), tmp_path / "p.svg", "two plots")
    svg = (tmp_path / "p.svg").read_text()
    assert "k = 5" in svg
    assert "k = 10" in svg


def test_algorithms_of_a_package_share_a_colour_and_differ_in_shape():
    assert package_looks(["a one", "a two", "b, three"]) == [(0, 0), (0, 1), (1, 0)]
    looks = package_looks([each.name for each in peers.CONTESTANTS])
    assert len(set(looks)) == len(looks)
