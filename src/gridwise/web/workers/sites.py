"""Sites: the IPv6 networks that are likely to belong together.

A client is an IPv4 address or an IPv6 network of 64 bits, which is what one household or phone
gets. A site, a /48, is `SITE` times a client: it may be a school with a network for each room, and
it has 65,536 networks to ask from, one after the other.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache

SITE = 8  # clients that one IPv6 site may be


@lru_cache(4_096)
def site_of(client: str) -> str:
    """The site of an IPv6 network; empty for any other client."""
    if not client.endswith("::/64"):
        return ""
    network = ipaddress.IPv6Network(client)
    return str(network.supernet(new_prefix=48))
