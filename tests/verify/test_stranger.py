"""The verifier is a stranger to the methods: it loads nothing of what makes releases."""

import re
import subprocess
import sys

FORBIDDEN = (
    "papilio.kernels",
    "papilio.data.encode",
    "papilio.data.hierarchy",
    "numba",
)
#: What makes releases; the tables that say what a family takes are read by whoever opens one.
MAKING = re.compile(r"papilio\.families\.\w+\.(make|methods|pieces|spark|plan)\b")
PROGRAM = """
import sys
from pathlib import Path
from papilio.verify.judge import judge
from papilio.verify.opened import open_directory
for directory in sys.argv[1:]:
    with open_directory(Path(directory)) as opened:
        table = opened.manifest.tables[0].name
        assert judge(opened).holds
        judge(opened, original=table)  # loads whatever the search for candidates needs
print("\\n".join(sys.modules))
"""


def test_judging_loads_nothing_of_the_methods(samples):
    kinds = ("numbers", "sets", "paths", "automatic")
    directories = [str(samples(kind, "parquet", "bounds").directory) for kind in kinds]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *directories], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "papilio.verify.truthfulness" in loaded
    assert [name for name in loaded if name.startswith(FORBIDDEN)] == []
    assert [name for name in loaded if MAKING.match(name)] == []
