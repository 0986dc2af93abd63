"""`python -m table` runs `dicetable`."""

import sys

from table.app import main

sys.exit(main())
