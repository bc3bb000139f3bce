from __future__ import annotations

from collections.abc import Iterable, Mapping

from clickbpf.args import ArgError, DeviceName, Rest
from clickbpf.args.devices import LinuxRoute

from ._fibtable import FibTable
from ._route import Route
from ._routes import Routes

#: Without CAPACITY. Not a matter of Linux's routes: a router that takes another's place may find more.
CAPACITY = 1024


class LinuxIPLookup(FibTable):
    """looks up the next hop in Linux's routing table

    Synopsis: `LinuxIPLookup(DEVICE, ..., [CAPACITY ..., CHUNKS ...])`

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest prefix:
    output 0 if it leads to the first DEVICE, output 1 if to the second one, and so on. If that route has a gateway, it becomes the
    new destination annotation. A packet without a route leaves by the output after all these; if there is none, it is dropped.

    The routes are those that `ip route` shows when the configuration is read, as addresses of devices are; a hot swap reads
    them again. Of several routes for a prefix the one with the best metric counts, of several ways the first. Routes to other
    devices are left out, with a warning.

    Arguments:

      - DEVICE: a network device.
      - CAPACITY, CHUNKS: room for routes, as RadixIPLookup has it. Default CAPACITY is 1024.

    Ports: one push input; an output for each DEVICE, and perhaps one for packets without a route.

    Handlers: those of RadixIPLookup. `table` and `lookup` report the routes; `add`, `set`, `remove`, `ctrl` and `flush` change
    them here, not in Linux.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> rt :: LinuxIPLookup(eth0, eth1);
        rt[0] -> Discard;
        rt[1] -> Discard;
        rt[2] -> ICMPError(10.0.0.1, unreachable, net) -> Discard;
    """

    args = (Rest("DEVICE", DeviceName()), *FibTable.args[1:])

    def configure(self) -> None:
        named = len(self.cfg.device)
        if self.noutputs not in (named, named + 1):
            raise ArgError(f"need {named} or {named + 1} output ports", "one for each device, and one for packets without a route")
        output = {device: number for number, device in reversed(list(enumerate(self.cfg.device)))}
        found = self.context.names.devices.routes()
        self.cfg.route = Routes.of(_route(route, output[route.device]) for route in found if route.device in output)
        self.cfg.elsewhere = tuple(route for route in found if route.device not in output)
        if self.cfg.capacity is None:
            self.cfg.capacity = CAPACITY
        super().configure()

    def warnings(self) -> Iterable[ArgError]:
        for device in sorted({route.device for route in self.cfg.elsewhere}):
            yield ArgError(f"no output for dev {device}", "routes to it are left out")

    def constants(self) -> Mapping[str, tuple[str, str]]:
        return {"devices": ("int", str(len(self.cfg.device)))}


def _route(route: LinuxRoute, output: int) -> Route:
    return Route(int(route.prefix.network), int(route.prefix.mask), int(route.gateway or 0), output)
