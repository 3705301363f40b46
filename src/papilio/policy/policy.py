"""The whole order, as a YAML file or a Python object, the same either way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from papilio.data.source import Source
from papilio.data.table import Role
from papilio.errors import Fault, PolicyError
from papilio.families.generalising.names import HYBRID
from papilio.policy.checks import files_elsewhere, misplaced_keys, unsafe_cells, unusable_names
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.depends import Rule, dependent_faults, effective, rules_of
from papilio.policy.faults import faults_of
from papilio.policy.files import YamlFile, read_yaml
from papilio.policy.graph_policy import GraphPolicy
from papilio.policy.person import ROWS, PersonColumn, named_person
from papilio.policy.privacy_policy import ImprovePolicy, LightsPolicy, PrivacyPolicy
from papilio.policy.recipient_policy import RecipientPolicy, known_to
from papilio.policy.source_policy import SourcePolicy
from papilio.policy.tables_policy import TablePolicy
from papilio.policy.words import Words

if TYPE_CHECKING:
    from papilio.families.family import Family
    from papilio.privacy.requirement import Requirement


class Policy(BaseModel):
    """Roles, requirements and method of one release.

    Its arguments are the keys of the policy file, see ``docs/policy-reference.md``. ``privacy`` is
    what stands there in the file, or a requirement such as ``K(5)``, or a list of several.

    Examples
    --------
    >>> import papilio as pp
    >>> policy = pp.Policy(
    ...     columns={"age": "quasi", "disease": "sensitive"},
    ...     privacy=[pp.K(5), pp.L("disease", 3)],
    ... )
    >>> policy.quasi
    ('age',)
    >>> [requirement.name for requirement in policy.requirements]
    ['k-anonymity', 'distinct-l-diversity']
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    papilio: Annotated[
        Literal[1],
        Words(
            "Version",
            "Version of the policy format.",
            "1",
            choices={"1": "1"},
            elsewhere="there is one version, and every draft has it",
        ),
    ] = 1
    source: Annotated[
        SourcePolicy | None,
        Words(
            "Data",
            "Where the data is; not needed when a frame is passed in Python.",
            "patients.csv",
            elsewhere="the Data step writes it",
        ),
    ] = None
    columns: Annotated[
        dict[str, ColumnPolicy],
        Words(
            "Columns",
            "What each column is. A column that is not listed is not published.",
            elsewhere="the Columns step writes it",
        ),
    ]
    graph: Annotated[
        GraphPolicy | None,
        Words(
            "Graph",
            "A bipartite graph instead of `source` and `columns`: entities of two kinds and who is "
            "linked to whom; `privacy.k` and `privacy.l` then demand a safe-grouping.",
        ),
    ] = None
    tables: Annotated[
        dict[str, TablePolicy],
        Words(
            "Tables",
            "Linked tables instead of `source` and `columns`: one has a row per person, the others "
            "hang off it by keys.",
            elsewhere="the map of the tables writes it",
        ),
    ] = Field({})
    person: Annotated[
        str | None,
        Words(
            "One row per person in",
            "Whose row it is. Of one table: the column that names people, who may have several "
            "rows each; it is never published, and k, l and t are then over people. `rows` says "
            "that each row is another person; a column of that name is `{column: rows}`. Of "
            "`tables`: which of them has one row per person.",
            "patient_id",
            elsewhere="the map of the tables writes it",
        ),
    ] = None
    link: Annotated[
        bool,
        Words(
            "Keep a person's rows together",
            "The table is published as two linked tables: people, with the columns that are the "
            "same in all rows of each of them, and their rows, with the other columns. It goes "
            "with `person: COLUMN`.",
            "yes",
            usual="no",
            elsewhere="the Columns step asks for it beside the person",
        ),
    ] = Field(False, strict=True)
    database: Annotated[
        str | None,
        Words(
            "Database",
            "A DuckDB or SQLite file, or `postgresql://user@host/database#schema`, that holds "
            "`tables`; keys and foreign keys are read from its catalog.",
            "university.duckdb",
            elsewhere="the Data step takes files only",
        ),
    ] = Field(None, repr=False)
    privacy: Annotated[PrivacyPolicy, Words("What must hold", "What is demanded.")]
    recipients: Annotated[
        dict[str, RecipientPolicy],
        Words(
            "Recipients",
            "Who gets the release and which quasi-identifiers each may know, as a list, or as a "
            "mapping that also says what each must not learn and demands of its own; left out: one "
            "recipient who may know all of them.",
            elsewhere="the Recipients step writes it",
        ),
    ] = Field({})
    depends: Annotated[
        tuple[Rule, ...],
        Words(
            "Dependencies that people know",
            "Rules such as `[[town], county]`: whoever knows the columns on the left knows the one "
            "on the right. Columns that a rule names beside a quasi-identifier are generalised "
            "like one, and whoever knows one of them is taken to know all.",
            "[[town], county]",
            elsewhere="the policy as text has it",
        ),
    ] = ()
    method: Annotated[
        str | None,
        Words(
            "Method",
            "How it is reached; left out or `auto`, Papilio chooses and says why.",
            HYBRID,
            widget="method",
            usual="Papilio chooses",
        ),
    ] = None
    generalise: Annotated[
        str | None,
        Words(
            "Generalising method",
            "How the classes inside are formed: the generalising method that `union`, `butterfly` "
            "and `projections` build on.",
            HYBRID,
            widget="method",
            usual="Papilio chooses",
        ),
    ] = None
    wings: Annotated[
        str | None,
        Words(
            "Wings",
            "How columns that only one recipient knows, the wings of a `butterfly`, are "
            "generalised.",
            HYBRID,
            widget="method",
            usual="Papilio chooses",
        ),
    ] = None
    metric: Annotated[
        Literal["ncp", "dm", "height"] | None,
        Words(
            "Judge classes by",
            "What counts as loss while `hybrid` (`ncp`, `dm`) or `incognito` (all three) forms "
            "classes.",
            "height",
            choices={
                "ncp": "width of the cells (ncp)",
                "dm": "size of the classes (dm)",
                "height": "levels",
            },
            usual="width of the cells",
        ),
    ] = None
    objective: Annotated[
        Literal["sum", "balance"] | None,
        Words(
            "Cut classes by",
            "Whether `hybrid` makes halves that lose little together, or halves that are alike.",
            "balance",
            choices={"sum": "least sum", "balance": "balance"},
            usual="least sum",
        ),
    ] = None
    improve: Annotated[
        ImprovePolicy | None,
        Words(
            "Improve afterwards",
            "Time to look for better classes after the method; the promise stays the same.",
            "10s",
            choices={
                "2s": "2 seconds",
                "10s": "10 seconds",
                "60s": "1 minute",
                "10m": "10 minutes",
            },
            usual="no",
            widget="duration",
        ),
    ] = None
    minimise: Annotated[
        Literal["sum", "max", "max-exact", "groups", "random"] | None,
        Words(
            "Make small",
            "What `permutation` makes small about the groups; it decides how exact answers are.",
            "max",
            choices={
                "sum": "sum of spreads",
                "max": "largest spread",
                "max-exact": "largest spread, exactly",
                "groups": "size of groups",
                "random": "nothing: random groups",
            },
            usual="sum of spreads",
        ),
    ] = None
    plan: Annotated[
        Literal["greedy", "exact"] | None,
        Words(
            "Plan",
            "How `projections` looks for columns to publish together.",
            "greedy",
            choices={"greedy": "greedy: quick", "exact": "exact: up to 16 columns"},
            usual="exact up to 16 columns",
        ),
    ] = None
    classes: Annotated[
        Literal["shared"] | None,
        Words(
            "Classes",
            "`shared`: all tables of `projections` are divided into the same classes of people, "
            "which meet the demands on every sensitive column at once, so that nothing follows "
            "from putting tables side by side. Quasi-identifiers become coarser.",
            "shared",
            choices={"shared": "the same in all tables"},
            usual="of their own for each table",
        ),
    ] = None
    pairing: Annotated[
        Literal["optimal", "local"] | None,
        Words(
            "Pair records",
            "How `miracle` puts the records of two people side by side: at least cost over their "
            "whole trees (`optimal`) or level by level, greedily (`local`).",
            "local",
            choices={"optimal": "at least cost", "local": "level by level, quicker"},
            usual="at least cost",
        ),
    ] = None
    skeleton: Annotated[
        Literal["k-member", "divide"] | None,
        Words(
            "Cluster people",
            "How `miracle` finds people who become alike: all with all (`k-member`), or after "
            "cutting them into groups of similar trees (`divide`).",
            "divide",
            choices={"k-member": "all with all", "divide": "in groups of similar people"},
            usual="by their number",
        ),
    ] = None
    cells: Annotated[
        Literal["bounds", "text", "safe", "safe-text"],
        Words(
            "Cells",
            "How generalised cells are written: `bounds` in two columns that programs read, or one "
            "readable `text` column. `safe` and `safe-text` are written alike, and say a little "
            "less where a complete row would follow from them.",
            "safe",
            choices={
                "bounds": "two columns",
                "text": "readable text",
                "safe": "two columns, no complete row follows",
                "safe-text": "readable text, no complete row follows",
            },
            usual="two columns",
        ),
    ] = "bounds"
    lights: Annotated[
        LightsPolicy,
        Words(
            "Lights",
            "From how many people on that an attacker succeeds against the three lights of a "
            "release are amber, and red; it changes what is said of a release and never the "
            "release.",
            "{amber: 0.1%, red: 2%}",
            elsewhere="the policy as text has it",
        ),
    ] = LightsPolicy()

    _document: YamlFile | None = PrivateAttr(default=None)
    #: Fields that rules changed -> how they are read, and what was written.
    _written: dict[str, tuple[Any, Any]] = PrivateAttr(default_factory=dict)

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
        faults = list(dependent_faults(self))
        if faults:
            raise PolicyError(faults)
        self._read_by_rules()
        checks = misplaced_keys, self.family.faults, unusable_names, unsafe_cells, files_elsewhere
        faults = [fault for check in checks for fault in check(self)]
        if faults:
            raise PolicyError(faults)

    def _read_by_rules(self) -> None:
        """From here on columns that rules link to quasi-identifiers are such themselves."""
        for key, value in effective(self).items():
            self._written[key] = value, getattr(self, key)
            self.__dict__[key] = value

    def written(self, key: str) -> Any:
        """What the policy says at a top-level key, before its rules were read."""
        value = getattr(self, key)
        read, said = self._written.get(key, (None, None))
        return said if key in self._written and value is read else value

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

    @field_validator("depends", mode="before")
    @classmethod
    def _rules(cls, said: Any) -> Any:
        return rules_of(said)

    @field_validator("person", mode="wrap")
    @classmethod
    def _person(cls, said: Any, check: ValidatorFunctionWrapHandler) -> Any:
        named = named_person(said)
        return named if isinstance(named, PersonColumn) else check(named)

    @property
    def person_column(self) -> str | None:
        """Column of its one table that says whose row it is; ``None`` if none does."""
        if self.person is None or self.tables or self.graph is not None:
            return None
        if self.person == ROWS and not isinstance(self.person, PersonColumn):
            return None
        return str(self.person)

    @property
    def quasi(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers, in order."""
        return self.with_role(Role.QUASI)

    @property
    def known(self) -> dict[str, tuple[str, ...]]:
        """By recipient, the quasi-identifiers they may know; of a file, those its header names.

        Raises
        ------
        DataError
            If such a file cannot be read.
        """
        return {name: known_to(self, name) for name in self.recipients}

    @property
    def text_cells(self) -> bool:
        """Whether generalised cells are written as readable text."""
        return self.cells in ("text", "safe-text")

    @property
    def safe_cells(self) -> bool:
        """Whether no complete row may follow from generalised cells."""
        return self.cells in ("safe", "safe-text")

    @property
    def published(self) -> tuple[str, ...]:
        """Names of the columns that leave in some form: all but identifiers."""
        return tuple(n for n, c in self.columns.items() if c.role is not Role.IDENTIFIER)

    @property
    def bins(self) -> dict[str, int]:
        """Columns whose dependence on others is measured by ranges of values, and how many."""
        return {n: c.bins for n, c in self.columns.items() if c.bins is not None}

    @property
    def family(self) -> Family:
        """What it orders: the family whose releases it leads to."""
        from papilio.families import family_of

        return family_of(self)

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """What is demanded, as objects."""
        return self.family.requirements(self)

    def with_role(self, role: Role | str) -> tuple[str, ...]:
        """Names of the columns that have a role, in order; ``"quasi"`` for ``Role.QUASI``."""
        wanted = Role(role)
        return tuple(n for n, column in self.columns.items() if column.role is wanted)

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
            key: model.written(key) if isinstance(model, Policy) else getattr(model, key)
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
