import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.table import ColumnType, Role
from papilio.measure.suggest import ColumnFacts, Risk, suggest_role

CATEGORY, NUMERIC = ColumnType.CATEGORY, ColumnType.NUMERIC


def facts(name, type_=CATEGORY, present=1_000, distinct=60, running=False):
    return ColumnFacts(name, type_, present, distinct, running)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("surname", Role.IDENTIFIER),
        ("First Name", Role.IDENTIFIER),
        ("lastName", Role.IDENTIFIER),
        ("E-Mail", Role.IDENTIFIER),
        ("email_address", Role.IDENTIFIER),
        ("phone2", Role.IDENTIFIER),
        ("SSN", Role.IDENTIFIER),
        ("PatientID", Role.IDENTIFIER),
        ("full_name", Role.IDENTIFIER),
        ("Straße", Role.IDENTIFIER),
        ("prénom", Role.IDENTIFIER),
        ("Apellidos", Role.IDENTIFIER),
        ("health_insurance_number", Role.IDENTIFIER),
        ("credit card", Role.IDENTIFIER),
        ("age", Role.QUASI),
        ("Age at visit", Role.QUASI),
        ("Sex", Role.QUASI),
        ("date_of_birth", Role.QUASI),
        ("ZIPCode", Role.QUASI),
        ("post code", Role.QUASI),
        ("native-country", Role.QUASI),
        ("city_name", Role.QUASI),
        ("country_id", Role.QUASI),
        ("marital-status", Role.QUASI),
        ("jobTitle", Role.QUASI),
        ("Größe", Role.QUASI),
        ("Geburtsort", Role.QUASI),
        ("Année", Role.QUASI),
        ("código postal", Role.QUASI),
        ("disease", Role.SENSITIVE),
        ("HeartDisease", Role.SENSITIVE),
        ("disease_name", Role.SENSITIVE),
        ("diagnosis_code", Role.SENSITIVE),
        ("gross salary", Role.SENSITIVE),
        ("wage", Role.SENSITIVE),
        ("Religion", Role.SENSITIVE),
        ("final_grade", Role.SENSITIVE),
        ("Vermögen", Role.SENSITIVE),
        ("santé", Role.SENSITIVE),
        ("enfermedades", Role.SENSITIVE),
    ],
)
def test_telling_names(name, role):
    suggestion = suggest_role(facts(name))
    assert suggestion.role is role
    assert "guess" not in suggestion.reason


@pytest.mark.parametrize("name", ["page", "valid", "covid", "sexton", "stage", "x", "", "年齢"])
def test_words_inside_words_tell_nothing(name):
    suggestion = suggest_role(facts(name))
    assert suggestion.role is Role.QUASI
    assert suggestion.reason.startswith("a guess")


def test_a_date_is_quasi_even_with_a_private_name():
    assert suggest_role(facts("diagnosis", ColumnType.DATE)).role is Role.QUASI


def test_yes_or_no_is_not_an_address():
    assert suggest_role(facts("email", ColumnType.BOOLEAN, distinct=2)).role is Role.QUASI


def test_an_id_that_many_rows_share_labels_no_person():
    assert suggest_role(facts("ward_id", distinct=50)).role is Role.IDENTIFIER
    assert suggest_role(facts("ward_id", distinct=49)).role is Role.QUASI


def test_text_different_in_nearly_every_row_is_an_identifier():
    assert suggest_role(facts("remark", distinct=950)).role is Role.IDENTIFIER
    assert suggest_role(facts("remark", distinct=949)).role is Role.QUASI
    assert suggest_role(facts("remark", present=9, distinct=9)).role is Role.QUASI


def test_numbers_different_in_nearly_every_row_need_more_than_that():
    assert suggest_role(facts("x", NUMERIC, distinct=1_000)).role is Role.QUASI
    assert suggest_role(facts("x", NUMERIC, distinct=1_000, running=True)).role is Role.IDENTIFIER
    assert suggest_role(facts("x", NUMERIC, distinct=900, running=True)).role is Role.QUASI
    assert suggest_role(facts("case no", NUMERIC, distinct=1_000)).role is Role.IDENTIFIER
    assert suggest_role(facts("case no", NUMERIC, distinct=900)).role is Role.QUASI


def test_a_risk_is_named_in_the_guess():
    alone = suggest_role(facts("x"), Risk(("x",), 0.5))
    assert alone.reason == "a guess: it alone singles out 50% of the rows"
    three = suggest_role(facts("x"), Risk(("a", "x", "b"), 0.123))
    assert three.reason == "a guess: together with 'a' and 'b' it singles out 12% of the rows"


@given(
    st.builds(
        ColumnFacts,
        st.text() | st.sampled_from(["id", "zip", "income", "name", "number", "x"]),
        st.sampled_from(ColumnType),
        st.integers(0, 100),
        st.integers(0, 100),
        st.booleans(),
    )
)
def test_nothing_is_ever_called_plain_and_risk_makes_no_identifier(facts):
    without = suggest_role(facts)
    with_risk = suggest_role(facts, Risk(("other",), 0.9))
    assert Role.PLAIN not in (without.role, with_risk.role)
    assert without.role is with_risk.role
