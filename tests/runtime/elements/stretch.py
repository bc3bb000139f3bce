from clickbpf.declare import Element, Integer, Keyword


class Stretch(Element):
    """adds FRONT bytes of 'f' before the packet and BACK bytes of 'b' after it; drops it where there is no memory"""

    args = (Keyword("FRONT", Integer(), 0), Keyword("BACK", Integer(), 0))
