"""`python -m table` is `dicetable`."""

import sys

from table.cli import main

sys.exit(main())
