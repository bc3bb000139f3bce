"""The kernel's hooks to which a router's programs can be attached."""

XDP, TC = "xdp", "tc"
HOOKS = (XDP, TC)
#: The section of XDP programs that take frames in several buffers; others are in one of their hook's name.
FRAGS_SECTION = "xdp.frags"
#: The most maps that a program can use (MAX_USED_MAPS of the kernel).
MOST_MAPS = 64
