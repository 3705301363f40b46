"""Releases of every kind, published once."""

from functools import cache

import pytest
from damage import sample_of


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """``samples(kind, form, cells)``: a release nobody may change."""
    folder = tmp_path_factory.mktemp("samples")
    return cache(lambda kind, form, cells: sample_of(kind, folder, form, cells))


@pytest.fixture
def damaged(samples, tmp_path):
    """``damaged(kind, form, cells)``: a copy of a release that may be changed."""

    def copy(kind="numbers", form="parquet", cells="bounds"):
        return samples(kind, form, cells).copy(tmp_path / "copy")

    return copy
