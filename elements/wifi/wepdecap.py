from __future__ import annotations

from clickbpf.args import Optional

from ._wep import DEBUG, KEY_HANDLERS, KEY_ID, KEY_TEXT, STRICT, WepElement, WepKey


class WepDecap(WepElement):
    __doc__ = f"""decrypts 802.11 frames that were encrypted by WEP

    Synopsis: `WepDecap([KEY, KEYID, STRICT ..., DEBUG ...])`

    Decrypts frames that say that they are encrypted, by WEP (IEEE 802.11, 12.3.2), and that name the key with the number KEYID. Frames
    whose checksum is wrong then, as they are with another key, are reported and pass, as in Click with a body that was decrypted in
    vain. Other frames pass as they are.

    Arguments:

      {KEY_TEXT}
      - STRICT, DEBUG: Boolean. Mean nothing.

    Ports: one input, one output.

    Handlers:

      {KEY_HANDLERS}

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WepDecap("\\<0123456789>") -> WifiDecap -> Discard;
    """

    args = (Optional("KEY", WepKey(), b""), Optional("KEYID", KEY_ID, 0), DEBUG, STRICT)
