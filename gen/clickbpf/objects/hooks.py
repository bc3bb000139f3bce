"""The kernel's hooks that a router's programs can be attached to."""

XDP, TC = "xdp", "tc"
HOOKS = (XDP, TC)
#: The section of XDP programs that take frames in several buffers; others are in one of their hook's name.
FRAGS_SECTION = "xdp.frags"
#: How many maps the kernel lets a program use.
MOST_MAPS = 64
