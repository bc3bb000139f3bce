"""The error for an argument's text that can't be parsed."""

import errno

#: The number of mistakes in one declaration's arguments after which no more are parsed.
MOST_MISTAKES = 100
#: The result of a write handler that gives an element other arguments, if these can't be parsed.
WRONG_ARGUMENTS = -errno.EPERM


class ArgError(Exception):
    """A configuration argument or a write handler's text is wrong.

    Whoever raises it knows the text, not the file; `clickbpf.graph.configure` adds the place.  Without `argument` the
    error is about the text being parsed or – raised by `Element.configure` – about the element as a whole.  With the
    name of an argument it is about that one (of a `Rest`, about its value number `index`), `offset` characters into
    its text.  `configure` may raise several at once in an ExceptionGroup.  `result` is what Click's write handler
    returns, the `$?` of scripts: a negative error number.  `in_click` is Click's message if
    that is another one, for a warning with its "warning: " if it has one; "" if Click says nothing.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        argument: str | None = None,
        index: int = 0,
        offset: int = 0,
        result: int = -errno.EINVAL,
        in_click: str | None = None,
    ):
        super().__init__(message)
        self.message, self.hint, self.result = message, hint, result
        self.argument, self.index, self.offset, self.in_click = argument, index, offset, in_click
