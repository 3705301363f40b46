"""Every key of a policy is explained, and asks for what its field accepts."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import pytest

from papilio.errors import PolicyError
from papilio.families import families
from papilio.families.disguise.family import DISGUISE
from papilio.families.graph.family import GRAPH
from papilio.families.keys import NAME, Key, closed_list, key_at, keys, keys_of
from papilio.families.permutation.family import PERMUTATION
from papilio.families.projections.family import PROJECTIONS
from papilio.policy.faults import out_of_range
from papilio.policy.files import read_yaml
from papilio.policy.policy import Policy
from papilio.policy.words import Meaning

KEYS = [pytest.param(key, id=key.dotted) for key in keys().values()]
MEANINGS = {
    key.words.meaning.title: key.words.meaning
    for family in families()
    for key in (
        *keys().values(),
        *(k.said_by(family.words.demands) for k in keys_of("privacy")),
    )
    if key.words.meaning is not None
}


@pytest.mark.parametrize("key", KEYS)
def test_every_key_has_words(key: Key) -> None:
    words = key.words
    assert words.label.strip() == words.label != ""
    assert words.sentence.endswith(".")
    assert not words.elsewhere.endswith(".")
    above = [keys().get(key.path[:end]) for end in range(1, len(key.path) + 1)]
    excused = any(each is not None and each.words.elsewhere for each in above)
    assert key.widget is not None or excused or keys_of(*key.path)


@pytest.mark.parametrize("key", KEYS)
def test_every_value_of_a_closed_list_has_a_text_and_no_other(key: Key) -> None:
    values = set(closed_list(key.type))
    if values:
        assert set(key.choices) == values
        assert not values - set(key.words.choices)
    assert set(key.words.meanings) <= set(key.choices)


@pytest.mark.parametrize("key", KEYS)
def test_examples_are_of_their_type(key: Key) -> None:
    if not key.words.example:
        # What is a mapping of names or of keys is shown by these.
        assert keys_of(*key.path) or keys_of(*key.path, NAME) or key.path == ("recipients",)
        return
    said = read_yaml(f"example: {key.words.example}").data["example"]
    values = closed_list(key.type)
    assert not values or str(said) in values


@pytest.mark.parametrize("meaning", MEANINGS.values(), ids=MEANINGS)
def test_words_are_whole_sentences(meaning: Meaning) -> None:
    texts = dataclasses.asdict(meaning)
    for name, text in texts.items():
        assert text.strip() == text != ""
        assert name == "title" or text.endswith(".")
    assert len({*texts.values()}) == len(texts)


def test_every_requirement_says_whom_it_stops() -> None:
    for family in families():
        for key in keys_of("privacy"):
            if family in key.families:
                own = key.said_by(family.words.demands)
                inside = [*keys_of(*key.path, NAME)] if own.widget == "demands" else []
                assert own.words.meaning or any(each.words.meaning for each in inside), key.dotted
                assert own.words.needed or own.words.start is not None or inside


def test_every_family_is_offered_with_a_sentence() -> None:
    for family in families():
        assert family.words.when.endswith(".")
        assert set(family.words.demands) <= family.demands


def test_families_of_keys() -> None:
    assert set(key_at("privacy", "e").families) == {PERMUTATION, DISGUISE}
    assert key_at("columns", NAME, "harmless").families == (PROJECTIONS,)
    assert key_at("graph", "edges", "dangling").families == (GRAPH,)
    assert set(key_at("privacy", "target", NAME, "mean").families) == {DISGUISE}


def _outside(key: Key) -> list[tuple[str, float, Any]]:
    """Each bound of a key, and a number just beyond it."""
    whole = key.type is int
    step = 1 if whole else 0.001
    beyond = {"ge": -step, "gt": 0, "le": step, "lt": 0}
    return [
        (bound, number, type(step)(Decimal(str(number)) + Decimal(str(beyond[bound]))))
        for bound, number in key.bounds.items()
    ]


BOUNDED = [
    pytest.param(key, bound, number, value, id=f"{key.dotted}-{bound}")
    for key in keys_of("privacy")
    for bound, number, value in _outside(key)
]


@pytest.mark.parametrize(("key", "bound", "number", "value"), BOUNDED)
def test_a_number_out_of_its_range_is_refused(
    key: Key, bound: str, number: float, value: Any
) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy(columns={"age": "quasi"}, privacy={"k": 2, key.path[-1]: value})
    (fault,) = caught.value.faults
    assert fault.where == key.dotted
    assert fault.message == out_of_range(bound, number)
