from clickbpf.declare import ANNOTATIONS, BEARS_OFFLOADS, PUSH, Anno, Copies, Element, Optional


class PaintSwitch(Element, ports="1/-", processing=PUSH, traits=BEARS_OFFLOADS):
    """sends packets to the output that their paint annotation names

    A packet of colour K leaves by output K, or is dropped if there is no such output. Copies of a packet of colour 255 leave by
    every output; the kernel path makes them under the conditions of Tee, and otherwise hands such packets over.

    Example: replies go back to where the packets came from:

        FromDevice(eth0) -> Paint(0) -> work :: Null;
        FromDevice(eth1) -> Paint(1) -> work;
        work -> back :: PaintSwitch;
        back[0] -> Queue -> ToDevice(eth0);
        back[1] -> Queue -> ToDevice(eth1);
    """

    same_form = True
    args = (Optional("ANNO", Anno(1), ANNOTATIONS["PAINT"][0], "an annotation of one byte, by name or offset. Default PAINT"),)

    def copies(self) -> Copies:
        return [range(self.noutputs)]
