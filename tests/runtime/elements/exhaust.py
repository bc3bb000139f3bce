from clickbpf.declare import PUSH, USER, Element


class Exhaust(Element):
    """pushes packets on while there is no memory for another"""

    runs = USER
    ports = "1-/="
    processing = PUSH
    flow = "#/#"
