from clickbpf.declare import COUNTED, LOST, USER, Held, Private, u32

from ..common._table import TABLE, capacity
from ._extra import DEBUG, Debugged


class WifiDefrag(Debugged, runs=USER):
    """puts fragments of 802.11 frames together

    The fragments of a frame must come in order, without others of the same transmitter between them (IEEE 802.11, 10.5); if they
    don't, they are dropped. The whole frame leaves in the place of the last one, with the first one's header and annotations. Frames
    that aren't fragments, and packets shorter than 24 bytes, pass.

    Arguments:

      - CAPACITY: of how many transmitters fragments are kept. If there are more, those of one before are dropped. Default is 256. Fragments
        that make more than 64 kB together are dropped.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WifiDupeFilter -> WifiDefrag -> WifiDecap -> Discard;
    """

    args = (DEBUG, capacity(256))
    state_types = {**Debugged.state_types, "partials": Private(table=TABLE, hand=u32)}
    holds = (Held("fragments", COUNTED, LOST),)
