"""Names and failures of handlers, for callers in this or another process."""

import errno
from enum import Enum

from clickbpf.errors import ClickError


class Failure(Enum):
    """Why a handler could not be called."""

    NO_ELEMENT = "no such element"
    NO_HANDLER = "no such handler"
    PERMISSION = "not for reading, or not for writing"
    FAILED = "the handler refused"


class HandlerError(ClickError):
    """A handler couldn't be called, or has failed; in the latter case `message` is its own message, and `handler` its name.

    `result` is what Click's handler would return, a negative error number. If the handler did its work but reported errors, `result` is its
    result, at least 0, and `value` its value; otherwise `value` is None.
    """

    def __init__(
        self,
        failure: Failure,
        message: str,
        hint: str | None = None,
        handler: str = "",
        result: int = -errno.EINVAL,
        value: str | None = None,
    ):
        super().__init__(f"{handler}: {message}" if handler else message, hint=hint)
        self.failure, self.message, self.hint = failure, message, hint
        self.result, self.value = result, value


def full_name(element: str, handler: str) -> str:
    return f"{element}.{handler}" if element else handler
