from enum import IntEnum

from clickbpf.declare import (
    PASSES, SAME, USER, ArgError, Bool, Integer, Keyword, Look, Optional, Reconfigurable, String, Word,
)
from clickbpf.vocabulary.looks import length


class Contents(IntEnum):
    NONE = 0
    HEX = 1
    ASCII = 2


class Print(Reconfigurable, runs=USER, traits=PASSES):
    """prints packets

    Prints a line on standard error for every packet: LABEL and a colon, the packet's length, and its first MAXLENGTH bytes.

        ok:   60 | ffffffff ffff0200 00000001 08060001 08000604 00010200

    Example: FromDevice(eth0) -> Print(eth0, 14) -> Discard;
    """

    args = (
        Optional("LABEL", String(), "", "a text"),
        Optional("MAXLENGTH", Integer(signed=True), text="how many bytes of the packet; all of them if it is negative. Default 24"),
        Keyword("LENGTH", Integer(signed=True), text="old names of MAXLENGTH"),
        Keyword("NBYTES", Integer(signed=True), text=SAME),
        Keyword("CONTENTS", Word(), "HEX", "HEX, ASCII (other bytes as dots), or NONE"),
        Keyword("TIMESTAMP", Bool(), False, "whether to print the packet's timestamp, in seconds since 1970"),
        Keyword("PRINTANNO", Bool(), False, "whether to print the 48 annotation bytes"),
        Keyword("HEADROOM", Bool(), False, "whether to print how much room there is before and after the packet, as `(h28 t1984)`"),
        Keyword("CPU", Bool(), False, "accepted, without effect, as in user-level Click"),
        Keyword("ACTIVE", Bool(), True, "false to print nothing", setting="vars"),
    )
    enums = (Contents,)
    derived = {
        "label": ("const char *", lambda self: self.cfg.label),
        "shown": ("int", lambda self: self.bytes if self.contents is not Contents.NONE else 0),
        "contents": ("int", lambda self: int(self.contents)),
    }

    def configure(self) -> None:
        self.contents = _contents(self.cfg.contents)
        given = (self.cfg.nbytes, self.cfg.length, self.cfg.maxlength)
        self.bytes = next((number for number in given if number is not None), 24)

    def shown(self) -> Look:
        return Look(data=length(self.bytes) if self.contents else 0, switch=("vars", "active"))


def _contents(word: str) -> Contents:
    """CONTENTS may also be a truth value: hexadecimal, or none."""
    if word in Bool.WORDS:
        return Contents.HEX if Bool.WORDS[word] else Contents.NONE
    if word.upper() not in Contents.__members__:
        raise ArgError(f"bad contents value '{word}'; should be 'NONE', 'HEX', or 'ASCII'", argument="CONTENTS")
    return Contents[word.upper()]
