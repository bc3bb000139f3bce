"""What a class promises, and what is special about it: `class Tee(Element, ports="1/-", traits=BEARS_OFFLOADS | ONLY_COPIES)`.

The traits of a class take the place of those that it inherits. configure() may change them where they depend on arguments:
`self.traits |= ALWAYS_TAKES`.
"""

from enum import Flag, auto, global_enum


@global_enum
class Trait(Flag):
    NONE = 0
    #: On TC: it does to TCP segments that the kernel has joined into one packet what it would do to each of them, and treats packets
    #: whose checksum a device is to finish like others. So it looks at headers only, and among these not at lengths, IP
    #: identifications, or TCP's sequence numbers, flags and checksum, except by pkt_packets() and the like; and it changes neither
    #: data nor anything that TCP's checksum covers.
    BEARS_OFFLOADS = auto()
    #: configure() finds out whether it BEARS_OFFLOADS.
    MAY_BEAR_OFFLOADS = auto()
    #: It finds out where an IP packet ends and how long its header is. In the kernel, packets without options and padding, for which
    #: SELF(plain) in its C file is true, go through a copy of it and of the path that follows, in which both are constants, if the
    #: program has room for that.
    PARTS_PLAIN = auto()
    #: It leaves version, header length and protocol of a packet's IP header as they are, wherever they stand, IPv6 addresses that are
    #: common (ip6/ip6.h) common, and the packet no shorter than its header. In the kernel what is known of them stays known to those
    #: that follow. Classes that look only do so anyhow.
    KEEPS_HEADER = auto()
    #: In the kernel it changes neither the bytes of a packet nor its start and end, and passes all packets on by output 0 (or sends
    #: them), or chooses where each one goes, if anywhere. Copies that only meet such classes can leave by one redirect
    #: (plan/copies.py). If it gives packets up, its GIVES_UP predicts that.
    PASSES = auto()
    CHOOSES = auto()
    LOOKS = PASSES | CHOOSES
    #: It copies all packets: then it runs in user space if the kernel can't make the copies. Other classes PUNT.
    ONLY_COPIES = auto()
    #: The device that it reads is to take frames for all Ethernet addresses.
    PROMISCUOUS = auto()
    #: Named arguments may come before unnamed ones.
    NAMES_ANYWHERE = auto()
    #: It has nothing to do where a device's own ring holds the packets that wait: a storage between push and pull, which the ring
    #: replaces (Queue; joined() gives one the room of many), or an element that acts on how many packets wait in those it watches (RED).
    ELIDABLE = auto()
    #: It only decides which of the packets that wait at its inputs is the next one (RoundRobinSched).
    ONLY_DECIDES = auto()
    #: It pulls packets as soon as there are any (Unqueue), with the arguments that it has.
    ALWAYS_TAKES = auto()
    #: Packets that arrive here go up the Linux stack (ToHost), or are shown to packet sockets only (ToHostSniffers).
    GIVES_TO_HOST = auto()
    GIVES_TO_SNIFFERS = auto()
    #: Its handler `count` is not the number of all packets that go through it.
    COUNTS_OTHERWISE = auto()
    #: Its C file calls set_full() when it has no room.
    NOTIFIES_FULL = auto()
    #: It decides when the driver stops, by driver_stops(). A router has at most one such element.
    MANAGES_DRIVER = auto()
    #: Its C file handles several threads by itself (lock() in element.h).
    THREAD_SAFE = auto()
    #: In the kernel, too, its C file reads the state of the elements that it works_on(): it runs there only if all of them do.
    READS_OTHERS = auto()
    #: It passes packets on and does nothing else (Null).
    DOES_NOTHING = auto()
    #: It marks ports that no packet is meant to pass (Idle).
    STANDS_IDLE = auto()
    #: All outputs are alike (Tee), or only the inputs' order counts (PrioSched): ports that lead nowhere, or that nothing comes from,
    #: can be removed.
    SPARE_OUTPUTS = auto()
    SPARE_INPUTS = auto()
    #: Few packets meet it: in the kernel it then has a program of its own, so that neither it, nor a path that leads back from it,
    #: makes the paths of other packets longer (plan/cut.py).
    SELDOM = auto()


__all__ = [*Trait.__members__]
