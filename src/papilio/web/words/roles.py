"""What each role means."""

from __future__ import annotations

from collections.abc import Mapping

#: A column that no policy mentions.
NOT_PUBLISHED = "not published"
#: Role -> what happens to such a column.
ROLES: Mapping[str, str] = {
    "identifier": "Points at one person, such as a name or a number. Never leaves.",
    "quasi": "A recipient may know it. Generalised until nobody stands alone.",
    "sensitive": "Must not be learnt about a person. Published beside people who look alike.",
    "plain": "Harmless. Published as it is; nothing protects it.",
    NOT_PUBLISHED: "Left out of the policy and of the release.",
}
#: The same in a few words, for lists to choose from.
SHORT: Mapping[str, str] = {
    "identifier": "identifier: never leaves",
    "quasi": "quasi: may be known",
    "sensitive": "sensitive: must not be learnt",
    "plain": "plain: published as it is",
    NOT_PUBLISHED: "not published",
}
