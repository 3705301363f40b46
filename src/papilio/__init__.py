"""Papilio: publish data about people without exposing them.

The order: ``Policy`` and its requirements (``K``, ``L``, ``T``, ``KE``).
The verbs: ``profile``, ``draft``, ``publish``, ``publish_to``, ``check_table``, ``compare``,
``risk``.
The results: ``Release`` (with ``verify`` and ``report``), ``Verdict``, ``Profile``.
Sample data: ``samples``.

Names load on first use, so that ``import papilio`` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from papilio.version import __version__

if TYPE_CHECKING:
    from papilio import samples
    from papilio.errors import PapilioError
    from papilio.measure.profile import Profile
    from papilio.policy.policy import Policy
    from papilio.privacy.k_anonymity import KAnonymity
    from papilio.privacy.k_anonymity import KAnonymity as K
    from papilio.privacy.ke_anonymity import KeAnonymity
    from papilio.privacy.ke_anonymity import ke_anonymity as KE  # noqa: N812 - its name in policies
    from papilio.privacy.l_diversity import l_diversity as L  # noqa: N812 - its name in policies
    from papilio.privacy.t_closeness import TCloseness
    from papilio.privacy.t_closeness import TCloseness as T
    from papilio.release.release import Release
    from papilio.verify.verdict import Verdict
    from papilio.workflow.check_table import check_table
    from papilio.workflow.compare import compare
    from papilio.workflow.draft import draft
    from papilio.workflow.profile import profile
    from papilio.workflow.publish import publish, publish_to
    from papilio.workflow.risk import risk

_HOME = {
    "K": ("papilio.privacy.k_anonymity", "KAnonymity"),
    "KE": ("papilio.privacy.ke_anonymity", "ke_anonymity"),
    "KAnonymity": ("papilio.privacy.k_anonymity", "KAnonymity"),
    "KeAnonymity": ("papilio.privacy.ke_anonymity", "KeAnonymity"),
    "L": ("papilio.privacy.l_diversity", "l_diversity"),
    "PapilioError": ("papilio.errors", "PapilioError"),
    "Policy": ("papilio.policy.policy", "Policy"),
    "Profile": ("papilio.measure.profile", "Profile"),
    "Release": ("papilio.release.release", "Release"),
    "T": ("papilio.privacy.t_closeness", "TCloseness"),
    "TCloseness": ("papilio.privacy.t_closeness", "TCloseness"),
    "Verdict": ("papilio.verify.verdict", "Verdict"),
    "check_table": ("papilio.workflow.check_table", "check_table"),
    "compare": ("papilio.workflow.compare", "compare"),
    "draft": ("papilio.workflow.draft", "draft"),
    "profile": ("papilio.workflow.profile", "profile"),
    "publish": ("papilio.workflow.publish", "publish"),
    "publish_to": ("papilio.workflow.publish", "publish_to"),
    "risk": ("papilio.workflow.risk", "risk"),
    "samples": ("papilio.samples", None),
}

__all__ = [
    "KE",
    "K",
    "KAnonymity",
    "KeAnonymity",
    "L",
    "PapilioError",
    "Policy",
    "Profile",
    "Release",
    "T",
    "TCloseness",
    "Verdict",
    "__version__",
    "check_table",
    "compare",
    "draft",
    "profile",
    "publish",
    "publish_to",
    "risk",
    "samples",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'papilio' has no attribute {name!r}")
    module, attribute = _HOME[name]
    found = import_module(module)
    value = found if attribute is None else getattr(found, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
