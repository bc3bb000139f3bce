"""What a handler's caller must have the right to, where the handler does more than the router's own work.

The configuration, the command line and the router's owner have all rights. Other clients of a ControlSocket have those that
its argument RIGHTS gives.
"""

from __future__ import annotations

from enum import Enum


class Right(Enum):
    """The handlers' right, in words that a sentence goes on with: "a handler that needs it ..."."""

    FILES = "writes to a file that the caller names"
    CALLS = "lets the router call, later on, a handler that the caller names"
    CONFIGURE = "puts another configuration in this one's place, which may do whatever a configuration does"
    SECRETS = "shows keys"


ALL = frozenset(Right)
NONE: frozenset[Right] = frozenset()
