"""Words about distinct l-diversity."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="l, counted: several different values",
    demands="Every class has at least l different values of the sensitive column.",
    stops="Someone who reads a value that everybody in a class shares.",
    does_not_stop="Someone who guesses: nineteen of twenty rows may still have the same value.",
    example="With l = 3, whoever finds Ann’s class is left with at least three diagnoses.",
    usual="2 is the least that helps; more where people near the data can rule values out.",
)
