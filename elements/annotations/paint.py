from clickbpf.declare import BEARS_OFFLOADS, PASSES, Reconfigurable

from ._paint import PaintElement


class Paint(Reconfigurable, PaintElement, traits=BEARS_OFFLOADS | PASSES):
    """sets packets' paint annotation

    Example: packets remember which device they came from:

        FromDevice(eth0) -> Paint(1) -> in :: Null;
        FromDevice(eth1) -> Paint(2) -> in;
        in -> Discard;
    """

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 1),)
