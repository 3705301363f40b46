"""Several variants of the policy of a project, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from papilio.document.comparison import Comparison
from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.web.last_comparison import save_comparison
from papilio.workflow.compare import compare as compare_variants


def compare(
    folder: Path,
    tell: Progress,
    text: str,
    methods: Sequence[str],
    variants: Mapping[str, Sequence[Any]],
) -> Comparison:
    """Try every method with every value; nothing is published.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy.
    methods, variants
        What is tried, see :func:`papilio.workflow.compare.compare`.
    """
    policy = policy_in(folder, text)
    found = compare_variants(policy, methods=methods, variants=variants, progress=tell)
    save_comparison(folder, found)
    return found
