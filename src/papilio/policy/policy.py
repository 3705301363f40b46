"""The whole order, as a YAML file or a Python object, the same either way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from papilio.data.roles import Role
from papilio.data.source import Source
from papilio.errors import Fault, PolicyError
from papilio.policy.checks.files import files_elsewhere
from papilio.policy.checks.misplaced import misplaced_keys
from papilio.policy.checks.names import unusable_names
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.faults import faults_of
from papilio.policy.files import YamlFile, read_yaml
from papilio.policy.graph_policy import GraphPolicy
from papilio.policy.improve_policy import ImprovePolicy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.policy.source_policy import SourcePolicy
from papilio.policy.tables_policy import TablePolicy

if TYPE_CHECKING:
    from papilio.families.family import Family
    from papilio.privacy.requirement import Requirement


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
    graph: GraphPolicy | None = Field(
        None,
        description="A bipartite graph instead of `source` and `columns`: entities of two kinds "
        "and who is linked to whom; `privacy.k` and `privacy.l` then demand a safe-grouping.",
    )
    tables: dict[str, TablePolicy] = Field(
        {},
        description="Linked tables instead of `source` and `columns`: one has a row per person, "
        "the others hang off it by keys.",
    )
    person: str | None = Field(None, description="Which of `tables` has one row per person.")
    database: str | None = Field(
        None,
        repr=False,
        description="A DuckDB or SQLite file, or `postgresql://user@host/database#schema`, that "
        "holds `tables`; keys and foreign keys are read from its catalog.",
    )
    pairing: Literal["optimal", "local"] | None = Field(
        None,
        description="How `miracle` pairs the rows of two people: at least cost over their whole "
        "trees (`optimal`, the default) or level by level, greedily (`local`).",
    )
    skeleton: Literal["k-member", "divide"] | None = Field(
        None,
        description="How `miracle` clusters people: all with all (`k-member`), or after cutting "
        "them into groups of similar trees (`divide`); left out, by their number.",
    )
    recipients: dict[str, tuple[str, ...]] = Field(
        {},
        description="Who gets the release and which quasi-identifiers each may know; left out: one "
        "recipient who may know all of them.",
    )
    privacy: PrivacyPolicy = Field(description="What is demanded.")
    method: str | None = Field(
        None, description="How it is reached; left out or `auto`, Papilio chooses and says why."
    )
    generalise: str | None = Field(
        None,
        description="Generalising method that `union`, `butterfly` and `projections` build on.",
    )
    wings: str | None = Field(
        None, description="Generalising method for the wings of a `butterfly`."
    )
    minimise: Literal["sum", "max", "max-exact", "groups", "random"] | None = Field(
        None, description="What `permutation` makes small about the groups; default sum."
    )
    plan: Literal["greedy", "exact"] | None = Field(
        None, description="How `projections` looks for its tables."
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
        if data.get("graph") is not None:
            # The columns of a graph stand with its entities.
            data = {"columns": {}, **data}
        if data.get("tables"):
            # The columns of linked tables stand with each of them.
            data = {"columns": {}, **data}
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise PolicyError(faults_of(error, type(self), document)) from None
        self._document = document
        checks = misplaced_keys, self.family.faults, unusable_names, files_elsewhere
        faults = [fault for check in checks for fault in check(self)]
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
    def allowed(self) -> tuple[Path, ...] | None:
        """Files and folders besides :attr:`base` that it may name.

        ``None`` for a policy that was put together in Python: whoever wrote the program named
        its files, so they may lie anywhere.
        """
        return None if self._document is None else self._document.allowed

    @property
    def quasi(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers, in order."""
        return self.with_role(Role.QUASI)

    @property
    def published(self) -> tuple[str, ...]:
        """Names of the columns that leave in some form: all but identifiers."""
        return tuple(n for n, c in self.columns.items() if c.role is not Role.IDENTIFIER)

    @property
    def family(self) -> Family:
        """What it orders: the family whose releases it leads to."""
        from papilio.families import family_of

        return family_of(self)

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """What is demanded, as objects."""
        return self.family.requirements(self)

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Names of the columns that have a role, in order."""
        return tuple(n for n, column in self.columns.items() if column.role is role)

    def where(self) -> Source | None:
        """Source the policy names, if any."""
        return None if self.source is None else self.source.source(self.base, self.allowed)

    def fault(self, message: str, *path: str) -> Fault:
        """Describe a mistake at a key of this policy, with file and line if it has them."""
        where = ".".join(path)
        if self._document is None:
            return Fault(message, where)
        return Fault(message, where, self._document.file, self._document.line_of(path))

    def varied(self, changes: Iterable[tuple[tuple[str, ...], Any]]) -> Policy:
        """The same policy with other values at some keys.

        Parameters
        ----------
        changes
            Keys from the top, and what is to stand there; ``None`` takes a key away.

        Raises
        ------
        PolicyError
            If the result is not a policy.
        """
        said: Any = self
        for path, value in changes:
            said = _changed(said, path, value)
        return Policy(self._document, **dict(_opened(said)))

    @classmethod
    def load(cls, path: str | Path, *, allow: Iterable[str | Path] = ()) -> Policy:
        """Read a policy file.

        Parameters
        ----------
        path
            The file. File names in it are relative to its folder, and may not lead out of it.
        allow
            Files and folders elsewhere that the policy may name nevertheless, with all they hold.

        Raises
        ------
        PolicyError
            One fault per mistake, each with the file, the line and what would be accepted.
        """
        document = read_yaml(Path(path), allow=allow)
        return cls(document, **document.data)

    @classmethod
    def parse(
        cls, text: str, *, base: Path | None = None, allow: Iterable[str | Path] = ()
    ) -> Policy:
        """Read a policy from text, as :meth:`load` reads a file that lies in ``base``.

        Left out, ``base`` is the folder the program works in.
        """
        document = read_yaml(text, base=base, allow=allow)
        return cls(document, **document.data)


def _opened(model: Any) -> dict[str, Any]:
    """One level of a part of a policy as plain data."""
    if isinstance(model, BaseModel):
        return {
            key: getattr(model, key)
            for key in type(model).model_fields
            if key in model.model_fields_set
        }
    return dict(model) if isinstance(model, Mapping) else {}


def _changed(model: Any, path: tuple[str, ...], value: Any) -> dict[str, Any]:
    said, (key, *below) = _opened(model), path
    if below:
        said[key] = _changed(said.get(key), tuple(below), value)
    elif value is None:
        said.pop(key, None)
    else:
        said[key] = value
    return said
