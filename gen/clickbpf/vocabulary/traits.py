"""Traits: a class's promises and peculiarities, `class Tee(Element, ports="1/-", traits=BEARS_OFFLOADS | ONLY_COPIES)`.

A class's traits replace those that it inherits. configure() may change them where they depend on arguments:
`self.traits |= ALWAYS_TAKES`.
"""

from enum import Flag, auto, global_enum


@global_enum
class Trait(Flag):
    NONE = 0
    #: On TC: it treats a packet that the kernel has joined from TCP segments as it would treat each segment, and packets whose checksum
    #: a device has to complete like others. So it only reads headers, and of these no lengths, IP identifications, or TCP sequence
    #: numbers, flags and checksums, except by pkt_packets() and similar functions; and it changes neither data nor anything that TCP's
    #: checksum covers.
    BEARS_OFFLOADS = auto()
    #: configure() decides whether it BEARS_OFFLOADS.
    MAY_BEAR_OFFLOADS = auto()
    #: It determines the end of an IP packet and the length of its header. In the kernel, packets without options and padding, for which
    #: SELF(plain) in its C file is true, get a copy of this element and of the path after it in which both are constants, if they fit
    #: into the program.
    PARTS_PLAIN = auto()
    #: It keeps version, header length and protocol of a packet's IP header, even if it moves the header; common IPv6 addresses
    #: (ip6/ip6.h) stay common; and the packet isn't cut within the header. So in the kernel, facts about these stay valid for the elements
    #: after it. Classes of LOOKS keep the header anyway.
    KEEPS_HEADER = auto()
    #: In the kernel it changes neither the bytes of a packet nor its start and end. PASSES: it passes all packets on by output 0, or sends
    #: them. CHOOSES: it chooses an output for each packet, or drops it. Copies that only meet such classes can leave by one redirect
    #: (plan/copies.py). If the class gives packets up, its GIVES_UP predicts it.
    PASSES = auto()
    CHOOSES = auto()
    LOOKS = PASSES | CHOOSES
    #: It copies every packet, so it runs in user space if the kernel can't make the copies. Other classes PUNT single packets.
    ONLY_COPIES = auto()
    #: The device that it reads has to accept frames for all Ethernet addresses.
    PROMISCUOUS = auto()
    #: Named arguments may come before unnamed ones.
    NAMES_ANYWHERE = auto()
    #: It has nothing to do where packets wait in a device's own ring: a storage between push and pull, which the ring replaces (Queue;
    #: joined() makes one of several), or an element that acts on the number of packets in the storages that it watches (RED).
    ELIDABLE = auto()
    #: It only decides which of the packets that wait at its inputs is the next one (RoundRobinSched).
    ONLY_DECIDES = auto()
    #: With these arguments it pulls packets as soon as there are any (Unqueue).
    ALWAYS_TAKES = auto()
    #: Packets that arrive here are for Linux's stack (ToHost), or for its packet sockets only (ToHostSniffers).
    GIVES_TO_HOST = auto()
    GIVES_TO_SNIFFERS = auto()
    #: Its handler `count` isn't the number of all packets that pass it.
    COUNTS_OTHERWISE = auto()
    #: Sources sleep while it is full.
    NOTIFIES_FULL = auto()
    #: One thread may push into it and another one pull from it at once: each side has a lock of its own, if several threads use that
    #: side.
    TWO_SIDED = auto()
    #: It decides when the driver stops, by driver_stops(). A router has at most one such element.
    MANAGES_DRIVER = auto()
    #: Its C file handles several threads by itself (lock() in element.h).
    THREAD_SAFE = auto()
    #: Its C file reads the state of the elements that it works_on() in the kernel, too: it runs there only if all of them do.
    READS_OTHERS = auto()
    #: It only passes packets on (Null).
    DOES_NOTHING = auto()
    #: It marks ports that no packet should pass (Idle).
    STANDS_IDLE = auto()
    #: All outputs are equal (Tee), or only the inputs' order matters (PrioSched): ports that lead nowhere, or that nothing comes from,
    #: can be removed.
    SPARE_OUTPUTS = auto()
    SPARE_INPUTS = auto()
    #: Few packets meet it. In the kernel it is a program of its own, so that neither it, nor a path that leads back from it, makes the
    #: programs of other packets larger (plan/cut.py).
    SELDOM = auto()


__all__ = [*Trait.__members__]
