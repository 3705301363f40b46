"""How recipients are called."""

from __future__ import annotations

#: For whom a claim about recipients who put together what they know holds; no recipient's own name.
ALL_RECIPIENTS = "all recipients together"
