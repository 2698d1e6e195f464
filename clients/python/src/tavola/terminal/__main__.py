"""`python -m tavola.terminal` is `tavola`."""

import sys

from tavola.terminal import main

sys.exit(main())
