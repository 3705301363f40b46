"""Rows that are published as they are, against comparing everybody with every published row."""

import polars as pl
import pytest

import papilio as pp
from disguise_releases import random_frame, release_of
from sizes import tries


def compared(release, name, hidden, known):
    """People of whose known values exactly one row is published; cells of the poorest group."""
    rows = release.frames[name].select(known).rows()
    cells = release.frames[f"{name}_values"]
    (group,) = (each for each in cells.columns if each not in hidden)
    found = sum(sum(one == other for other in rows) == 1 for one in rows)
    held = {}
    for line in cells.to_dicts():
        held.setdefault(line[group], []).append(tuple(line[each] for each in hidden))
    return found, min(len(set(each)) for each in held.values()), min(map(len, held.values()))


def identity(release, policy, frame):
    results = pp.attack(release, original=policy, data=frame)
    (result,) = (each for each in results if each.attack == "open_identity")
    assert result.exposed == ()
    return tuple(result.figures[each] for each in ("found", "least_values", "least_rows"))


@pytest.mark.searches
def test_permuted_rows_are_found_as_by_comparing_all_with_all():
    some = 0
    for seed in range(tries(15, 400, "PAPILIO_IDENTITIES")):
        frame = pl.DataFrame(
            {
                "age": [None if seed % 3 == 0 and n == 2 else (seed + n * n) % 5 for n in range(9)],
                "town": [f"t{n * seed % 3}" for n in range(9)],
                "pay": [(seed * n) % 7 * 10 for n in range(9)],
            }
        )
        if frame["pay"].n_unique() < 2:
            continue
        columns = {"age": "quasi", "town": "quasi", "pay": "sensitive"}
        policy = pp.Policy(columns=columns, privacy=pp.KE(2, 1))
        release = pp.publish(frame, policy, name="staff", seed=seed)
        told = identity(release, policy, frame)
        assert told == compared(release, "staff", ("pay",), ["age", "town"]), seed
        some += 0 < told[0] < 9
    assert some > 3


@pytest.mark.searches
def test_disguised_rows_are_found_as_by_comparing_all_with_all():
    for seed in range(tries(4, 100)):
        frame = random_frame(seed, rows=7).with_columns(level=pl.lit("1"))
        release, policy = release_of("same", frame, seed=1)
        (name,) = (each for each in release.frames if not each.endswith(("_values", "_help")))
        hidden = ("salary_min", "salary_max")
        known = ["zipcode", "area", "gender"]
        assert identity(release, policy, frame) == compared(release, name, hidden, known), seed
