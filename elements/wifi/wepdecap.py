from clickbpf.declare import Optional

from ._wep import DEBUG, KEY_HANDLERS, KEY_ID, STRICT, WepElement, WepKey


class WepDecap(WepElement):
    __doc__ = f"""decrypts 802.11 frames that were encrypted by WEP

    Decrypts frames that say that they are encrypted, by WEP (IEEE 802.11, 12.3.2), and that name the key with the number KEYID. Frames
    whose checksum is wrong then, as they are with another key, are reported and pass, as in Click with a body that was decrypted in
    vain. Other frames pass as they are.

    Handlers:

      {KEY_HANDLERS}

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WepDecap("\\<0123456789>") -> WifiDecap -> Discard;
    """

    args = (
        Optional("KEY", WepKey(), b"", 'up to 16 bytes, usually 5 or 13, as a string or, in hexadecimal digits, as in `"\\<0123456789>"`. '
            "Default is none"),
        Optional("KEYID", KEY_ID, 0, "the number of the key, the byte after the initialization vector"),
        DEBUG,
        STRICT,
    )
