"""WEP keys: as arguments, in the state, and in handlers."""

from collections.abc import Mapping

from clickbpf.declare import (
    NOWHERE, SAME, USER, ArgError, Bool, Bytes, Context, Element, Integer, Keyword, Right, State, Vars, field_handlers, read_handler, u8,
    write_handler,
)

from ._extra import FlagLine, Line

#: WEP_LONGEST_KEY of wep.h.
LONGEST_KEY = 16

DEBUG, STRICT = Keyword("DEBUG", Bool(), False, "Boolean. Without effect"), Keyword("STRICT", Bool(), False, SAME)
KEY_ID = Integer(8)
KEY_HANDLERS = """- `key` (read, write): KEY, in hexadecimal digits. Reading it needs the right to see keys.
      - `keyid`, `debug` (read, write): the arguments."""


class WepKey(Bytes):
    """A WEP key; value bytes."""

    def parse(self, text: str, context: Context = NOWHERE) -> bytes:
        key = super().parse(text, context)
        if len(key) > LONGEST_KEY:
            raise ArgError(f"KEY is {len(key)} bytes long", f"expected {self.describe()}")
        return key

    def elided(self, text: str) -> str:
        return "<key>"

    def describe(self) -> str:
        return f"a key of up to {LONGEST_KEY} bytes"


class WepElement(Element, runs=USER):
    """KEY, KEYID and DEBUG, with their handlers."""

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

    write_key = write_handler(lambda self, text: self._set_key(WepKey().parse(text.strip())), name="key")
    keyid = field_handlers("vars", Line(8))
    debug = field_handlers("vars", FlagLine())
