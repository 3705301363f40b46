"""What is to be published: from a frame or from the policy's source."""

from __future__ import annotations

from typing import Any

from papilio.data.io.frames import Kind, from_native
from papilio.data.io.read import Raw
from papilio.data.source import safe_name
from papilio.policy.apply import Order, order_from_raw, order_from_source
from papilio.policy.policy import Policy


def order_of(data: Any, policy: Policy, name: str) -> tuple[Order, Kind]:
    """Apply a policy to a frame, or to its own source if ``data`` is ``None``.

    Returns the order and the kind of frame to give back.
    """
    if data is None:
        return order_from_source(policy), Kind.POLARS
    frame, kind = from_native(data)
    return order_from_raw(policy, Raw(safe_name(name), frame, typed=True)), kind
