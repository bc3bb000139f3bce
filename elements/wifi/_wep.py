"""Keys of WEP: as arguments, in the state, and in handlers."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import NOWHERE, ArgError, Bool, Bytes, Context, Integer, Keyword
from clickbpf.vocabulary.element import USER, Element, field_handlers, read_handler, write_handler
from clickbpf.vocabulary.rights import Right
from clickbpf.vocabulary.state import State, Vars, u8

from ._extra import FlagLine, Line

#: WEP_LONGEST_KEY of wep.h.
LONGEST_KEY = 16

DEBUG, STRICT = Keyword("DEBUG", Bool(), False), Keyword("STRICT", Bool(), False)
KEY_ID = Integer(8)
KEY_TEXT = """- KEY: up to 16 bytes, usually 5 or 13, as a string or, in hexadecimal digits, as in `"\\<0123456789>"`. Default is none.
      - KEYID: the number of the key, the byte after the initialization vector. Default is 0."""
KEY_HANDLERS = """- `key` (read, write): KEY; in hexadecimal digits. To read it needs the right to see keys.
      - `keyid`, `debug` (read, write): the arguments."""


class WepKey(Bytes):
    """A key of WEP; value bytes."""

    def parse(self, text: str, context: Context = NOWHERE) -> bytes:
        key = super().parse(text, context)
        if len(key) > LONGEST_KEY:
            raise ArgError(f"KEY is {len(key)} bytes long", f"expected {self.describe()}")
        return key

    def elided(self, text: str) -> str:
        return "<key>"

    def describe(self) -> str:
        return f"a key of up to {LONGEST_KEY} bytes"


class WepElement(Element):
    """KEY, KEYID and DEBUG, with their handlers."""

    runs = USER
    state_types: Mapping[str, State] = {"vars": Vars(key=u8 * LONGEST_KEY, key_length=u8, keyid=u8, debug=u8)}
    holds = ()

    def initialise(self) -> None:
        super().initialise()
        self._set_key(self.cfg.key)

    def _set_key(self, key: bytes) -> None:
        vars = self.state.vars
        vars.key[: len(key)] = key
        vars.key_length = len(key)

    @read_handler("key", needs=Right.SECRETS)
    def read_key(self) -> str:
        vars = self.state.vars
        return f"\\<{bytes(vars.key)[: vars.key_length].hex().upper()}>\n"

    @write_handler("key")
    def write_key(self, text: str) -> None:
        self._set_key(WepKey().parse(text.strip()))

    keyid = field_handlers("vars", Line(8))
    debug = field_handlers("vars", FlagLine())
