"""The kernel's hooks that a router's programs can be attached to."""

XDP, TC = "xdp", "tc"
HOOKS = (XDP, TC)
