from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import PUSH, USER

from ._extra import DEBUG, Debugged


class WifiFragment(Debugged):
    """divides 802.11 frames into fragments

    Synopsis: `WifiFragment([MTU, DEBUG ...])`

    Frames with more than MTU bytes after the header of 24 bytes become several, each with the header, its number in the lowest four bits
    of the sequence number, and the flag "more fragments", unless it is the last one (IEEE 802.11, 10.4). Fragments have no annotations.

    Arguments:

      - MTU: a number of bytes, at most 65535. Default, and the meaning of 0, is to divide nothing.
      - DEBUG: Boolean. Means nothing.

    Ports: one push input, one push output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> WifiSeq -> WifiFragment(500) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    processing = PUSH
    runs = USER
    args = (Optional("MTU", Integer(16), 0), DEBUG)
