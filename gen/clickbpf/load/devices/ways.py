"""The ways by which packets of the runtime leave by devices (load/path/crossing.py)."""

AUTO, AF_XDP, RING = "auto", "af_xdp", "ring"
#: What --crossing takes; the first is the default, and the others are ways.
CHOICES = (AUTO, AF_XDP, RING)
