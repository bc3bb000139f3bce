from clickbpf.declare import USER, Element, Integer, Keyword, Optional, String


class PrintTXFeedback(Element, runs=USER):
    """prints reports on packets that were sent

    Prints a line for every packet, on standard error: LABEL and a colon, or the class's name; the packet's time and destination
    address; and from the annotation WIFI_EXTRA flags, rate and number of tries, the second rate and its number of tries, retries
    and collisions.

    Example:

        FromDevice(eth0) -> RadiotapDecap -> sent :: FilterTX -> Discard;
        sent[1] -> PrintTXFeedback(sent, OFFSET 4) -> Discard;
    """

    annotations = ("TIMESTAMP",)
    args = (
        Optional("LABEL", String(), "", "a text"),
        Keyword("OFFSET", Integer(16), 0, "the offset of the destination's Ethernet address: 4 in 802.11 frames"),
    )
    derived = {"label": ("const char *", lambda self: self.cfg.label)}
