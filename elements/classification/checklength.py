from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.element import CHOOSES, Element, field_handlers
from clickbpf.vocabulary.state import SETTINGS, Vars, u32


class CheckLength(Element):
    """separates packets longer than a limit from others

    Synopsis: `CheckLength(LENGTH)`

    Packets of up to LENGTH bytes leave by output 0, longer ones by output 1, or are dropped if that is not there.

    Arguments:

      - LENGTH: bytes.

    Ports: one input; output 0, and push output 1 (may be missing) for long packets.

    Handlers:

      - `length` (read, write): the argument.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> check :: CheckLength(1500) -> Discard;
        check[1] -> ICMPError(10.0.0.1, unreachable, needfrag) -> Discard;
    """

    bears_offloads = True
    ports = "1/1-2"
    processing = "a/ah"
    args = (Required("LENGTH", Integer()),)
    state_types = {"vars": Vars(length=u32), "settings": SETTINGS}
    entries = ("gives_up",)
    looks = CHOOSES
    weight = 15

    length = field_handlers("vars", Integer())
