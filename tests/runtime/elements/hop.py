from clickbpf.declare import Element


class Hop(Element):
    """sends a packet on by output 1 while its first byte, which it counts down, is not zero, then by output 0"""

    ports, processing = "-/1-2", "a/ah"
