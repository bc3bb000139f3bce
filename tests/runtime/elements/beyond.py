from clickbpf.declare import USER, Element


class Beyond(Element):
    """writes after the packet's end: for tests of what watches"""

    runs = USER
