from __future__ import annotations

from clickbpf.args import Bool, Keyword, Optional
from clickbpf.vocabulary.element import field_handlers
from clickbpf.vocabulary.state import Vars, u8

from ._extra import FlagLine
from ._wep import DEBUG, KEY_HANDLERS, KEY_ID, KEY_TEXT, LONGEST_KEY, STRICT, WepElement, WepKey


class WepEncap(WepElement):
    __doc__ = f"""encrypts 802.11 frames by WEP

    Synopsis: `WepEncap([KEY, KEYID ..., ACTIVE ..., STRICT ..., DEBUG ...])`

    Encrypts data frames and authentication frames by WEP (IEEE 802.11, 12.3.2) with a random initialization vector. Other frames, and
    packets shorter than 24 bytes, pass. WEP is broken: whoever listens for some minutes finds the key.

    Arguments:

      {KEY_TEXT}
      - ACTIVE: whether to encrypt. Default is false.
      - STRICT, DEBUG: Boolean. Mean nothing.

    Ports: one input, one output.

    Handlers:

      - `active` (read, write): ACTIVE.
      {KEY_HANDLERS}

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> WepEncap("\\<0123456789>", ACTIVE true)
            -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    args = (
        Optional("KEY", WepKey(), b""),
        Keyword("KEYID", KEY_ID, 0),
        DEBUG,
        STRICT,
        Keyword("ACTIVE", Bool(), False),
    )
    state_types = {"vars": Vars(key=u8 * LONGEST_KEY, key_length=u8, keyid=u8, debug=u8, active=u8)}
    holds = ()

    active = field_handlers("vars", FlagLine())
