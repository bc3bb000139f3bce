"""All needs. Loading (life/loader.py) and its preview go through this table in its order, which matters twice: only the first refusal is
reported, and programs at the same hook are attached in this order."""

from clickbpf.load.devices.channels import Channels
from clickbpf.load.devices.diagnose import FreeHooks
from clickbpf.load.devices.fq import Pacing
from clickbpf.load.devices.frags import Buffers
from clickbpf.load.devices.frames import AllFrames, TagsInFrames
from clickbpf.load.devices.l3 import LinkHeaders
from clickbpf.load.devices.need import Need
from clickbpf.load.devices.refused import Refusals
from clickbpf.load.devices.spread import Spreading
from clickbpf.load.devices.tohost import ToLinux, ToSniffers
from clickbpf.load.devices.veth import FarEnds

NEEDS: tuple[Need, ...] = (
    LinkHeaders(),
    Spreading(),
    FreeHooks(),  # before sockets are opened: a device in use has queues in use, and these would be reported instead
    Buffers(),
    Channels(),
    AllFrames(),
    FarEnds(),
    TagsInFrames(),
    Pacing(),
    Refusals(),
    ToLinux(),
    ToSniffers(),  # at ingress, after the programs of ToLinux
)
