"""Which k a published table has, in the eyes of pycanon."""

from __future__ import annotations

import sys

import pandas as pd
from pycanon.anonymity import k_anonymity

published = pd.read_csv(sys.argv[1], dtype=str)
if "count" in published:
    published = published.loc[published.index.repeat(published.pop("count").astype(int))]
print(k_anonymity(published.reset_index(drop=True), list(published)))
