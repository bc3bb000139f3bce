from clickbpf.declare import USER, Element, Integer, Private, Required, u64


class Numbered(Element):
    """pushes LIMIT packets of 8 bytes, their numbers from 1, as fast as it is scheduled and a Queue has room"""

    ports, processing = "0/1", "h"
    runs = USER
    args = (Required("LIMIT", Integer(64)),)
    state_types = {"numbered": Private(count=u64)}
