"""What a family is: a value that says what it takes, and holds what each verb does with it.

Whoever adds a family writes one such value and calls :func:`papilio.families.register`; nothing
else has to know its name. Modules that hold these values import little: what is heavy is imported
by their functions, when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.policy.words import FamilyWords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from papilio.attack.result import AttackResult, Exposed
    from papilio.attack.risk import RiskView
    from papilio.data.io.frames import Kind
    from papilio.data.table import Described
    from papilio.document import Document, Owned
    from papilio.errors import Fault
    from papilio.families.choices import Choices
    from papilio.policy.policy import Policy
    from papilio.policy.remedy import Remedy
    from papilio.progress import Progress
    from papilio.query.answer import Answer
    from papilio.randomness import Randomness
    from papilio.release.layout import Layout
    from papilio.release.made import Made
    from papilio.release.manifest import Manifest
    from papilio.release.release import Release
    from papilio.verify.promise.promise import Facts

#: Where releases can be made: in memory, piece by piece within a limit of memory, by Spark.
LOCAL, PIECES, SPARK = "local", "pieces", "spark"


@dataclass(frozen=True)
class Method:
    """A way to make releases of a family.

    Attributes
    ----------
    name
        As policies call it.
    options
        Keys of a policy that it takes although not every method of its family does.
    engines
        Where it runs, out of :data:`LOCAL`, :data:`PIECES` and :data:`SPARK`.
    good_for
        What speaks for it, in a few words.
    safe
        Whether no complete row follows from its cells where a policy asks for that; see
        :class:`papilio.privacy.safe_cells.SafeCells`.
    wings
        Whether it can divide the wings of a butterfly.
    """

    name: str
    options: frozenset[str] = frozenset()
    engines: frozenset[str] = frozenset((LOCAL,))
    good_for: str = ""
    safe: bool = False
    wings: bool = False

    @property
    def text(self) -> str:
        """Its name and what speaks for it."""
        return f"{self.name}: {self.good_for}" if self.good_for else self.name


@dataclass(frozen=True)
class Choice:
    """A method and the reason for it, in a sentence."""

    method: str
    why: str


@dataclass(frozen=True, eq=False)
class Original:
    """What a release is made of, read once: for making it, judging it and attacking it.

    Attributes
    ----------
    policy
        The order.
    order
        The policy applied to the data: which columns take part, what is left out, notes.
    subject
        What attacks look at: the table, the snowflake of tables or the graph.
    size
        How many people or entities there are.
    kind
        Which library's frames to give back.
    facts
        Tells the verifier what is known of the original beside its rows.
    frames
        Tables of the original as the verifier takes them; a single one is called
        :data:`papilio.verify.witness.held.ORIGINAL`.
    under
        The same data under another policy that names the same data, refused as ``read`` would; left
        out, it has to be read again.
    only
        Some of the rows under the same policy, refused as ``read`` would; left out where rows do
        not stand alone.
    """

    policy: Policy
    order: Any
    subject: Any
    size: int
    kind: Kind
    facts: Callable[[], Facts]
    frames: Callable[[], dict[str, Any]]
    under: Callable[[Policy], Original] | None = None
    only: Callable[[NDArray[np.bool_]], Original] | None = None


@dataclass(frozen=True)
class Attack:
    """Somebody who tries to learn something from a release.

    Attributes
    ----------
    name
        What the attack, its module and its function are called.
    light
        What it is about: ``"secret"``, what can be learnt of somebody, or ``"alone"``, who can be
        told apart.
    module
        Where its function is; left out, the module of its name among Papilio's own attacks.
    remedy
        The change of a policy that would stop it, given what it found; ``None`` if there is none.
    beyond
        What the attacker has to know besides what a policy lets anybody know, as in "if somebody
        also knows …"; empty if nothing. Such an attack makes a light amber at most.
    otherwise
        What helps where no change of a policy does, in a sentence for its owner; empty if the
        attack counts nobody.
    again
        Whether it takes a release that is made once more, without some people, and these people.
        It is tried on request, and makes no light: it is not this release that it is tried on.
    alone
        Whether the release is all that the attacker has: no person, no value, no method.
    """

    name: str
    light: str
    module: str | None = None
    remedy: Callable[[Exposed, Policy], Remedy | None] = lambda _, __: None
    beyond: str = ""
    again: bool = False
    otherwise: str = ""
    alone: bool = False

    def run(self, release: Release, original: Original, *control: Any) -> Iterator[AttackResult]:
        """Attack a release with what is known of its original.

        ``control`` is the table of people it was made without, if it was made ``again``.
        """
        return self.on(release, original.subject, original.policy, *control)

    def on(
        self, release: Release, subject: Any, policy: Policy, *control: Any
    ) -> Iterator[AttackResult]:
        """Attack a release of a subject, which is what an original is to attacks, and a policy."""
        module = import_module(self.module or f"papilio.attack.{self.name}")
        results: Iterator[AttackResult] = getattr(module, self.name)(
            release, subject, policy, *control
        )
        return results


def _same_kind(family: Family, manifest: Manifest) -> bool:
    return manifest.kind == family.kind


@dataclass(frozen=True, eq=False)
class Family:
    """A kind of release with requirements of its own.

    Attributes
    ----------
    name
        What it is called in code and tests.
    kind
        What its releases call themselves in their manifest.
    called
        What makes a policy one of the family, as messages say it.
    words
        How pages offer it.
    keys, demands
        Top-level keys of a policy and keys under ``privacy``; anything else is a fault.
    columns
        Keys of a column, by its role; roles that are not there have none but the role itself.
    methods
        What makes such releases; the first is the one a policy gets that names none, unless
        ``choose`` has reasons for another.
    layout
        What its releases may consist of.
    divided
        Top-level keys of a policy about one table that the family takes apart by ``link``; none if
        it takes none.
    data
        Key of a policy that holds its data, if that is not one table under ``source``. Such a key
        decides the family whatever method is named.
    rank
        Of several families that a policy could be of, it is the one with the highest rank.
    over
        Families whose methods give way to this one where ``why`` answers.
    why
        Why a policy is one of the family, in a sentence, or ``None``.
    choose
        The method for a policy that names none, and why; told the number of people.
    faults
        What is wrong with a policy of the family beyond these tables.
    requirements
        What a policy demands, as objects with names and parameters.
    generalising
        The generalising method that a policy leads to; ``None`` if there is none, or by its size.
    check_types
        Refuses a table whose columns, now that their types are known, do not fit the policy.
    owns
        Whether a manifest is one of the family's; left out, by its kind.
    read
        Applies a policy to data, or to its own source if that is ``None``.
    make
        Makes a release, which is not verified yet.
    spark
        Makes one with Spark, if some method does; see :mod:`papilio.families.engines.spark.made`.
    pieces
        Makes one piece by piece, if some method does; see :mod:`papilio.families.engines.disk.run`.
    division
        How a table is divided into classes piece by piece, for families that generalise; see
        :class:`papilio.families.generalising.finish.Division`.
    refused
        Faults of a policy that an engine is to publish, given how to do without it.
    ask, rewrite
        Answer SQL over a release, and rewrite it for another engine.
    questions
        Writes queries that may suit a release, for people who ask one for the first time.
    attacks
        Who tries to learn something.
    document
        Tells everything about a release: what its report says and its page shows.
    loss, loss_words
        Measures what a release loses, between 0 and 1, and says what that number is.
    variants
        What may be tried in comparisons with a policy, and what its releases are measured by.
    check_policy
        Refuses, as a :class:`~papilio.errors.ReleaseError`, a policy that a release was not made
        with.
    projects
        Whether the columns of the original are dealt out to several tables.
    classes
        Whether people stand in classes of rows, so that prosecutor, journalist and marketer are
        defined.
    views
        Measures how easily people are found, where they do not stand in classes of rows: takes
        release, order, policy, population and threshold, as :func:`papilio.attack.risk.views_of`
        takes them with a table; ``None`` if that is not defined.
    risk_note
        What measures of risk mean for such releases.
    one_table
        Why a single table cannot be checked against such a policy as it is, and the key that says
        so; ``None`` if it can.
    """

    name: str
    kind: str
    called: str
    words: FamilyWords
    keys: frozenset[str]
    demands: frozenset[str]
    columns: Mapping[Role, frozenset[str]]
    methods: tuple[Method, ...]
    layout: Callable[[], Layout]
    why: Callable[[Policy], str | None]
    choose: Callable[[Policy, int], Choice]
    faults: Callable[[Policy], Iterable[Fault]]
    requirements: Callable[[Policy], tuple[Any, ...]]
    read: Callable[[Any, Policy, str | None], Original]
    make: Callable[[Original, Choice, Randomness, Progress], Made]
    ask: Callable[[Release | Path, str, str], Answer]
    rewrite: Callable[[Release | Path, str, str, str], str]
    questions: Callable[[Release], Iterator[str]]
    attacks: tuple[Attack, ...]
    document: Callable[[Owned], Document]
    loss: Callable[[Owned], float]
    loss_words: str
    variants: Callable[[Policy], Choices]
    check_policy: Callable[[Release, Policy, Original], None]
    divided: frozenset[str] = frozenset()
    data: str | None = None
    rank: int = 0
    over: frozenset[str] = frozenset()
    generalising: Callable[[Policy], str | None] = lambda _: None
    check_types: Callable[[Policy, Described], None] = lambda _, __: None
    owns_manifest: Callable[[Manifest], bool] | None = None
    spark: Callable[..., Any] | None = None
    pieces: Callable[..., Any] | None = None
    division: Callable[[], Any] | None = None
    refused: Callable[[Policy, str, str], Iterable[Fault]] = lambda _, __, ___: ()
    projects: bool = False
    classes: bool = True
    views: Callable[..., tuple[RiskView, ...]] | None = None
    risk_note: str | None = None
    one_table: tuple[tuple[str, ...], str] | None = None
    _by_name: Mapping[str, Method] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {method.name: method for method in self.methods})

    def owns(self, manifest: Manifest) -> bool:
        """Whether a release is of this family."""
        check = self.owns_manifest or partial(_same_kind, self)
        return check(manifest)

    def keys_of(self, policy: Policy) -> frozenset[str]:
        """Top-level keys that a policy of the family may have."""
        return self.divided if self._divides(policy) else self.keys

    def called_by(self, policy: Policy) -> str:
        """What makes a policy of the family one, as messages say it."""
        return "link: yes" if self._divides(policy) else self.called

    def _divides(self, policy: Policy) -> bool:
        return bool(self.divided) and policy.link and not policy.tables

    @property
    def safe(self) -> bool:
        """Whether the method of a policy that names none keeps complete rows from following.

        What is proposed of such a family then asks for it.
        """
        return self.methods[0].safe

    def method(self, name: str) -> Method | None:
        """Look up a method of the family."""
        return self._by_name.get(name)

    def runs_on(self, engine: str) -> tuple[str, ...]:
        """Names of the methods that run on an engine."""
        return tuple(method.name for method in self.methods if engine in method.engines)


def later(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported when it is first called."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call


def keys(text: str) -> frozenset[str]:
    """Names that are separated by blanks."""
    return frozenset(text.split())


#: Keys that every policy about one source has.
ONE_SOURCE = "papilio source columns person privacy method lights"
#: Keys of the columns of generalised tables.
GENERALISED: Mapping[Role, frozenset[str]] = {
    Role.IDENTIFIER: keys("role"),
    Role.QUASI: keys("role type hierarchy domain"),
    Role.SENSITIVE: keys("role type hierarchy domain"),
    Role.PLAIN: keys("role type"),
}
#: The same where one column may follow another.
FOLLOWING: Mapping[Role, frozenset[str]] = {
    **GENERALISED,
    Role.QUASI: GENERALISED[Role.QUASI] | {"follows"},
    Role.PLAIN: GENERALISED[Role.PLAIN] | {"follows"},
}
#: Keys of the columns of tables that are published as they are.
AS_THEY_ARE: Mapping[Role, frozenset[str]] = {
    Role.IDENTIFIER: keys("role"),
    Role.QUASI: keys("role type"),
    Role.SENSITIVE: keys("role type"),
    Role.PLAIN: keys("role type"),
}
EVERYWHERE = frozenset((LOCAL, PIECES, SPARK))
