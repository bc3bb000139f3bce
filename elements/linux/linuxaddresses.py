import socket
import sys

from clickbpf.declare import USER, ClickError, DeviceName, Element, HandlerCall, Keyword, Private, Required, read_handler, s32

from ._netlink import opened

#: RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR.
GROUPS = 1, 5, 9


class LinuxAddresses(Element, ports="0/0", processing="a/a", runs=USER):
    """tells other elements of Linux's addresses of a device when they change

    When the router begins, and whenever an IP address or the Ethernet address of DEVICE has become another one, by DHCP or `ip
    address`, CALL is written, mostly to a Script that gives other elements what they have to know. (Names like `eth0:ip` in
    arguments are what they were when the router was loaded.)

    Example: ARPResponder answers for all addresses of eth0, whatever they become, and errors come from the first one:

        FromDevice(eth0) -> c :: Classifier(12/0806 20/0001, 12/0800, -);
        c[0] -> answer :: ARPResponder(0.0.0.0 eth0) -> Queue -> ToDevice(eth0);
        c[1] -> Strip(14) -> CheckIPHeader -> ttl :: DecIPTTL -> Discard;
        ttl[1] -> error :: ICMPError(0.0.0.0, timeexceeded) -> Discard;
        c[2] -> ToHost;
        own :: LinuxAddresses(eth0, CALL changed.run);
        changed :: Script(TYPE PASSIVE, write answer.config $(own.ip) $(own.eth), write error.src $(first $(own.ip)));
    """

    args = (
        Required("DEVICE", DeviceName(), "the network device"),
        Keyword("CALL", HandlerCall(), text="`HANDLER [VALUE]`, a write handler to call"),
    )
    state_types = {"netlink": Private(events=s32)}
    holds = ()

    def begin(self) -> None:
        self._events: socket.socket | None = None
        self._known: tuple[str, ...] = ()

    def initialise(self) -> None:
        self.state.netlink.events = -1
        if self.runtime and self.runtime.has_devices:
            self._events = opened(*GROUPS)
            self.state.netlink.events = self._events.fileno()

    def finished(self) -> None:
        if self._events:
            self._events.close()

    def called(self, value: int) -> None:
        """Linux may have changed something."""
        before, self._known = self._known, (self.table(), self.eth())
        if before == self._known or not self.cfg.call:
            return
        try:
            self.runtime.write(self.cfg.call)
        except ClickError as error:
            sys.stderr.write(f"{self.name}: {error.render()}")

    # -- handlers ----------------------------------------------------------------------------------------------------

    def _prefixes(self, version: int) -> list[str]:
        return [str(each) for each in self.context.names.devices.now().prefixes(self.cfg.device, version)]

    def _addresses(self, version: int, none: str) -> str:
        return " ".join(each.partition("/")[0] for each in self._prefixes(version)) or none

    ip = read_handler(lambda self: self._addresses(4, "0.0.0.0"), text="the IPv4 addresses, with spaces between them; 0.0.0.0 for none")
    ip6 = read_handler(lambda self: self._addresses(6, "::"), text="the IPv6 addresses, those of the link at the end; :: for none")

    @read_handler
    def eth(self) -> str:
        """the Ethernet address"""
        return str(self.context.names.devices.now().ether(self.cfg.device) or "")

    @read_handler
    def table(self) -> str:
        """a line for each IP address, with the length of its prefix"""
        return "".join(f"{each}\n" for version in (4, 6) for each in self._prefixes(version))
