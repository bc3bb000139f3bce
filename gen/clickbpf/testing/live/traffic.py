"""Packets for a router: wild ones, plain ones that get far, packets again, and answers to what it has sent."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from clickbpf.testing.packets import Mix, frame
from clickbpf.testing.packets.mix import weights
from clickbpf.testing.record import Output

#: Shortest and longest frame that devices take.
SHORTEST, LONGEST = 14, 1514
#: Ethernet types of VLAN tags: 802.1Q, 802.1ad.
VLAN = (b"\x81\0", b"\x88\xa8")
#: Of 100 packets, the numbers of plain ones, of repeated ones, and of answers to the router's packets; the others are wild.
PLAIN, AGAIN, BACK = 35, 20, 15
#: The most steps after which a packet is repeated or answered.
RECENT = 30
#: Of 100 packets, the number with the Ethernet address of the device they arrive on.
ADDRESSED = 75


class Traffic:
    """The packets of a seed, one for each step. `macs` are the input devices, with their Ethernet addresses."""

    def __init__(self, seed: int, macs: Mapping[str, bytes], mix: Mix):
        self._seed, self._macs, self._mix = seed, dict(macs), mix
        plain = weights(udp=4, tcp=4, icmp=2)
        self._plain = replace(mix, links=weights(ethernet=1), transports=plain, options=0, wrong=0, trimmed=0, damaged=0)
        self._earlier: list[tuple[str, bytes]] = []

    def arrival(self, step: int, left: Sequence[Sequence[Output]]) -> tuple[str, bytes]:
        """The packet of a step and its device. `left` has the router's packets in the earlier steps, for answers; multicasts, which a
        router may send on its own, are ignored."""
        random = Random(f"{self._seed} {step}")
        device, drawn = random.choice(list(self._macs)), random.randrange(100)
        caused = left[random.randrange(max(0, step - RECENT), step)] if step else ()
        answerable = [output for output in caused if output.device in self._macs and is_whole(output.data) and not output.data[0] & 1]
        if drawn < AGAIN and self._earlier:
            made = random.choice(self._earlier[-RECENT:])
        elif drawn < AGAIN + BACK and answerable:
            sent = min(answerable, key=lambda output: (output.device, output.data))
            made = sent.device, turned(sent.data)
        else:
            made = device, self._new(random, device, self._plain if drawn < AGAIN + BACK + PLAIN else self._mix)
            self._earlier.append(made)
        return made

    def _new(self, random: Random, device: str, mix: Mix) -> bytes:
        made = b""
        while not is_whole(made):
            made = frame(random, mix)
        if random.randrange(100) < ADDRESSED and not made[0] & 1:
            made = self._macs[device] + made[6:]
        return made


def is_whole(frame: bytes) -> bool:
    """Whether programs on all hooks see the frame: Linux drops a frame that ends within its VLAN tag before TC sees it."""
    return SHORTEST <= len(frame) <= LONGEST and (frame[12:14] not in VLAN or len(frame) >= SHORTEST + 4)


def turned(frame: bytes) -> bytes:
    """The other end's answer to a frame: source and destination are exchanged at all layers, and an echo request becomes a reply.
    Exchanging words doesn't change checksums."""
    made = bytearray(frame)
    made[0:6], made[6:12] = frame[6:12], frame[0:6]
    if made[12:14] == b"\x08\0" and len(made) >= 34 and made[14] >> 4 == 4:
        made[26:30], made[30:34] = made[30:34], made[26:30]
        _turn_transport(made, 14 + 4 * (made[14] & 15), made[23], 1, 8, 0)
    elif made[12:14] == b"\x86\xdd" and len(made) >= 54:
        made[22:38], made[38:54] = made[38:54], made[22:38]
        _turn_transport(made, 54, made[20], 58, 128, 129)
    return bytes(made)


def _turn_transport(made: bytearray, at: int, protocol: int, icmp: int, request: int, reply: int) -> None:
    if protocol in (6, 17) and len(made) >= at + 4:
        made[at : at + 2], made[at + 2 : at + 4] = made[at + 2 : at + 4], made[at : at + 2]
    elif protocol == icmp and len(made) >= at + 8 and made[at] == request:
        made[at] = reply
        # The type is the high byte of a 16-bit word: the sum changes by the difference (RFC 1624).
        sum_ = ~int.from_bytes(made[at + 2 : at + 4], "big") & 0xFFFF
        sum_ += 0xFFFF - (request << 8) + (reply << 8)
        sum_ = (sum_ & 0xFFFF) + (sum_ >> 16)
        made[at + 2 : at + 4] = (~((sum_ & 0xFFFF) + (sum_ >> 16)) & 0xFFFF).to_bytes(2, "big")
