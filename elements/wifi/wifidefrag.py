from clickbpf.declare import COUNTED, LOST, USER, Held, Private, u32

from ..common._table import TABLE, capacity
from ._extra import DEBUG, Debugged


class WifiDefrag(Debugged, runs=USER):
    """puts fragments of 802.11 frames together

    The fragments of a frame must arrive in order, without other fragments of the same transmitter between them (IEEE 802.11, 10.5);
    otherwise they are dropped. The whole frame leaves once the last fragment has arrived, with the first fragment's header and
    annotations. Frames that aren't fragments, and packets shorter than 24 bytes, pass. Fragments of more than 64 kB
    together are dropped.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WifiDupeFilter -> WifiDefrag -> WifiDecap -> Discard;
    """

    args = (DEBUG, capacity(256, "how many transmitters' fragments are kept. A further one's replace an earlier one's"))
    state_types = {**Debugged.state_types, "partials": Private(table=TABLE, hand=u32)}
    holds = (Held("fragments", COUNTED, LOST),)
