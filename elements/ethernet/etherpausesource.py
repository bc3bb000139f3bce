from clickbpf.declare import (
    ANEW, USER, Bool, Element, Ether, EtherAddress, Held, Integer, Keyword, Private, Required, Time, ether, reset_handler, s64, sum_handler,
    u8, u16, u64,
)

#: The destination of pause frames: the other end of the link, whatever its address (IEEE 802.3, annex 31B).
ALL_STATIONS = Ether.fromhex("0180c2000001")
LIMIT = Integer(32, signed=True)


class EtherPauseSource(Element, ports="0/1", runs=USER):
    """creates Ethernet pause frames

    A pause frame (IEEE 802.3, annex 31B) asks the device at the other end of the link to stop sending for a time. One is pushed
    every INTERVAL, the first after one INTERVAL; with a pull output, one is ready for each pull. It has 64 bytes, without a frame
    check sequence.

    Example: on a link of 1 Gbit/s, 390 times 512 ns are 200 us:

        EtherPauseSource(00:1e:13:22:48:91, 390, INTERVAL 10ms) -> Queue -> ToDevice(eth0);
    """

    args = (
        Required("SRC", EtherAddress(), "Ethernet address of the device that the frames leave by", setting="source"),
        Required("PAUSETIME", Integer(16), "how long to pause, 0 to 65535, in units of 512 bit times of the link", setting="source"),
        Keyword("DST", EtherAddress(), ALL_STATIONS, "destination address. Default 01-80-C2-00-00-01, which is reserved for pause "
            "frames", setting="source"),
        Keyword("LIMIT", LIMIT, -1, "frames to make; negative for no limit", setting="source", then="notify"),
        Keyword("ACTIVE", Bool(), True, "false to make none", setting="source", then="notify"),
        Keyword("INTERVAL", Time(3), 10**9, "time between frames, in milliseconds at the finest. Default 1 s"),
    )
    state_types = {
        "source": Private(count=u64, limit=s64, due=u64, pausetime=u16, src=ether, dst=ether, active=u8, waiting=u8),
    }
    holds = (Held("how many packets it has made", ANEW, ANEW),)

    count = sum_handler("source", text="frames made")
    reset_counts = reset_handler("source", "count", then="notify", text="sets `count` to 0, after which LIMIT more are made.")
