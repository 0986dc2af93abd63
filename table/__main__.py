"""`python -m table` is `dicetable`."""

import sys

from table.app import main

sys.exit(main())
