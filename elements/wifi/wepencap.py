from clickbpf.declare import Bool, Keyword, Optional, Vars, field_handlers, u8

from ._extra import FlagLine
from ._wep import DEBUG, KEY_HANDLERS, KEY_ID, LONGEST_KEY, STRICT, WepElement, WepKey


class WepEncap(WepElement):
    __doc__ = f"""encrypts 802.11 frames by WEP

    Encrypts data frames and authentication frames by WEP (IEEE 802.11, 12.3.2) with a random initialization vector. Other frames, and
    packets shorter than 24 bytes, pass. WEP is broken: some minutes of listening reveal the key.

    Handlers:

      {KEY_HANDLERS}

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> WepEncap("\\<0123456789>", ACTIVE true)
            -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    args = (
        Optional("KEY", WepKey(), b"", 'up to 16 bytes, usually 5 or 13, as a string or, in hexadecimal digits, as in `"\\<0123456789>"`. '
            "Default is none"),
        Keyword("KEYID", KEY_ID, 0, "the number of the key, the byte after the initialization vector"),
        DEBUG,
        STRICT,
        Keyword("ACTIVE", Bool(), False, "whether to encrypt"),
    )
    state_types = {"vars": Vars(key=u8 * LONGEST_KEY, key_length=u8, keyid=u8, debug=u8, active=u8)}
    holds = ()

    active = field_handlers("vars", FlagLine())
