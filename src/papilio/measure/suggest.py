"""Suggest roles of columns, and the column that says whose row it is, from names and counts.

A suggestion is a start for the owner, never a decision. The mistake to avoid is calling a column
harmless, so ``plain`` is never suggested: where nothing tells what a column is, it is ``quasi``
and the reason says that this is a guess. No value of a column is seen here.

Several rows of one person look like several people to whoever counts rows. A column that names
people and repeats tells them apart. Names repeat by accident too, so this is a suggestion; the
owner decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.data.table import ColumnType, Role

#: Width that counts as near, as a share of the range; the share of a group that may be near to each
#: other at least, and the steps that it is proposed in.
_NEAR, _AT_LEAST, _STEP = 0.05, 50, 5
#: An l of 3 is proposed where at least one row in so many has a value beside the two commonest.
_SCARCE = 20


def vocabulary(entries: str) -> re.Pattern[str]:
    """Words to look for, without case and accents; a star stands for any letters."""
    return re.compile("|".join(entry.replace("*", "[a-z]*") for entry in entries.split()))


# In each list: English, German, French, Spanish.
_PERSON = vocabulary("""
    surname forename *lastname *firstname fullname middlename maidenname username nickname login
    email* mail phone* telephone* mobile cellphone fax address* street* ssn socialsecurity*
    nationalid taxid passport* iban creditcard* accountnumber insurancenumber licenseplate
    numberplate mrn uuid guid ip ipaddress imei fingerprint* photo
    vorname nachname familienname telefon* handynummer adresse* anschrift* strasse*
    sozialversicherung* versichertennummer steuernummer reisepass* kontonummer kennzeichen
    prenom courriel rue securitesociale passeport
    nombre apellido* correo telefono movil direccion* calle dni nif pasaporte
""")


_LABEL = vocabulary("""
    name names id ids identifier identification uid pid sid rowid userid personid patientid
    studentid customerid clientid memberid employeeid kennung nom identifiant identificador
""")


_NUMBERING = vocabulary("""
    number num no nr key code index row record serial case account member customer patient
    nummer schluessel lfd fall kunde numero cle client clave cliente
""")


_KNOWN = vocabulary("""
    age ages sex gender birth* born dob date day month year zip* postcode* postal* city town
    village county region* district state province country* nation* origin location place
    latitude longitude lat lon lng gps race ethnic* educat* school* degree diploma qualification
    marital* married relationship household* family children occupation* job* profession*
    employ* workclass department title industry language* height weight citizen* veteran military
    admission discharge arrival hospital
    alter geschlecht geburt* datum jahr monat tag plz postleitzahl stadt ort wohnort gemeinde kreis
    bundesland land herkunft staat* bildung* schul* abschluss familienstand zivilstand kinder
    beruf* arbeitgeber abteilung sprache groesse gewicht
    sexe naissance annee mois jour codepostal ville commune departement pays origine ethnie
    enfants metier emploi langue taille poids etatcivil
    edad sexo genero nacimiento fecha ano mes dia ciudad municipio provincia pais raza estadocivil
    hijos ocupacion profesion trabajo idioma altura peso
""")


_PRIVATE = vocabulary("""
    disease* illness* diagnos* icd symptom* health* medical* medication* drug* treatment* therap*
    hiv cancer blood* cholesterol disab* handicap* mental* psych* depress* pregnan* genetic*
    allerg* addict* alcohol* smok* tobacco salary salaries income* wage* earning* pay payment*
    capital loan* debt* credit balance wealth religi* faith belief* politic* party vote* union
    sexualorientation orientation crim* conviction* offence* offense* arrest* prison* grade grades
    marks score* gpa result* outcome* diabet* asthma* stroke* bmi
    krank* symptom* befund* medikament* behinderung* schwanger* gehalt* lohn* einkommen* verdienst
    vermoegen schulden konfession* glaube* partei* gewerkschaft* vorstraf* noten zensur* ergebnis*
    maladie* symptome* sante traitement* medicament* grossesse salaire* revenu* dette* croyance*
    syndicat* casier resultat*
    enfermedad* sintoma* salud tratamiento* embarazo salario* sueldo* ingreso* renta deuda*
    creencia* sindicato* resultado*
""")


_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)


#: From this share of distinct values on a column can be a number or a text given to each person.
NEARLY_ALL = 0.95


#: In fewer rows than this, distinct values may be chance.
FEWEST_ROWS = 10


#: More rows per value than this on average are too many for something given to one person.
MOST_ROWS_PER_PERSON = 20


@dataclass(frozen=True)
class ColumnFacts:
    """What a suggestion may rest on.

    Attributes
    ----------
    name
        Name of the column.
    type
        How its values compare.
    present
        Number of rows in which it is not NULL.
    distinct
        Number of distinct values, NULL not counted.
    running
        Whether its values are whole numbers that leave few gaps.
    """

    name: str
    type: ColumnType
    present: int
    distinct: int
    running: bool


@dataclass(frozen=True)
class Risk:
    """The strongest column set a column takes part in: its columns and its share of lone rows."""

    columns: tuple[str, ...]
    unique_share: float


@dataclass(frozen=True)
class Suggestion:
    """A role and why, in one sentence without values."""

    role: Role
    reason: str


def suggest_role(facts: ColumnFacts, risk: Risk | None = None) -> Suggestion:
    """Suggest a role: the first of the following that applies.

    1. a name that points at a person (``surname``, ``email``): identifier
    2. a date: quasi
    3. a name of something private (``diagnosis``, ``salary``): sensitive
    4. a name of something others know (``age``, ``postcode``): quasi
    5. ``name`` or ``id`` in the name, and not far fewer values than rows: identifier
    6. nearly all values distinct, and text, a running number, or a name such as ``number``:
       identifier
    7. part of a set of columns that singles rows out: quasi, as a guess
    8. anything else: quasi, as a guess

    Whether the role is identifier does not depend on ``risk``.
    """
    words = words_of_name(facts.name)
    for suggestion in (_by_name(facts, words), _by_values(facts, words)):
        if suggestion is not None:
            return suggestion
    return _guess(facts, risk)


def _by_name(facts: ColumnFacts, words: list[str]) -> Suggestion | None:
    person = find_word(_PERSON, words)
    if person and facts.type is not ColumnType.BOOLEAN:
        return Suggestion(Role.IDENTIFIER, f"its name ('{person}') says that it points at a person")
    if facts.type is ColumnType.DATE:
        return Suggestion(Role.QUASI, "a date, which others may know")
    private = find_word(_PRIVATE, words)
    if private:
        return Suggestion(Role.SENSITIVE, f"its name ('{private}') says that it is private")
    known = find_word(_KNOWN, words)
    if known:
        return Suggestion(Role.QUASI, f"its name ('{known}') says that others may know it")
    label = find_word(_LABEL, words)
    if label and facts.distinct * MOST_ROWS_PER_PERSON >= facts.present > 0:
        return Suggestion(Role.IDENTIFIER, f"its name ('{label}') says that it labels a person")
    return None


def _by_values(facts: ColumnFacts, words: list[str]) -> Suggestion | None:
    if facts.present < FEWEST_ROWS or facts.distinct < NEARLY_ALL * facts.present:
        return None
    if facts.type is ColumnType.CATEGORY:
        return Suggestion(Role.IDENTIFIER, "labels that differ in nearly every row")
    if facts.running:
        return Suggestion(Role.IDENTIFIER, "a running number, different in nearly every row")
    numbering = find_word(_NUMBERING, words)
    if numbering:
        return Suggestion(
            Role.IDENTIFIER, f"a number ('{numbering}') that differs in nearly every row"
        )
    return None


def _guess(facts: ColumnFacts, risk: Risk | None) -> Suggestion:
    if risk is None:
        return Suggestion(Role.QUASI, "a guess: nothing tells what it is, and quasi is safer")
    others = [f"'{name}'" for name in risk.columns if name != facts.name]
    how = f"together with {' and '.join(others)} it" if others else "it alone"
    return Suggestion(Role.QUASI, f"a guess: {how} singles out {risk.unique_share:.0%} of the rows")


def words_of_name(name: str) -> list[str]:
    """Words of a column's name, and each two neighbours written as one (``post code``)."""
    german = unicodedata.normalize("NFC", name).translate(_UMLAUTS)
    plain = unicodedata.normalize("NFKD", german)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    split = re.sub(r"([a-z])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3 \2\4", plain)
    words = re.findall(r"[a-z]+", split.lower())
    return words + [left + right for left, right in pairwise(words)]


def find_word(vocabulary: re.Pattern[str], words: list[str]) -> str | None:
    """First word of a name that a vocabulary has."""
    return next((word for word in words if vocabulary.fullmatch(word)), None)


# English, German, French, Spanish: whom rows may be about.
_WHO = vocabulary("""
    patient* person* people student* pupil* customer* client* member* user* subject* employee*
    respondent* participant* donor* driver* voter* inmate* resident* citizen* borrower* subscriber*
    policyholder* insured beneficiary player* reviewer* author* staff worker* teacher* child mother
    nurse* doctor* physician* owner* tenant* holder* passenger* rider* caller* pid sid uid userid
    personid patientid studentid customerid clientid memberid employeeid idcode idno mrn ssn
    kunde* schueler* mitarbeiter* versicherte* mitglied* proband* befragte* nutzer* buerger*
    etudiant* eleve* salarie* adherent* usager* paciente* estudiante* alumno* empleado* usuario*
""")


_NUMBER = vocabulary("""
    id ids nr nbr no num number code key ref reference identifier name nummer kennung schluessel
    numero cle identifiant clave identificador
""")


# What one person may have several of; a column that names it does not name people.
_WHAT = vocabulary("""
    visit* encounter* admission* adm hadm stay* icustay* episode* event* order* item* invoice*
    transaction* purchase* sale* session* row record* case claim* test* exam* assessment* course*
    module* product* drug* prescription* loan* account* trip* ride* call* review* rating* message*
    besuch* fall auftrag* bestellung* visite* commande* visita* pedido*
""")


#: More rows per value than this on average are too many for a column whose name says little.
MOST_ROWS = 20


#: Upper ends of the steps of the histogram; more rows than the last are one step.
STEPS = (1, 2, 3, 4, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class PersonColumn:
    """A column that says whose row it is.

    Attributes
    ----------
    name
        Its name.
    people
        How many there are.
    rows
        Rows that name somebody.
    most
        Rows of the person with the most.
    histogram
        How many people have so many rows: from, to and people, for steps that occur; nobody has
        more than the last one says.
    constant
        Columns that have one value in all rows of a person, for everybody; what ``link`` would put
        into a table of people.
    unknown
        Rows that name nobody; they have to be filled in or left out before people can be counted.
    """

    name: str
    people: int
    rows: int
    most: int
    histogram: tuple[tuple[int, int, int], ...]
    constant: tuple[str, ...] = ()
    unknown: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain lists, texts and numbers for JSON."""
        steps = [dict(zip(("from", "to", "people"), step, strict=True)) for step in self.histogram]
        return {
            "column": self.name,
            "people": self.people,
            "rows": self.rows,
            "most": self.most,
            "unknown": self.unknown,
            "rows_per_person": steps,
            "text": self.in_words(),
            "constant": list(self.constant),
            "same": self.about_link(),
        }

    def in_words(self) -> str:
        """How many rows people have, in one sentence."""
        steps = ", ".join(
            f"{people:,} with {_between(low, high)}" for low, high, people in self.histogram
        )
        nobody = ""
        if self.unknown:
            name = "row names" if self.unknown == 1 else "rows name"
            nobody = f"; {self.unknown:,} {name} nobody and must be filled in or left out"
        return f"{self.people:,} people have {self.rows:,} rows ({steps}){nobody}"

    def about_link(self) -> str:
        """Which columns a table of people would have, in one sentence; empty if none would."""
        if not self.constant:
            return ""
        return f"the same in all rows of a person: {', '.join(self.constant)}"


def suggest_person(
    columns: Sequence[ColumnFacts],
    identifiers: frozenset[str],
    sizes: Mapping[str, NDArray[np.int64]],
) -> PersonColumn | None:
    """Find the column that names people who have several rows each.

    A column does if values repeat in it and its name says whom it is about (``patient_nbr``), or
    it is an identifier that is no more than :data:`MOST_ROWS` times as short as the table. The
    latter counts only if no column that clearly names people is different in every row: then each
    row is another person, and namesakes are an accident. Names of what a person may have several
    of (``visit_id``) do not count. Of several the clearer name is
    taken, then the one with fewer values, which is on the safe side.

    Parameters
    ----------
    columns
        Names and counts of all columns.
    identifiers
        Columns that are suggested as identifiers.
    sizes
        How often each value of each column occurs, NULL not counted.
    """
    clear = [facts for facts in columns if names_people(facts.name)]
    if any(facts.distinct == facts.present > 0 for facts in clear):
        identifiers = frozenset()
    found = [
        (facts in clear, facts)
        for facts in columns
        if facts.distinct < facts.present and _names_people(facts, facts.name in identifiers)
    ]
    if not found:
        return None
    _, best = min(found, key=lambda each: (not each[0], each[1].distinct))
    return _counted(best.name, sizes[best.name])


def names_people(name: str) -> bool:
    """Whether a name says whom the column is about, and that it is a number or name of theirs."""
    words = words_of_name(name)
    who = find_word(_WHO, words)
    alone = len(name) == len(who or "")
    return bool(who) and not find_word(_WHAT, words) and (alone or bool(find_word(_NUMBER, words)))


def _names_people(facts: ColumnFacts, identifier: bool) -> bool:
    if facts.distinct < 2 or facts.type in (ColumnType.BOOLEAN, ColumnType.DATE):
        return False
    if names_people(facts.name):
        return True
    if find_word(_WHAT, words_of_name(facts.name)) or not identifier:
        return False
    return facts.distinct * MOST_ROWS >= facts.present


def _counted(name: str, sizes: NDArray[np.int64]) -> PersonColumn:
    ends = np.array(STEPS)
    steps = np.searchsorted(ends, sizes)
    people = np.bincount(steps, minlength=len(STEPS) + 1)
    most = int(sizes.max())
    histogram = tuple(
        (
            1 + (STEPS[step - 1] if step else 0),
            min(STEPS[step], most) if step < len(STEPS) else most,
            int(many),
        )
        for step, many in enumerate(people)
        if many
    )
    return PersonColumn(name, len(sizes), int(sizes.sum()), most, histogram)


def _between(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def suggest_l(sizes: NDArray[np.int64], most: int) -> tuple[int | None, int]:
    """Say which l, counted, to start with for a sensitive column, and what it costs at least.

    Parameters
    ----------
    sizes
        How many rows have each of its values; NULL is a value.
    most
        The largest l that can be met.

    Returns
    -------
    tuple
        3, or 2 where fewer than one row in :data:`_SCARCE` has a value beside the two commonest,
        so that classes would grow large for its sake; ``None`` if even 2 cannot be met. Then the
        most classes there can be: each holds a row beside the l - 1 commonest values.
    """
    commonest = np.sort(sizes)[::-1]
    beside = [int(commonest[kept:].sum()) for kept in (1, 2)]
    if most >= 3 and beside[1] * _SCARCE >= int(sizes.sum()):
        return 3, beside[1]
    return (2, beside[0]) if most >= 2 else (None, 0)


def suggest_near(values: NDArray[np.float64], rows: int) -> str | None:
    """Say what a window of values may hold of a group, to start with for a sensitive column.

    With b the share of all rows in the best window of a twentieth of the range, a guess that is
    right with more than (1 + b) / 2 takes away half of the doubt. So that is proposed, in steps of
    5 % and at least 50 %; all rows as one group meet it, as it is more than b.

    Parameters
    ----------
    values
        Its numbers, without missing ones.
    rows
        Rows of the table.

    Returns
    -------
    str
        Such as ``"50% within 5%"``; ``None`` if nearly all values are near each other.
    """
    ordered = np.sort(values)
    if not rows or not len(ordered) or ordered[0] == ordered[-1]:
        return None
    beyond = np.searchsorted(ordered, ordered + _NEAR * (ordered[-1] - ordered[0]), side="right")
    best = int((beyond - np.arange(len(ordered))).max()) / rows
    # At most half way, so that the light about near guesses is green where this is met.
    share = max(_AT_LEAST, int(100 * (1 + best) / 2) // _STEP * _STEP)
    return f"{share}% within {_NEAR:.0%}" if share > 100 * best else None
