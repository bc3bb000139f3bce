from clickbpf.declare import Integer, Keyword, Real, Required

from ._watching import QUEUES
from .red import RED

#: The least TARGET.
LEAST_TARGET = 10


class AdaptiveRED(RED):
    """drops packets at random to keep queues at a given length

    RED with a MIN_THRESH of half of TARGET and a MAX_THRESH of one and a half times TARGET. MAX_P adapts twice a second: it falls
    by a tenth while the average is below TARGET, and grows by 0.01, or a quarter if that is less, while it is above (Adaptive RED:
    Floyd, Gummadi and Shenker 2001). MAX_P stays between 0.01 and 0.5.

    Arguments:

      - QUEUES, STABILITY: as in RED.

    Ports: one input; one output, and perhaps a push output for dropped packets.

    Example: FromDevice(eth0) -> AdaptiveRED(25, 0.02) -> Queue(200) -> ToDevice(eth1);
    """

    args = (
        Required("TARGET", Integer(32, high=40000), "the desired length of the queues in packets, at least 10"),
        Required("MAX_P", Real(16), "the initial value, a real number from 0 to 1"),
        QUEUES,
        Keyword("STABILITY", Integer(32), 4),
    )

    def configure(self) -> None:
        target = max(LEAST_TARGET, self.cfg.target)
        self.cfg.min_thresh, self.cfg.max_thresh, self.cfg.gentle = target // 2, target + target // 2, True
        super().configure()
