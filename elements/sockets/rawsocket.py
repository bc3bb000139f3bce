import socket

from clickbpf.declare import COUNTED, LOST, ArgError, Held, Integer, IPPort, IPProtocol, Optional, Private, Raw, Required, ptr, s32

from ._descriptor import HEADROOM, SNAPLEN, TIMESTAMP, SocketElement, failure, set_option

#: Ports of transport protocols can be claimed.
KINDS = {socket.IPPROTO_TCP: socket.SOCK_STREAM, socket.IPPROTO_UDP: socket.SOCK_DGRAM}


class RawSocket(SocketElement, processing="l/h"):
    """sends and receives IP packets of one protocol

    Receives a copy of every IP packet of the protocol that arrives at Linux, headers included, with network and transport header
    and destination address annotations set. Linux continues with the original. Packets from the input, beginning with an IP header,
    are sent through Linux's routing table. Requires CAP_NET_RAW.

    FromRawSocket and ToRawSocket are older names.

    Example: pings are answered a second time:

        s :: RawSocket(ICMP) -> IPClassifier(icmp type echo) -> ICMPPingResponder -> Queue -> s;
    """

    aliases = ("FromRawSocket", "ToRawSocket")
    args = (
        Required("TYPE", IPProtocol(), "an IP protocol, by name (TCP, UDP, ICMP, GRE ...) or number"),
        Optional("PORT", Raw(), text="for TCP and UDP, a port to claim, so that no other program can use it; Linux then treats it as "
            "open. Packets of all ports are received anyway. For other protocols, a number without effect. Default none, 0"),
        SNAPLEN,
        HEADROOM,
        TIMESTAMP,
    )
    annotations = ("DST_IP", "EXTRA_LENGTH")
    state_types = {"socket": Private(fd=s32), "sender": Private(waiting=ptr)}
    holds = (Held("a packet that the socket has no room for", COUNTED, LOST),)

    def configure(self) -> None:
        super().configure()
        cfg = self.cfg
        kind = IPPort(cfg.type) if cfg.type in KINDS else Integer(32)
        try:
            cfg.port = 0 if cfg.port is None else kind.parse(cfg.port, self.context)
        except ArgError as error:
            raise ArgError(error.message, error.hint, argument="PORT") from None

    def initialise(self) -> None:
        cfg = self.cfg
        opened = self.open(socket.AF_INET, socket.SOCK_RAW, cfg.type)
        if cfg.port and cfg.type in KINDS:
            claim = self.open(socket.AF_INET, KINDS[cfg.type], cfg.type)
            try:
                claim.bind(("", cfg.port))
            except OSError as error:
                raise failure(f"port {cfg.port}", error) from None
        set_option(opened, socket.IPPROTO_IP, "IP_HDRINCL", 1)
        set_option(opened, socket.SOL_SOCKET, "SO_BROADCAST", 1)
        opened.setblocking(False)
        self.state.socket.fd = opened.fileno()
