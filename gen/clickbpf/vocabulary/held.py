"""What elements hold besides their arguments: packets that wait, and facts that they have learnt or agreed on with others.

A class declares the fate of all that it holds (`Element.holds`), with an entry for each kind of thing:

    holds = (Held("packets that wait for an answer", KEPT, LOST), Held("addresses", KEPT, KEPT))

The first fate is that in a hot swap, if the new router has an element of the same name and class; the second when the runtime's process
dies or is stopped, and another one goes on with the router (`load --resume`, `load --runtime-only`).
"""

from enum import StrEnum

from clickbpf.frozen import frozen


class Fate(StrEnum):
    """The fate of something that an element holds."""

    #: The new element has it.
    KEPT = "kept"
    #: Packets only: they are drops of the element, with the reason ENDED.
    COUNTED = "dropped, counted"
    #: Packets that aren't counted, since their process was killed; and other things that can't be restored.
    LOST = "lost"
    #: Forgotten, and learnt again from packets, from others or in time.
    ANEW = "begins anew"


KEPT, COUNTED, LOST, ANEW = Fate


@frozen
class Held:
    """One kind of thing that an element holds, and its fates."""

    what: str
    swap: Fate
    death: Fate
