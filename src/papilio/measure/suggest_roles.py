"""Suggest the role of a column from its name and a few counts, with the reason in words.

A suggestion is a start for the owner, never a decision. The mistake to avoid is calling a column
harmless, so ``plain`` is never suggested: where nothing tells what a column is, it is ``quasi``
and the reason says that this is a guess. No value of the column is seen here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from papilio.data.column import ColumnType
from papilio.data.roles import Role


def _vocabulary(entries: str) -> re.Pattern[str]:
    """Words to look for, without case and accents; a star stands for any letters."""
    return re.compile("|".join(entry.replace("*", "[a-z]*") for entry in entries.split()))


# In each list: English, German, French, Spanish.
_PERSON = _vocabulary("""
    surname forename *lastname *firstname fullname middlename maidenname username nickname login
    email* mail phone* telephone* mobile cellphone fax address* street* ssn socialsecurity*
    nationalid taxid passport* iban creditcard* accountnumber insurancenumber licenseplate
    numberplate mrn uuid guid ip ipaddress imei fingerprint* photo
    vorname nachname familienname telefon* handynummer adresse* anschrift* strasse*
    sozialversicherung* versichertennummer steuernummer reisepass* kontonummer kennzeichen
    prenom courriel rue securitesociale passeport
    nombre apellido* correo telefono movil direccion* calle dni nif pasaporte
""")
_LABEL = _vocabulary("""
    name names id ids identifier identification uid pid sid rowid userid personid patientid
    studentid customerid clientid memberid employeeid kennung nom identifiant identificador
""")
_NUMBERING = _vocabulary("""
    number num no nr key code index row record serial case account member customer patient
    nummer schluessel lfd fall kunde numero cle client clave cliente
""")
_KNOWN = _vocabulary("""
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
_PRIVATE = _vocabulary("""
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
    words = _words(facts.name)
    for suggestion in (_by_name(facts, words), _by_values(facts, words)):
        if suggestion is not None:
            return suggestion
    return _guess(facts, risk)


def _by_name(facts: ColumnFacts, words: list[str]) -> Suggestion | None:
    person = _find(_PERSON, words)
    if person and facts.type is not ColumnType.BOOLEAN:
        return Suggestion(Role.IDENTIFIER, f"its name ('{person}') says that it points at a person")
    if facts.type is ColumnType.DATE:
        return Suggestion(Role.QUASI, "a date, which others may know")
    private = _find(_PRIVATE, words)
    if private:
        return Suggestion(Role.SENSITIVE, f"its name ('{private}') says that it is private")
    known = _find(_KNOWN, words)
    if known:
        return Suggestion(Role.QUASI, f"its name ('{known}') says that others may know it")
    label = _find(_LABEL, words)
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
    numbering = _find(_NUMBERING, words)
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


def _words(name: str) -> list[str]:
    """Words of a column's name, and each two neighbours written as one (``post code``)."""
    german = unicodedata.normalize("NFC", name).translate(_UMLAUTS)
    plain = unicodedata.normalize("NFKD", german)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    split = re.sub(r"([a-z])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3 \2\4", plain)
    words = re.findall(r"[a-z]+", split.lower())
    return words + [left + right for left, right in pairwise(words)]


def _find(vocabulary: re.Pattern[str], words: list[str]) -> str | None:
    return next((word for word in words if vocabulary.fullmatch(word)), None)
