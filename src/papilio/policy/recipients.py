"""How recipients are called, and all sensitive columns at once."""

from __future__ import annotations

#: Name of the recipient when a policy names none: anyone who may know every quasi-identifier.
EVERYONE = "everyone"
#: For whom a claim about recipients who put together what they know holds; no recipient's own name.
ALL_RECIPIENTS = "all recipients together"
#: Stands for every sensitive column in ``l`` and ``t``.
EVERY = "*"
