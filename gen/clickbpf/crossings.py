"""How packets of the runtime can leave by devices (load/path/crossing.py)."""

AUTO, AF_XDP, RING = "auto", "af_xdp", "ring"
#: The values of --crossing, the default first.
CHOICES = (AUTO, AF_XDP, RING)
#: How they leave by a device that has left the router's network namespace, whether it has come back or not: not at all.
GONE = "gone"
