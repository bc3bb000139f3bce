from clickbpf.declare import PUSH, Integer, Reconfigurable, Required, Vars, field_handlers, s32

THRESHOLD = Integer(signed=True)


class Block(Reconfigurable, ports="1/2", processing=PUSH):
    """separates packets of a high rate from others

    Packets with a forward rate annotation, FWD_RATE, of at most THRESH leave by output 0, others by output 1. If THRESH is 0, all
    packets leave by output 0. IPRateMonitor sets the annotation.

    Example:

        FromDevice(eth0) -> b :: Block(500);
        b[0] -> Queue -> ToDevice(eth1);
        b[1] -> Discard;
    """

    same_form = True
    args = (Required("THRESH", THRESHOLD, "a rate, in the annotation's unit: packets or bytes per second"),)
    state_types = {"vars": Vars(thresh=s32)}

    thresh = field_handlers("vars", THRESHOLD, wrong="not an integer")
