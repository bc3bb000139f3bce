"""The rights that callers of a handler need if the handler reaches beyond the router.

The configuration, the command line and the router's owner have all rights. Other clients of a ControlSocket have those that
its argument RIGHTS gives. Reading a handler that needs ACT is as good as writing: clients that may write have this right, and on a
socket that is READONLY only RIGHTS gives it, even to the owner.
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
