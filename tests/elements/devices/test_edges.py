"""Where packets leave the kernel path: ToDevice and ToHost."""

from clickbpf.testing.reach import Reach

#: What the kernel path gives up, beside what the manual page's example does.
PUNTS = [
    Reach("ToDevice(out)", noutputs=0, before="Strip(50) -> Queue"),
    Reach("ToHost", noutputs=0, before="Strip(50)"),
]
