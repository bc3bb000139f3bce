from clickbpf.declare import ANNOTATIONS, BEARS_OFFLOADS, PUSH, Anno, Element, Optional


class PaintRR(Element, ports="1/1-", processing=PUSH, traits=BEARS_OFFLOADS):
    """spreads packets over its outputs by their paint annotation

    A class of FastClick. A packet of colour K leaves by output K modulo the number of outputs. So, unlike in PaintSwitch, every
    colour has an output.

    Example:

        FromDevice(eth0) -> Paint(7) -> s :: PaintRR;
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    args = (Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0], "an annotation of one byte, by name or offset. Default PAINT"),)
