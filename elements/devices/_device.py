"""What elements of devices have in common: arguments of Click's Linux driver about devices that come and go."""

from __future__ import annotations

from types import SimpleNamespace

from clickbpf.args import Bool, Keyword, Raw
from clickbpf.args.error import ArgError

#: A router's devices are there when it is loaded.
COMING_AND_GOING = (
    Keyword("ALLOW_NONEXISTENT", Bool(), False),
    Keyword("UP_CALL", Raw()),
    Keyword("DOWN_CALL", Raw()),
)


def refuse_coming_and_going(cfg: SimpleNamespace) -> None:
    """ArgError if one of these arguments asks for something."""
    for argument in COMING_AND_GOING:
        if getattr(cfg, argument.name.lower()):
            raise ArgError(f"{argument.name} isn't supported", argument=argument.name)
