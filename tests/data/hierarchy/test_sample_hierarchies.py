from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest

from papilio.data.hierarchy.build import build, leaf_codes
from papilio.data.hierarchy.paths import read_paths
from papilio.data.hierarchy.rules import PathsRule
from papilio.data.table import ColumnType

SAMPLES = Path(str(files("papilio"))) / "samples" / "hierarchies"
ADULT = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "adult" / "adult.data"

PLACES = {
    "workclass": 1,
    "education": 3,
    "marital-status": 5,
    "occupation": 6,
    "relationship": 7,
    "race": 8,
    "sex": 9,
    "native-country": 13,
}
VALUES = {
    "workclass": "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov "
    "Without-pay Never-worked",
    "education": "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th "
    "12th Masters 1st-4th 10th Doctorate 5th-6th Preschool",
    "marital-status": "Married-civ-spouse Divorced Never-married Separated Widowed "
    "Married-spouse-absent Married-AF-spouse",
    "occupation": "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty "
    "Handlers-cleaners Machine-op-inspct Adm-clerical Farming-fishing Transport-moving "
    "Priv-house-serv Protective-serv Armed-Forces",
    "relationship": "Wife Own-child Husband Not-in-family Other-relative Unmarried",
    "race": "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black",
    "sex": "Female Male",
    "native-country": "United-States Cambodia England Puerto-Rico Canada Germany "
    "Outlying-US(Guam-USVI-etc) India Japan Greece South China Cuba Iran Honduras Philippines "
    "Italy Poland Jamaica Vietnam Mexico Portugal Ireland France Dominican-Republic Laos Ecuador "
    "Taiwan Haiti Columbia Hungary Guatemala Nicaragua Scotland Thailand Yugoslavia El-Salvador "
    "Trinadad&Tobago Peru Hong Holand-Netherlands",
}


def test_there_is_a_file_for_each_column():
    assert {file.stem for file in SAMPLES.iterdir()} == set(VALUES)


@pytest.mark.parametrize("column", VALUES)
def test_a_file_covers_exactly_the_values_of_its_column(column):
    tree = read_paths(SAMPLES / f"{column}.csv")
    assert sorted(tree.leaves) == sorted(VALUES[column].split())
    assert tree.labels[0] == "*"


def test_countries_rise_to_regions_and_continents():
    tree = read_paths(SAMPLES / "native-country.csv")
    levels = [[tree.labels[node] for node in level] for level in tree.levels]
    japan = tree.leaves.index("Japan")
    assert [level[japan] for level in levels] == ["Japan", "Eastern Asia", "Asia", "*"]
    assert len(set(levels[1])) == 12
    assert set(levels[2]) == {"America", "Europe", "Asia", "Several Or Unclear"}


@pytest.mark.skipif(not ADULT.is_file(), reason="shared Adult data are not here")
@pytest.mark.parametrize("column", VALUES)
def test_the_files_cover_the_real_data(column):
    frame = pl.read_csv(ADULT, has_header=False, infer_schema=False, columns=[PLACES[column]])
    values = frame.to_series().str.strip_chars().replace({"?": None})
    tree = build(PathsRule(SAMPLES / f"{column}.csv"), values, ColumnType.CATEGORY, column)
    codes = leaf_codes(tree, values)
    assert [tree.leaves[code] for code in codes[:500]] == values[:500].to_list()
