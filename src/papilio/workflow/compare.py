"""Publish variants of a policy in memory, and say what each loses, risks and takes."""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from papilio.attack.lights import Colour
from papilio.data.table import Table
from papilio.document.compare import Comparison, Outcome, Trial, reason_of, render_comparison
from papilio.document.html import check_place, write_page
from papilio.errors import InternalError, PapilioError, PolicyError
from papilio.families.choices import Bench, Change, Choices, Line, Varied
from papilio.families.family import Original
from papilio.policy.checks import given_keys
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import ImprovePolicy, PrivacyPolicy
from papilio.progress import Progress, silent
from papilio.randomness import Randomness
from papilio.release.scratch import disk_faults
from papilio.workflow.judge_made import judge_made
from papilio.workflow.lights import lights_beside
from papilio.workflow.publish import confirm, run_method
from papilio.workflow.verify import read_original

#: Nothing goes out, so lots may be drawn alike in every comparison: its numbers repeat.
_SEED = 0
#: Most people of whom the lights of every variant are looked at.
_MOST_LIT = 200_000
#: What takes fewer seconds is made twice, to tell its own time.
_SHORT = 5.0
#: Keys that say what is read.
_DATA = frozenset({"source", "columns", "graph", "tables", "person", "link", "database"})

Values = tuple[tuple[Varied, Any], ...]


def compare(
    policy: Policy,
    *,
    data: Any = None,
    methods: Iterable[str] | None = None,
    variants: Mapping[str, Iterable[Any]] | None = None,
    k: Iterable[int] | None = None,
    improve: str | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare variants of a policy: each is published in memory, verified, measured, forgotten.

    What the policy demands holds for every variant but for what varies. The data is read once.

    Parameters
    ----------
    policy
        The order; its source is read unless ``data`` is given.
    data
        The original as for :func:`papilio.workflow.publish.publish`.
    methods
        Names of methods, such as ``"mondrian"`` or ``"hybrid+improve"``; left out, the usual ones
        of the policy's family, and the policy's own.
    variants
        Key of the policy -> values to try, such as ``{"k": [5, 10], "privacy.exposure": [0.1]}``;
        a demand may be named without ``privacy.``. Every value is tried with every other. Left
        out, what is usual for the family.
    k
        Short for ``variants={"k": …}``.
    improve
        How long ``+improve`` lasts, such as ``"10s"``; left out, as the policy says, or 10
        seconds. If no method is spelled with it, each that can be is also run with it; so it is if
        no method is named and the policy itself says how long.
    progress
        Told of each variant.

    Raises
    ------
    PapilioError
        If a method or a key is unknown, no method takes a value, or policy and data do not fit. A
        variant that fails alone says why in the result.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> policy = pp.Policy(columns={"age": "quasi", "sex": "quasi"}, privacy=pp.K(5))
    >>> comparison = pp.compare(policy, data=people, methods=["mondrian", "hybrid"], k=[5, 10])
    >>> len(comparison.trials)
    4
    """
    tell = progress or silent
    # A policy that is improved is itself one of the usual variants.
    improved_too = improve is not None or (methods is None and policy.improve is not None)
    policy = policy if improve is None else _improved(policy, improve)
    choices = policy.family.variants(policy)
    lines = _lines(choices, methods, improved_too=improved_too)
    asked = {**({} if k is None else {"k": k}), **(variants or {})}
    named = variants is not None or k is not None
    varied = _asked(policy, choices, asked) if named else _usual(choices)
    plan = [_Variant.of(policy, line, values) for line in lines for values in _product(varied)]
    _check_values(plan)
    tell("reading", 0.0)
    runner = _Runner(policy, data, choices, [key for key, _ in varied])
    runner.read()
    trials = []
    for number, variant in enumerate(plan):
        tell(variant.words, 0.1 + 0.85 * number / len(plan))
        trial = runner.run(variant)
        # Sizes that nobody asked for are tried as far as there are people.
        if named or runner.reason != "k-exceeds-rows":
            trials.append(trial)
    return _comparison(runner, lines, varied, trials)


def compare_to(
    path: str | Path, policy: Policy, *, progress: Progress | None = None, **options: Any
) -> Comparison:
    """Compare, and write one self-contained HTML file for the owner's eyes.

    Parameters
    ----------
    path
        The file to write; it must not exist, and never lies inside a release directory.
    policy, progress, options
        As for :func:`compare`.
    """
    target = Path(path)
    with disk_faults(target):
        check_place(target)
    comparison = compare(policy, progress=progress, **options)
    (progress or silent)("drawing", 0.95)
    write_page(render_comparison(comparison), target)
    return comparison


@dataclass(frozen=True)
class _Variant:
    """A line at some values; ``policy`` is ``None`` where they are not a policy."""

    line: Line
    values: Values
    policy: Policy | None
    fault: PolicyError | None = None

    @classmethod
    def of(cls, policy: Policy, line: Line, values: Values) -> _Variant:
        changes = _changes(line, values)
        try:
            return cls(line, values, None if line.why_not else policy.varied(changes))
        except PolicyError as error:
            return cls(line, values, None, error)

    @property
    def named(self) -> dict[str, Any]:
        return {key.name: value for key, value in self.values}

    @property
    def words(self) -> str:
        return Trial(self.line.name, self.named).words

    def trial(self, outcome: Outcome | None, why_not: str | None = None) -> Trial:
        changes = _changes(self.line, self.values)
        return Trial(self.line.name, self.named, changes, outcome, why_not)


@dataclass
class _Runner:
    """Reads once, and publishes variants of what was read."""

    policy: Policy
    data: Any
    choices: Choices
    varied: Sequence[Varied]
    reason: str = ""
    warm: set[str] = field(default_factory=set)
    original: Original = field(init=False)
    bench: Bench = field(init=False)

    def read(self) -> None:
        """Read under the demands that do not vary; those that do are for each variant to meet."""
        keys = [key.split(".") for each in self.varied for key in (each.key, *each.also)]
        demands = {path[1] for path in keys if path[0] == "privacy" and path[1] != "personal"}
        loose = {name: PrivacyPolicy.model_fields[name].get_default() for name in demands}
        privacy = self.policy.privacy.model_copy(update=loose)
        policy = self.policy.model_copy(update={"privacy": privacy})
        self.original = self.policy.family.read(self.data, policy, "table")
        self.bench = self.choices.bench(self.original.order, self.policy)

    def run(self, variant: _Variant) -> Trial:
        """Publish a variant in memory and measure it, or say why there is nothing to measure."""
        self.reason = ""
        why_not = variant.line.why_not or self._too_many(variant.line)
        if why_not is not None:
            return variant.trial(None, why_not)
        if variant.policy is None:
            return variant.trial(None, _told(variant.fault))
        try:
            return variant.trial(self._outcome(variant, variant.policy))
        except InternalError:
            raise
        except PapilioError as error:
            self.reason = error.reason
            return variant.trial(None, _told(error))

    def _outcome(self, variant: _Variant, policy: Policy) -> Outcome:
        original, bench = self._read_for(variant, policy)
        with _clock() as clock:
            made = run_method(original, Randomness(_SEED), silent).made
        if variant.line.name not in self.warm and clock.seconds < _SHORT:
            # The first of a method also pays for loading it.
            with _clock() as clock:
                made = run_method(original, Randomness(_SEED), silent).made
        self.warm.add(variant.line.name)
        verdict = confirm(judge_made(made.release, original, made.witness))
        found = bench.measure(made.release, policy)
        figures = found.loss, found.risk, found.people, found.left_out
        lights: dict[str, str] = {}
        reasons: tuple[dict[str, Any], ...] = ()
        if original.size <= _MOST_LIT:
            lit = lights_beside(made.release, original, policy, verdict)
            lights = {light.name: light.colour.value for light in lit}
            bad = (each for each in lit if each.colour in (Colour.AMBER, Colour.RED))
            reasons = tuple(reason_of(each) for each in bad)
        return Outcome(*figures, clock.seconds, found.more, lights, reasons)

    def _read_for(self, variant: _Variant, policy: Policy) -> tuple[Original, Bench]:
        paths = [path for path, _ in _changes(variant.line, variant.values)]
        again = any(path[0] in _DATA or path[-1] == "personal" for path in paths)
        if again or self.original.under is None:
            original = read_original(policy, self.data, "table")
            return original, self.choices.bench(original.order, policy)
        return self.original.under(policy), self.bench

    def _too_many(self, line: Line) -> str | None:
        rows = self.original.size
        if line.most is None or rows <= line.most:
            return None
        return f"{line.name} is for up to {line.most} rows; the table has {rows}"


@dataclass
class _Clock:
    seconds: float = 0.0


@contextmanager
def _clock() -> Iterator[_Clock]:
    """Time what is done inside, but for the compiling of kernels, which only the first pays."""
    from numba.core.event import TimingListener, install_listener

    clock, listener = _Clock(), TimingListener()  # type: ignore[no-untyped-call]
    start = time.perf_counter()
    with install_listener("numba:compiler_lock", listener):
        yield clock
    compiling = listener.duration if listener.done else 0.0
    clock.seconds = max(time.perf_counter() - start - compiling, 0.0)


def _changes(line: Line, values: Values) -> tuple[Change, ...]:
    return (*line.changes, *(each for key, value in values for each in key.changes(value)))


def _product(varied: Sequence[tuple[Varied, tuple[Any, ...]]]) -> list[Values]:
    keys = [key for key, _ in varied]
    return [
        tuple(zip(keys, values, strict=True)) for values in product(*(each for _, each in varied))
    ]


def _usual(choices: Choices) -> list[tuple[Varied, tuple[Any, ...]]]:
    return [(key, key.usual) for key in choices.varied if key.usual]


def _asked(
    policy: Policy, choices: Choices, asked: Mapping[str, Iterable[Any]]
) -> list[tuple[Varied, tuple[Any, ...]]]:
    found = []
    for name, values in asked.items():
        listed = tuple({repr(value): value for value in values}.values())
        if not listed:
            raise PapilioError(f"{name}: give at least one value to try", reason="bad-value")
        found.append((_key(policy, choices, name), listed))
    return found


def _key(policy: Policy, choices: Choices, name: str) -> Varied:
    """Find a key by its name; refuse one that the policy's family does not have."""
    family = policy.family
    known = {each.key: each for each in choices.varied}
    key = f"privacy.{name}" if name in family.demands else name
    first, _, rest = key.partition(".")
    deep = bool(rest) if first in ("privacy", *_DATA) else True
    fits = rest.partition(".")[0] in family.demands if first == "privacy" else deep
    if first not in family.keys_of(policy) or not fits:
        accepted = ", ".join(each.key for each in choices.varied)
        raise PapilioError(
            f"'{name}' is nothing that varies here; {accepted} and other keys of {family.called} "
            "are accepted",
            reason="unknown-key",
        )
    return known.get(key, Varied(key, key, ()))


def _lines(
    choices: Choices, methods: Iterable[str] | None, *, improved_too: bool
) -> tuple[Line, ...]:
    """Lines by their names, each once; also those that go on from them, if asked for."""
    known = {line.name: line for line in choices.lines}
    names = list(dict.fromkeys(choices.usual if methods is None else methods))
    if not names:
        raise PapilioError(f"no method to compare; {_accepted(choices)}", reason="unknown-method")
    for name in names:
        if name not in known:
            plain = name.partition("+")[0]
            close = difflib.get_close_matches(plain, known, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise PapilioError(
                f"unknown method '{name}'{hint} ({_accepted(choices)})", reason="unknown-method"
            )
    chosen = [known[name] for name in names]
    if improved_too and all(line.after is None for line in chosen):
        further = {each.after: each for each in choices.lines if each.after and not each.why_not}
        chosen = [more for line in chosen for more in (line, further.get(line.name)) if more]
    return tuple(chosen)


def _accepted(choices: Choices) -> str:
    possible = [line for line in choices.lines if line.why_not is None]
    plain = [line.name for line in possible if line.after is None]
    more = ", each also with +improve" if len(plain) < len(possible) else ""
    return f"accepted are {', '.join(plain)}{more}"


def _check_values(plan: Sequence[_Variant]) -> None:
    """Refuse a value that no method takes, before anything is read."""
    for key, value in dict.fromkeys(
        (key, repr(value)) for each in plan for key, value in each.values
    ):
        having = [each for each in plan if (key, value) in [(n, repr(v)) for n, v in each.values]]
        faults = [_fault_at(each, key.key) for each in having if each.line.why_not is None]
        if faults and all(faults):
            raise PapilioError(f"{key.name} = {value}: {faults[0]}", reason="bad-value")


def _fault_at(variant: _Variant, key: str) -> str | None:
    faults = () if variant.fault is None else variant.fault.faults
    return next((each.message for each in faults if each.where.startswith(key)), None)


def _told(error: PapilioError | None) -> str:
    """An error in one line; of a policy without file and line, which are of the unvaried one."""
    if isinstance(error, PolicyError):
        return "; ".join(f"{fault.where}: {fault.message}" for fault in error.faults)
    return str(error)


def _improved(policy: Policy, improve: str) -> Policy:
    if "improve" not in policy.family.keys:
        raise PapilioError(
            f"improve: there are no classes to improve with {policy.family.called}",
            reason="unknown-key",
        )
    try:
        return policy.model_copy(update={"improve": ImprovePolicy.model_validate(improve)})
    except ValidationError:
        raise PapilioError(
            "improve: give a time such as 10s, 2m or 500ms", reason="bad-time"
        ) from None


def _comparison(
    runner: _Runner,
    lines: Sequence[Line],
    varied: Sequence[tuple[Varied, tuple[Any, ...]]],
    trials: list[Trial],
) -> Comparison:
    numbers = [key.name for key, values in varied if all(map(_is_number, values))]
    improved = {line.name: dict(line.changes).get(("improve",)) for line in lines if line.after}
    used = [improved[each.method] for each in trials if each.outcome and each.method in improved]
    return Comparison(
        table=runner.original.subject.name,
        people=_people(runner.original),
        varied=tuple(key.name for key, _ in varied),
        demands=tuple(key.name for key, _ in varied if key.demand),
        parameter=numbers[0] if numbers else None,
        beside=tuple(demanded_beside(runner.policy, [key for key, _ in varied])),
        improve=_words(used[0]) if used and used[0] else None,
        loss=runner.choices.loss,
        risk=runner.choices.risk,
        measures=runner.bench.measures,
        trials=tuple(trials),
    )


def _people(original: Original) -> int:
    """People of an original, also where they have several rows."""
    subject = original.subject
    people = subject.people if isinstance(subject, Table) else None
    return original.size if people is None else people.count


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _words(improve: Mapping[str, float]) -> str:
    return " or ".join(f"{number:g} {unit}" for unit, number in improve.items())


def demanded_beside(policy: Policy, varied: Sequence[Varied]) -> Iterator[str]:
    """What is demanded of every variant, in words."""
    keys = {key for each in varied for key in (each.key, *each.also)}
    fixed = [key for key in given_keys(policy.privacy) if f"privacy.{key}" not in keys]
    told = set()
    for requirement in policy.requirements:
        parameters = requirement.parameters()
        column = parameters.pop("column", None)
        key = "t" if "t" in parameters else "l" if column is not None else "k"
        if key in fixed and column is not None and "e" not in parameters:
            told.add(key)
            fixed_at = ", ".join(f"{name} = {value}" for name, value in parameters.items())
            yield f"{requirement.name} of {column} ({fixed_at})"
    for key in (key for key in fixed if key not in told):
        value = getattr(policy.privacy, key)
        if isinstance(value, int | float | str):
            yield f"{key} = {value}"
        elif isinstance(value, Mapping):
            yield f"{key} of {', '.join(value)}"
        else:
            yield f"{key} as the policy says"
