"""The families as cards to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.family import Family
from papilio.web.forms.families import Offer


def family_cards(
    offers: Sequence[Offer], on_choose: Callable[[Family], None]
) -> Callable[[Family], None]:
    """Draw a card per family; those that the data does not allow say what they lack.

    Returns
    -------
    Callable
        Shows which family is chosen. Nothing is drawn anew, so whoever walks through the cards by
        keys stays where they are.
    """
    with ui.element("fieldset").classes("families").props('aria-label="Kind of release"'):
        radios = {offer.family: _card(offer, on_choose) for offer in offers}

    def show(present: Family) -> None:
        for family, radio in radios.items():
            radio.props["checked"] = family is present
            radio.update()

    return show


def _card(offer: Offer, on_choose: Callable[[Family], None]) -> ui.element:
    words = offer.family.words
    with ui.element("label").classes("family"):
        radio = ui.element("input").props(f'type=radio name=family id="family-{offer.family.name}"')
        if not offer.possible:
            radio.props["disabled"] = True
        radio.on("change", lambda: on_choose(offer.family))
        with ui.element("div").classes("title"):
            ui.icon(words.icon).props("aria-hidden=true")
            TextElement(tag="span", text=words.title)
        TextElement(tag="div", text=words.when).classes("when")
        if offer.lacks:
            TextElement(tag="div", text=f"It {offer.lacks}.").classes("lacks")
    return radio
