from __future__ import annotations

from clickbpf.args import Integer, Keyword, Optional, String
from clickbpf.objects.ctext import c_string
from clickbpf.vocabulary.element import USER, Element


class PrintTXFeedback(Element):
    """prints reports on packets that were sent

    Synopsis: `PrintTXFeedback([LABEL, OFFSET ...])`

    Prints a line for every packet, on standard error: LABEL and a colon, or the class's name; the packet's time, the address to which it
    was sent, and of the annotation WIFI_EXTRA flags, rate and number of tries, the second rate and its number of tries, retries and
    collisions.

    Arguments:

      - LABEL: a text.
      - OFFSET: where the destination's Ethernet address is in a packet: 4 in 802.11 frames. Default is 0.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> RadiotapDecap -> sent :: FilterTX -> Discard;
        sent[1] -> PrintTXFeedback(sent, OFFSET 4) -> Discard;
    """

    runs = USER
    annotations = ("TIMESTAMP",)
    args = (Optional("LABEL", String(), ""), Keyword("OFFSET", Integer(16), 0))

    def constants(self) -> dict[str, tuple[str, str]]:
        return {"label": ("const char *", c_string(self.cfg.label))}
