from clickbpf.declare import Integer, Keyword, Real, Required

from ._watching import QUEUES
from .red import RED

#: The least length to aim at.
LEAST_TARGET = 10


class AdaptiveRED(RED):
    """drops packets at random, so that the queues have a given length

    RED with a MIN_THRESH of half of TARGET and a MAX_THRESH of one and a half of it, whose MAX_P changes twice a second: it falls
    by a tenth while the average is below TARGET, and grows by 0.01, or a quarter if that is less, while it is above (Adaptive
    RED: Floyd, Gummadi and Shenker 2001). MAX_P stays between 0.01 and 0.5.

    Arguments:

      - QUEUES, STABILITY: as in RED.

    Ports: one input; one output, and perhaps a push output for dropped packets.

    Example:

        FromDevice(eth0) -> AdaptiveRED(25, 0.02) -> Queue(200) -> ToDevice(eth1);
    """

    args = (
        Required("TARGET", Integer(32, high=40000), "the length, in packets, that the queues should have; 10 at least"),
        Required("MAX_P", Real(16), "a real number from 0 to 1, to begin with"),
        QUEUES,
        Keyword("STABILITY", Integer(32), 4),
    )

    def configure(self) -> None:
        target = max(LEAST_TARGET, self.cfg.target)
        self.cfg.min_thresh, self.cfg.max_thresh, self.cfg.gentle = target // 2, target + target // 2, True
        super().configure()
