from ..ip.setipecn import MANUAL, SetIPECN


class SetIP6ECN(SetIPECN):
    __doc__ = MANUAL.format(name="SetIP6ECN", protocol="IPv6", ip="IP6", field="traffic class")
