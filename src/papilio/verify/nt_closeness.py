"""(n,t)-closeness from the released rows (Li, Li, Venkatasubramanian, TKDE 22(7), 2010).

A class satisfies it if it has n rows, or is t-close to the whole table; both are natural supersets
in the sense of the paper.
"""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.verify.class_values import ClaimError, about, whole_number
from papilio.verify.opened import Opened
from papilio.verify.t_closeness import check_closeness
from papilio.verify.verdict import Finding


def check_nt_closeness(opened: Opened, claim: Claim) -> Finding:
    """Check that every class of fewer than n rows is at most t away from the table."""
    try:
        return check_closeness(opened, claim, whole_number(claim, "n"))
    except ClaimError as error:
        return about(claim, claim.claim, str(error), holds=False)
