from __future__ import annotations

from enum import IntEnum

from clickbpf.args import ArgError, Bool, Integer, Keyword, Optional, String, Word
from clickbpf.objects.ctext import c_string
from clickbpf.vocabulary.element import PASSES, USER, Element, field_handlers
from clickbpf.vocabulary.looks import Look, length
from clickbpf.vocabulary.state import Vars, u8


class Contents(IntEnum):
    NONE = 0
    HEX = 1
    ASCII = 2


class Print(Element):
    """prints packets

    Synopsis: `Print([LABEL, MAXLENGTH, CONTENTS ..., TIMESTAMP ..., PRINTANNO ..., HEADROOM ..., ACTIVE ...])`

    Prints a line on standard error for every packet: LABEL and a colon, the packet's length, and its first MAXLENGTH bytes.

        ok:   60 | ffffffff ffff0200 00000001 08060001 08000604 00010200

    Arguments:

      - LABEL: a text.
      - MAXLENGTH: how many bytes of the packet; all of them if it is negative. Default 24.
      - CONTENTS: HEX, ASCII (bytes that aren't show as dots), or NONE of them. Default HEX.
      - TIMESTAMP: whether to print when the packet arrived, in seconds since 1970. Default false.
      - PRINTANNO: whether to print the 48 annotation bytes. Default false.
      - HEADROOM: whether to print how much room there is before and after the packet, as `(h28 t1984)`. Default false.
      - ACTIVE: false to print nothing. Default true.
      - LENGTH, NBYTES: old names of MAXLENGTH.
      - CPU: accepted, of no effect, as in user-level Click.

    Ports: one input, one output.

    Handlers:

      - `active` (read, write): ACTIVE.

    Example:

        FromDevice(eth0) -> Print(eth0, 14) -> Discard;
    """

    runs = USER
    looks = PASSES
    reconfigurable = True
    args = (
        Optional("LABEL", String(), ""),
        Optional("MAXLENGTH", Integer(signed=True)),
        Keyword("LENGTH", Integer(signed=True)),
        Keyword("NBYTES", Integer(signed=True)),
        Keyword("CONTENTS", Word(), "HEX"),
        Keyword("TIMESTAMP", Bool(), False),
        Keyword("PRINTANNO", Bool(), False),
        Keyword("HEADROOM", Bool(), False),
        Keyword("CPU", Bool(), False),
        Keyword("ACTIVE", Bool(), True),
    )
    enums = (Contents,)
    state_types = {"vars": Vars(active=u8)}

    def configure(self) -> None:
        self.contents = _contents(self.cfg.contents)
        given = (self.cfg.nbytes, self.cfg.length, self.cfg.maxlength)
        self.bytes = next((number for number in given if number is not None), 24)

    def constants(self) -> dict[str, tuple[str, str]]:
        return {
            "label": ("const char *", c_string(self.cfg.label)),
            "shown": ("int", str(self.bytes if self.contents is not Contents.NONE else 0)),
            "contents": ("int", str(int(self.contents))),
        }

    def shown(self) -> Look:
        return Look(data=length(self.bytes) if self.contents else 0, switch=("vars", "active"))

    active = field_handlers("vars", Bool())


def _contents(word: str) -> Contents:
    """CONTENTS may also be a truth value: hexadecimal, or none."""
    if word in Bool.WORDS:
        return Contents.HEX if Bool.WORDS[word] else Contents.NONE
    if word.upper() not in Contents.__members__:
        raise ArgError(f"bad contents value '{word}'; should be 'NONE', 'HEX', or 'ASCII'", argument="CONTENTS")
    return Contents[word.upper()]
