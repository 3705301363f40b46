"""Everything that can be demanded is explained."""

from __future__ import annotations

import dataclasses

import pytest

from papilio.policy.family import Family
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entity_k import EntityK
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.nt_closeness import NTCloseness
from papilio.privacy.personal import PersonalLevels
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.privacy.t_closeness import TCloseness
from papilio.privacy.target_distribution import TargetDistribution
from papilio.web.words import BY_KEY, WORDS
from papilio.web.words.families import FAMILIES

REQUIREMENTS = (
    KAnonymity, DistinctDiversity, EntropyDiversity, RecursiveDiversity, TCloseness, NTCloseness,
    KeAnonymity, TargetDistribution, PersonalLevels, SafeGrouping, EntityK,
)  # fmt: skip


def test_every_key_of_privacy_has_words() -> None:
    assert set(BY_KEY) == set(PrivacyPolicy.model_fields)
    assert {name for names in BY_KEY.values() for name in names} == set(WORDS)


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_requirement_has_words(requirement: type) -> None:
    assert requirement.name in WORDS  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", WORDS)
def test_words_are_whole_sentences(name: str) -> None:
    words = dataclasses.asdict(WORDS[name])
    for key, text in words.items():
        assert text.strip() == text != ""
        assert key == "title" or text.endswith(".")
    assert len({*words.values()}) == len(words)


def test_every_family_is_offered_with_a_sentence() -> None:
    assert set(FAMILIES) == set(Family)
    assert all(words.when.endswith(".") for words in FAMILIES.values())
