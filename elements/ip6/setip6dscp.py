from ..ip.setipdscp import MANUAL, SetIPDSCP


class SetIP6DSCP(SetIPDSCP):
    __doc__ = MANUAL.format(name="SetIP6DSCP", protocol="IPv6", ip="IP6", field="traffic class")
