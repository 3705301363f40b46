"""Labels of an axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from papilio.report.legible import shown


def distinct_labels(texts: Sequence[str], longest: int = 40) -> list[str]:
    """Make texts short and different from each other: a chart would draw equal ones as one bar."""
    seen: Counter[str] = Counter()
    labels = []
    for text in texts:
        label = shown(text, longest)
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return labels
