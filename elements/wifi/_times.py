"""Times as Click's wireless elements show them."""

from __future__ import annotations


def seconds(nanoseconds: int) -> str:
    """Seconds with six decimals, or nine if there are nanoseconds."""
    whole, part = divmod(nanoseconds, 10**9)
    return f"{whole}.{part:09}" if part % 1000 else f"{whole}.{part // 1000:06}"
