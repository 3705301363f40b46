import polars as pl
import pytest

from papilio import K, Policy
from papilio.errors import DataError
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_of
from papilio.workflow.publish import publish


@pytest.mark.parametrize("hierarchy", [None, "automatic"])
@pytest.mark.parametrize("cells", ["bounds", "text"])
def test_labels_of_another_original_are_counted_not_named(hierarchy, cells):
    said = {"role": "quasi", "type": "category"}
    columns = {"job": said if hierarchy is None else {**said, "hierarchy": hierarchy}}
    policy = Policy(columns=columns, privacy=K(1), method="mondrian", cells=cells)
    release = publish(pl.DataFrame({"job": ["ash", "elm", "fir"]}), policy)
    other = order_of(pl.DataFrame({"job": ["ash", "elm", "oak"]}), policy, "table")[0].table
    with pytest.raises(DataError, match="column 'job': 1 published cells are unknown") as caught:
        published_classes(release, other)
    assert "fir" not in str(caught.value)
