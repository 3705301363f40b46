"""What a model says of how many people of the population are alone with their values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UniquenessEstimate:
    """One estimate of uniqueness in the population, or why there is none.

    Attributes
    ----------
    model
        Name of the model, or ``"count"`` where nothing has to be estimated.
    population
        People it was estimated for.
    unique
        People of the population who are alone with their values; ``None`` if the model could not
        be fitted.
    in_table
        Rows of the table that are expected to be theirs, at most those that are alone in the table;
        ``None`` likewise.
    assumption
        What the model takes for granted, in a sentence.
    why_not
        Why there is no estimate; empty if there is.
    """

    model: str
    population: int
    unique: float | None
    in_table: float | None
    assumption: str
    why_not: str = ""


def estimate(
    model: str, unique: float | str, *, people: int, alone: int, population: int, assumption: str
) -> UniquenessEstimate:
    """Make an estimate from what a model found, a number or the reason why there is none.

    A number that cannot be true, below 0 or above the population, is not an estimate either.
    """
    if not isinstance(unique, str) and not 0 <= unique <= population * (1 + 1e-9):
        unique = "the fitted model contradicts the size of the population"
    if isinstance(unique, str):
        return UniquenessEstimate(model, population, None, None, assumption, unique)
    unique = min(unique, float(population))
    here = min(unique * people / population, float(alone))
    return UniquenessEstimate(model, population, unique, here, assumption)
