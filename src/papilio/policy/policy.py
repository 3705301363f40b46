"""The whole order, as a YAML file or a Python object, the same either way."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from papilio.data.roles import Role
from papilio.data.source import Source
from papilio.errors import Fault, PolicyError
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.faults import faults_of
from papilio.policy.files import YamlFile, read_yaml
from papilio.policy.improve_policy import ImprovePolicy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.policy.source_policy import SourcePolicy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement
from papilio.privacy.t_closeness import TCloseness


class Policy(BaseModel):
    """Roles, requirements and method of one release.

    Examples
    --------
    >>> from papilio import K, Policy
    >>> policy = Policy(columns={"age": "quasi", "disease": "sensitive"}, privacy=K(5))
    >>> policy.quasi
    ('age',)
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    papilio: Literal[1] = Field(1, description="Version of the policy format.")
    source: SourcePolicy | None = Field(
        None, description="Where the data is; not needed when a frame is passed in Python."
    )
    columns: dict[str, ColumnPolicy] = Field(
        description="What each column is. A column that is not listed is not published."
    )
    privacy: PrivacyPolicy = Field(description="What is demanded.")
    method: (
        Literal["auto", "mondrian", "relaxed-mondrian", "bottom-up", "hybrid", "incognito"] | None
    ) = Field(
        None, description="How it is reached; left out or `auto`, Papilio chooses and says why."
    )
    metric: Literal["ncp", "dm", "height"] | None = Field(
        None,
        description="What `hybrid` cuts by (`ncp`, `dm`) and `incognito` chooses by; default ncp.",
    )
    objective: Literal["sum", "balance"] | None = Field(
        None, description="Whether `hybrid` looks at the sum of both halves (default) or balance."
    )
    improve: ImprovePolicy | None = Field(
        None,
        description="Look for a better grouping after the method, for a time such as `10s`.",
    )
    cells: Literal["bounds", "text"] = Field(
        "bounds",
        description="How generalised cells are written: `bounds` in columns of their own, "
        "or one readable `text` column.",
    )

    _document: YamlFile | None = PrivateAttr(default=None)

    def __init__(self, document: YamlFile | None = None, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise PolicyError(faults_of(error, type(self), document)) from None
        self._document = document
        faults = _missing_roles(self) + _colliding_names(self) + _misplaced_demands(self)
        faults += _misplaced_options(self) + _alike_names(self)
        if faults:
            raise PolicyError(faults)

    def __eq__(self, other: object) -> bool:
        # Where a policy was written down is no part of what it says.
        return isinstance(other, Policy) and dict(self) == dict(other)

    @property
    def base(self) -> Path:
        """Folder that file names in the policy are relative to."""
        return Path() if self._document is None else self._document.base

    @property
    def quasi(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers, in order."""
        return self.with_role(Role.QUASI)

    @property
    def published(self) -> tuple[str, ...]:
        """Names of the columns that leave in some form: all but identifiers."""
        return tuple(n for n, c in self.columns.items() if c.role is not Role.IDENTIFIER)

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """What is demanded, as objects."""
        return self.privacy.requirements()

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Names of the columns that have a role, in order."""
        return tuple(n for n, column in self.columns.items() if column.role is role)

    def where(self) -> Source | None:
        """Source the policy names, if any."""
        return None if self.source is None else self.source.source(self.base)

    def fault(self, message: str, *path: str) -> Fault:
        """Describe a mistake at a key of this policy, with file and line if it has them."""
        where = ".".join(path)
        if self._document is None:
            return Fault(message, where)
        return Fault(message, where, self._document.file, self._document.line_of(path))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy file.

        Raises
        ------
        PolicyError
            One fault per mistake, each with the file, the line and what would be accepted.
        """
        document = read_yaml(Path(path))
        return cls(document, **document.data)

    @classmethod
    def parse(cls, text: str, *, base: Path | None = None) -> Policy:
        """Read a policy from text; file names in it are relative to ``base``."""
        document = read_yaml(text, base=base)
        return cls(document, **document.data)


def _missing_roles(policy: Policy) -> list[Fault]:
    if policy.quasi:
        return []
    return [policy.fault("no column is quasi; give at least one column this role", "columns")]


def _colliding_names(policy: Policy) -> list[Fault]:
    """Find columns whose published names would collide, such as ``age`` and ``age_min``."""
    return [
        policy.fault(
            f"'{name}' may be published under this name; rename one of them in the source",
            "columns",
            f"{name}_{suffix}",
        )
        for name in policy.quasi
        for suffix in ("min", "max", "null")
        if f"{name}_{suffix}" in policy.published and policy.columns[name].hierarchy is None
    ]


def _alike_names(policy: Policy) -> list[Fault]:
    """Find columns whose names differ in letter case only, which databases take for one."""
    seen: dict[str, str] = {}
    faults = []
    for name in policy.published:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            message = f"differs from '{other}' in letter case only; rename one of them"
            faults.append(policy.fault(message, "columns", name))
    return faults


def _misplaced_demands(policy: Policy) -> list[Fault]:
    """Find demands on columns that are not there, not sensitive, or lack what is needed."""
    faults = []
    for each in policy.requirements:
        if isinstance(each, KAnonymity):
            continue
        key = "t" if isinstance(each, TCloseness) else "l"
        column = policy.columns.get(each.column)
        if column is None:
            message = f"columns has no '{each.column}'; name a sensitive column"
        elif column.role is not Role.SENSITIVE:
            message = (
                f"the column is {column.role}, not sensitive; {key} is about sensitive columns"
            )
        elif each.parameters().get("distance") == "hierarchical" and column.hierarchy is None:
            message = "the hierarchical distance needs a hierarchy on the column"
        else:
            continue
        faults.append(policy.fault(message, "privacy", key, each.column))
    return faults


def _misplaced_options(policy: Policy) -> list[Fault]:
    """Options that the method does not have would be ignored silently otherwise."""
    method = policy.method or "auto"
    faults = []
    if policy.objective is not None and method not in ("auto", "hybrid"):
        faults.append(policy.fault("only the method hybrid has an objective", "objective"))
    if policy.metric is not None and method not in ("auto", "hybrid", "incognito"):
        message = "only the methods hybrid and incognito have a metric"
        faults.append(policy.fault(message, "metric"))
    if policy.metric == "height" and method not in ("auto", "incognito"):
        faults.append(policy.fault("only incognito chooses by height", "metric"))
    if policy.privacy.suppress and method not in ("auto", "incognito"):
        message = "only the method incognito leaves rows out"
        faults.append(policy.fault(message, "privacy", "suppress"))
    if policy.improve is not None and (method == "incognito" or policy.privacy.suppress):
        message = "incognito keeps one level per column, so its classes cannot be improved"
        faults.append(policy.fault(message, "improve"))
    return faults
