"""The command ``papilio`` as it is with the eighth family.

Child processes of the workbench import the file that was started, so they know the family too.
"""

from __future__ import annotations

import sys

from toy_family import JUDGED, TOY

from papilio.cli.app import run
from papilio.families import register
from papilio.verify.kinds import register_kind

register(TOY)
register_kind(JUDGED)

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
