from clickbpf.declare import USER, Element


class Failing(Element):
    """can't be initialised"""

    ports, processing = "0/1", "h"
    runs = USER
