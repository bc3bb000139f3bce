from clickbpf.declare import Element


class Facts(Element):
    """replaces the packet by what it knows about it: a record for tests"""


#: device, type, header offsets from the data (-1000 if unset), length before, then the 48 annotation bytes and the data.
FORMAT = "<iiiiii48s"
