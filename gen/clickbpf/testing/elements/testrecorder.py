"""TestRecorder, with which the harness sees annotations and header offsets of packets."""

from clickbpf.declare import PUSH, USER, Element


class TestRecorder(Element):
    """puts a record of a packet's annotations in front of it

    Synopsis: `TestRecorder`

    Only for tests: the harness puts one after the elements under test, and reads the record from what the router sends.
    It runs in user space, so in a router whose other elements run in the kernel its packets are handed over, and what it
    records is what crossed.

    Ports: any number of push inputs, whose numbers are recorded; one push output.

    The record has 64 bytes, in network byte order: a magic number (4 bytes), the input (1), the packet type (1), the device's
    index or -1 (2), the offsets of the MAC, network and transport headers from the start of the data (2 each, -32768 if
    unset), two zero bytes, and the 48 annotation bytes as they are in memory.

        FromDevice(eth0) -> Paint(3) -> TestRecorder -> Queue -> ToDevice(eth1);
    """

    __test__ = False

    ports = "-/1"
    processing = PUSH
    runs = USER
