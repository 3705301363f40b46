"""The parts of an overview that are there because there are several recipients."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.report.charts.butterfly import butterfly_chart
from papilio.report.number_text import count, listing, percentage, plural, significant
from papilio.report.overview.class_size_part import class_size_picture
from papilio.report.overview.overview import Numbers, Part, Picture
from papilio.report.recipients import RecipientPart, Sharing


def sharing_parts(sharing: Sharing, k: int | None) -> tuple[Part, ...]:
    """Tell who knows what, what each can tell apart, and what all could together."""
    return (
        _knowledge(sharing),
        *_butterfly(sharing),
        *(_recipient(each) for each in sharing.recipients),
        _together(sharing.together, k),
    )


def _knowledge(sharing: Sharing) -> Part:
    names = tuple(each.name for each in sharing.recipients)
    rows = tuple(
        (
            column,
            *("knows it" if column in each.columns else "–" for each in sharing.recipients),
            percentage(share),
        )
        for column, share in sharing.together.loss.per_column.items()
    )
    share = (
        f"{percentage(sharing.share)} of the rows are in butterflies: alike on what recipients "
        "have in common, and for each recipient in classes of their own on the rest."
        if sharing.share
        else "No butterfly was worth it here: all rows of a class are alike on every column that "
        "anyone knows."
    )
    return Part(
        f"One table for {plural(len(names), 'recipient', 'recipients')}",
        "All recipients get the same table. Each can look up only what they know, so each sees "
        f"other classes. {share}",
        numbers=Numbers(("Column", *names, "Loss"), rows),
    )


def _butterfly(sharing: Sharing) -> Iterator[Part]:
    if sharing.butterfly is not None:
        one, other = sharing.butterfly.names
        yield Part(
            "A butterfly of this release",
            f"{plural(sharing.butterfly.rows, 'row', 'rows')} that share one body. On the left are "
            f"the classes that {one} can tell apart, on the right those of {other}. A ribbon is "
            "the rows that lie in both classes it joins; these would be left to the two if they "
            "put together what they know.",
            (Picture("A butterfly", butterfly_chart(sharing.butterfly)),),
        )


def _recipient(each: RecipientPart) -> Part:
    known = (
        f"Knows {listing([f'‘{name}’' for name in each.columns])}."
        if each.columns
        else "Knows no quasi-identifier: to them, the whole table is one class."
    )
    return Part(
        f"Recipient: {each.name}",
        f"{known} {_sizes(each)}",
        (class_size_picture(each.sizes, each.k),),
    )


def _together(together: RecipientPart, k: int | None) -> Part:
    told = " ".join(together.promises) or (
        "Nothing is promised for the case that recipients put together what they know about a "
        "person."
    )
    fewer = not together.promises and together.sizes.smallest < (k or 1)
    advice = (
        f" They could be left with {plural(together.sizes.smallest, 'row', 'rows')}. If that may "
        "happen, demand collusion_k."
        if fewer
        else ""
    )
    return Part("All recipients together", f"{told}{advice} {_sizes(together)}")


def _sizes(each: RecipientPart) -> str:
    return (
        f"They see {plural(each.sizes.classes, 'class', 'classes')} of "
        f"{significant(each.sizes.average)} rows on average; the smallest has "
        f"{count(each.sizes.smallest)}. Loss on their columns: {percentage(each.loss.overall)}."
    )
