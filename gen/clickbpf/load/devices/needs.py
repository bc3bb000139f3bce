"""All needs, in the order in which loading meets them: what is refused first hides what is refused later, and programs that packets
meet at the same place are attached in this order. Loading (life/loader.py) and its preview walk through the table."""

from clickbpf.load.devices.diagnose import FreeHooks
from clickbpf.load.devices.fq import Pacing
from clickbpf.load.devices.frags import Buffers
from clickbpf.load.devices.l3 import LinkHeaders
from clickbpf.load.devices.need import Need
from clickbpf.load.devices.promiscuous import AllFrames
from clickbpf.load.devices.refused import Refusals
from clickbpf.load.devices.spread import Spreading
from clickbpf.load.devices.tohost import ToLinux, ToSniffers
from clickbpf.load.devices.veth import FarEnds
from clickbpf.load.devices.vlan import TagsInFrames

NEEDS: tuple[Need, ...] = (
    LinkHeaders(),
    Spreading(),
    FreeHooks(),  # before sockets are opened, since queues of a device in use are in use, too, which would be reported instead
    Buffers(),
    AllFrames(),
    FarEnds(),
    TagsInFrames(),
    Pacing(),
    Refusals(),
    ToLinux(),
    ToSniffers(),  # after the programs of ToLinux on the way in
)
