"""Start the server: `python -m bot_endpoint`, in the folder of examples."""

import sys

from bot_endpoint.server import main

sys.exit(main())
