"""Which requests to a server without a password come from a page of another site.

Such a page can make its own name point here (DNS rebinding); to the browser the server would be the
same site, and the page could use it and read its answers. It cannot do so with an address, or with
a name that is not its own.
"""

from __future__ import annotations

import ipaddress
import re


def is_foreign(host: str, origin: str | None, *names: str) -> bool:
    """Whether a request's `Host` is neither an address nor a name of ours, or its `Origin` another.

    Browsers send an `Origin`; other programs need not.
    """
    name = re.sub(r":\d*$", "", host).strip("[]").casefold()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if name not in {"localhost", *(each.casefold() for each in names)}:
            return True
    return origin not in (None, f"http://{host}")
