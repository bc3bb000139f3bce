"""Where packets leave the kernel path: ToDevice and ToHost."""

from clickbpf.testing.reach import Reach

PUNTS = [
    Reach("ToDevice(out)", noutputs=0, before="Strip(50) -> Queue"),
    Reach("ToHost", noutputs=0, before="Strip(50)"),
]
