"""Papilio: publish data about people without exposing them.

The order
    ``Policy``, and what it may demand or allow: ``K``, ``L``, ``T``, ``KE``, ``Near``,
    ``SafeGrouping``, ``Target``, ``Personal``, ``CollusionK``, ``AssociationLoss``,
    ``Exposure``, ``GeneralisationLoss``, ``Suppress``.
The verbs
    ``profile``, ``draft``, ``publish``, ``publish_to``, ``verify``, ``check_table``, ``ask``,
    ``rewrite``, ``attack``, ``risk``, ``lights``, ``report``, ``compare``, ``load``.
The results
    ``Profile``, ``Release``, ``Publication``, ``Verdict``, ``Answer``, ``Bounds``,
    ``AttackResult``, ``Risk``, ``Lights``; ``PapilioError`` and the other ``errors``.
Sample data
    ``samples``.

Names load on first use, so that ``import papilio`` stays fast.

Examples
--------
>>> import papilio as pp
>>> policy = pp.Policy(columns={"age": "quasi", "occupation": "sensitive"}, privacy=pp.K(5))
>>> release = pp.publish(pp.samples.adult().head(300), policy, name="people")
>>> release.verify().status.value
'holds'
>>> release.manifest.papilio == pp.__version__
True
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from papilio.version import __version__

if TYPE_CHECKING:
    from papilio import errors, samples
    from papilio.attack.lights import Lights
    from papilio.attack.result import AttackResult
    from papilio.attack.risk import Risk
    from papilio.errors import PapilioError
    from papilio.measure.profile import Profile
    from papilio.policy.demands import (
        AssociationLoss,
        CollusionK,
        Exposure,
        GeneralisationLoss,
        Personal,
        Suppress,
        Target,
    )
    from papilio.policy.policy import Policy
    from papilio.privacy.k_anonymity import KAnonymity
    from papilio.privacy.k_anonymity import KAnonymity as K
    from papilio.privacy.ke_anonymity import KeAnonymity, Near
    from papilio.privacy.ke_anonymity import ke_anonymity as KE  # noqa: N812 - its name in policies
    from papilio.privacy.l_diversity import l_diversity as L  # noqa: N812 - its name in policies
    from papilio.privacy.nt_closeness import t_closeness as T  # noqa: N812 - its name in policies
    from papilio.privacy.safe_grouping import SafeGrouping
    from papilio.privacy.t_closeness import TCloseness
    from papilio.query.answer import Answer, Bounds
    from papilio.release.release import Release
    from papilio.verify.verdict import Verdict
    from papilio.workflow.ask import ask, rewrite
    from papilio.workflow.check_table import check_table
    from papilio.workflow.compare import compare
    from papilio.workflow.draft import draft, profile
    from papilio.workflow.lights import lights
    from papilio.workflow.load import load
    from papilio.workflow.publish import Publication, publish, publish_to
    from papilio.workflow.report import report
    from papilio.workflow.risk import attack, risk
    from papilio.workflow.verify import verify

#: Where each name lives; a module stands for itself.
_HOME: dict[str, tuple[str, str | None]] = {
    "Answer": ("papilio.query.answer", "Answer"),
    "AssociationLoss": ("papilio.policy.demands", "AssociationLoss"),
    "AttackResult": ("papilio.attack.result", "AttackResult"),
    "Bounds": ("papilio.query.answer", "Bounds"),
    "CollusionK": ("papilio.policy.demands", "CollusionK"),
    "Exposure": ("papilio.policy.demands", "Exposure"),
    "GeneralisationLoss": ("papilio.policy.demands", "GeneralisationLoss"),
    "K": ("papilio.privacy.k_anonymity", "KAnonymity"),
    "KAnonymity": ("papilio.privacy.k_anonymity", "KAnonymity"),
    "KE": ("papilio.privacy.ke_anonymity", "ke_anonymity"),
    "KeAnonymity": ("papilio.privacy.ke_anonymity", "KeAnonymity"),
    "L": ("papilio.privacy.l_diversity", "l_diversity"),
    "Lights": ("papilio.attack.lights", "Lights"),
    "Near": ("papilio.privacy.ke_anonymity", "Near"),
    "PapilioError": ("papilio.errors", "PapilioError"),
    "Personal": ("papilio.policy.demands", "Personal"),
    "Policy": ("papilio.policy.policy", "Policy"),
    "Profile": ("papilio.measure.profile", "Profile"),
    "Publication": ("papilio.workflow.publish", "Publication"),
    "Release": ("papilio.release.release", "Release"),
    "Risk": ("papilio.attack.risk", "Risk"),
    "SafeGrouping": ("papilio.privacy.safe_grouping", "SafeGrouping"),
    "Suppress": ("papilio.policy.demands", "Suppress"),
    "T": ("papilio.privacy.nt_closeness", "t_closeness"),
    "TCloseness": ("papilio.privacy.t_closeness", "TCloseness"),
    "Target": ("papilio.policy.demands", "Target"),
    "Verdict": ("papilio.verify.verdict", "Verdict"),
    "ask": ("papilio.workflow.ask", "ask"),
    "attack": ("papilio.workflow.risk", "attack"),
    "check_table": ("papilio.workflow.check_table", "check_table"),
    "compare": ("papilio.workflow.compare", "compare"),
    "draft": ("papilio.workflow.draft", "draft"),
    "errors": ("papilio.errors", None),
    "lights": ("papilio.workflow.lights", "lights"),
    "load": ("papilio.workflow.load", "load"),
    "profile": ("papilio.workflow.draft", "profile"),
    "publish": ("papilio.workflow.publish", "publish"),
    "publish_to": ("papilio.workflow.publish", "publish_to"),
    "report": ("papilio.workflow.report", "report"),
    "rewrite": ("papilio.workflow.ask", "rewrite"),
    "risk": ("papilio.workflow.risk", "risk"),
    "samples": ("papilio.samples", None),
    "verify": ("papilio.workflow.verify", "verify"),
}

__all__ = [
    "KE",
    "Answer",
    "AssociationLoss",
    "AttackResult",
    "Bounds",
    "CollusionK",
    "Exposure",
    "GeneralisationLoss",
    "K",
    "KAnonymity",
    "KeAnonymity",
    "L",
    "Lights",
    "Near",
    "PapilioError",
    "Personal",
    "Policy",
    "Profile",
    "Publication",
    "Release",
    "Risk",
    "SafeGrouping",
    "Suppress",
    "T",
    "TCloseness",
    "Target",
    "Verdict",
    "__version__",
    "ask",
    "attack",
    "check_table",
    "compare",
    "draft",
    "errors",
    "lights",
    "load",
    "profile",
    "publish",
    "publish_to",
    "report",
    "rewrite",
    "risk",
    "samples",
    "verify",
]


class _Papilio(ModuleType):
    """The module `papilio`, whose verbs no subpackage of the same name hides.

    Python binds a subpackage to its parent when it is first imported, so that ``papilio.verify``
    would be the function or the package, whichever came last. Here it is always the function;
    ``from papilio.verify.judge import judge`` finds the package all the same.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _HOME.get(name, ("", None))[1] is not None:
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Papilio


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'papilio' has no attribute {name!r}")
    module, attribute = _HOME[name]
    home = import_module(module)
    value = home if attribute is None else getattr(home, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
