from clickbpf.declare import BEARS_OFFLOADS, CHOOSES

from ._paint import PaintElement


class CheckPaint(PaintElement, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | CHOOSES):
    """separates packets of one paint annotation from others

    Packets of that colour leave by output 0. Others leave by output 1, or are dropped if that isn't connected.

    Example: FromDevice(eth0) -> Paint(1) -> CheckPaint(1) -> Discard;
    """
