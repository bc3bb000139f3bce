from clickbpf.declare import STANDS_IDLE, Element, Form


class Idle(Element, ports="-/-", flow="x/y", traits=STANDS_IDLE):
    """produces no packets and drops those it gets

    For ports that would otherwise be unconnected. It never pushes or pulls, returns no packet when pulled, and drops packets pushed
    to it. An element that pulls from it sleeps forever.

    Example:

        FromDevice(eth0) -> switch :: StaticSwitch(0);
        switch[0] -> Discard;
        switch[1] -> Idle;
    """

    aliases = ("SimpleIdle",)
    weight = 5

    def gives(self, form: Form | None) -> None:
        return None
