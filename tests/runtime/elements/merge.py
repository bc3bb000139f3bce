from clickbpf.declare import PULL, USER, Element


class Merge(Element):
    """pulls from its inputs, the first that has a packet"""

    ports, processing = "-/1", PULL
    runs = USER
