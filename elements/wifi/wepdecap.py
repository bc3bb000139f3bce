from clickbpf.declare import Optional

from ._wep import DEBUG, KEY_HANDLERS, KEY_ID, STRICT, WepElement, WepKey


class WepDecap(WepElement):
    __doc__ = f"""decrypts 802.11 frames that were encrypted by WEP

    Decrypts frames that are marked as encrypted, by WEP (IEEE 802.11, 12.3.2), with the key number KEYID. A frame whose checksum is
    wrong after that, for instance because of another key, is reported and passes with its garbled body, as in Click. Other frames
    pass unchanged.

    Handlers:

      {KEY_HANDLERS}

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WepDecap("\\<0123456789>") -> WifiDecap -> Discard;
    """

    args = (
        Optional("KEY", WepKey(), b"", 'up to 16 bytes, usually 5 or 13, as a string or, in hexadecimal digits, as in `"\\<0123456789>"`. '
            "Default is none"),
        Optional("KEYID", KEY_ID, 0, "the number of the key, the byte after the initialization vector"),
        DEBUG,
        STRICT,
    )
