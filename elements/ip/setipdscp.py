from clickbpf.declare import BEARS_OFFLOADS, DSCP, MARKED, Reconfigurable, Required

#: The manual pages of the class for each version of IP.
MANUAL = """sets the DSCP field of {protocol} packets

    The differentiated services code point (RFC 2474) is the upper 6 bits of the {field}.
    A packet without a marked {protocol} header (Check{ip}Header, Mark{ip}Header) is dropped.

    Example: expedited forwarding:

        FromDevice(eth0) -> Strip(14) -> Check{ip}Header -> {name}(ef) -> Discard;
    """


class SetIPDSCP(Reconfigurable, traits=BEARS_OFFLOADS):
    __doc__ = MANUAL.format(name="SetIPDSCP", protocol="IP", ip="IP", field="TOS byte; the header's checksum is updated")
    same_form = True
    takes = (MARKED,)
    replaced = {"dscp": "DSCP"}
    args = (Required("DSCP", DSCP(), setting="vars", text="0 to 63, or a name: ef, af11 to af43, cs0 to cs7, le"),)
