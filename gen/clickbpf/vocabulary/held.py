"""What elements hold besides their arguments: packets that wait, and what they have learnt or agreed on with others.

A class that holds something declares what becomes of it (`Element.holds`), in a line for each kind of thing:

    holds = (Held("packets that wait for an answer", KEPT, LOST), Held("addresses", KEPT, KEPT))

first when another router takes this one's place by a hot swap and has an element of that name and class, then when the runtime's process
dies, or is stopped, and another one goes on with the router (`load --resume`, `load --runtime-only`).
"""

from enum import StrEnum

from clickbpf.frozen import frozen


class Fate(StrEnum):
    """What becomes of something that an element holds."""

    #: The element goes on with it.
    KEPT = "kept"
    #: Packets only: drops of the element, with the reason ENDED.
    COUNTED = "dropped, counted"
    #: Packets that nothing counts, since their process was killed; or what nobody can give back.
    LOST = "lost"
    #: Forgotten; packets, time or others teach it again.
    ANEW = "begins anew"


KEPT, COUNTED, LOST, ANEW = Fate


@frozen
class Held:
    """One kind of thing that an element holds, and its fate."""

    what: str
    swap: Fate
    death: Fate
