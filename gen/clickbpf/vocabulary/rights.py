"""The rights that callers need for handlers that reach beyond the router.

The configuration, the command line and the router's owner have all rights. Other clients of a ControlSocket have those in its argument
RIGHTS. Reading a handler that needs ACT amounts to writing: clients that may write have this right; on a READONLY socket only RIGHTS gives
it, even to the owner.
"""

from enum import Enum


class Right(Enum):
    """The right in words, to complete the sentence "a handler that needs it ..."."""

    FILES = "writes to a file that the caller names"
    CALLS = "lets the router call, later on, a handler that the caller names"
    CONFIGURE = "puts another configuration in this one's place, which may do whatever a configuration does"
    SECRETS = "shows keys"
    ACT = "changes something when it is read"


ALL = frozenset(Right)
NONE: frozenset[Right] = frozenset()
