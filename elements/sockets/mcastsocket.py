import socket
from ipaddress import IPv4Address

from clickbpf.declare import COUNTED, LOST, SAME, Bool, Held, IPAddress, IPPort, Keyword, Optional, Private, Required, be16, be32, ptr, s32

from ._address import c_array, inet
from ._descriptor import HEADROOM, RCVBUF, SNAPLEN, SNDBUF, TIMESTAMP, SocketElement, failure, set_buffers, set_option

PORT = IPPort(socket.IPPROTO_UDP)
ANY = IPv4Address(0)


class McastSocket(SocketElement):
    """sends and receives packets over UDP multicast

    Sends packets from the input to a multicast group; packets that others send to the group leave by the output. Virtual machines
    of QEMU (`-net socket,mcast=239.0.0.0:1234`) and routers can share an Ethernet in this way.

    As a member of the group, the element receives its own packets too. With SOURCEIP it drops them, recognised by address and port.
    Without SOURCEIP, LOOP false keeps sent packets from everybody on this machine.

    A pushed packet waits until the socket has room. Packets are pulled as fast as the socket accepts them.

    Example: 10.0.0.1 is there for everybody on the virtual Ethernet:

        link :: McastSocket(239.0.0.0, 1234, 127.0.0.1)
            -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800);
        q :: ARPQuerier(10.0.0.1, 02:02:02:02:02:02) -> link;
        c[0] -> ARPResponder(10.0.0.1 02:02:02:02:02:02) -> link;
        c[1] -> [1]q;
        c[2] -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> [0]q;
    """

    args = (
        Required("MCASTIP", IPAddress(), "the group's address and UDP port"),
        Required("MCASTPORT", PORT, SAME),
        Optional("SOURCEIP", IPAddress(), ANY, "the packets' source address and port; the address also selects the device to send and "
            "receive by. By default Linux chooses"),
        Optional("SOURCEPORT", PORT, 0, SAME),
        SNAPLEN,
        HEADROOM,
        TIMESTAMP,
        RCVBUF,
        SNDBUF,
        Keyword("LOOP", Bool(), True, "whether processes on this machine receive sent packets"),
    )
    annotations = ("EXTRA_LENGTH",)
    state_types = {"socket": Private(own_address=be32, own_port=be16, receiver=s32, out=s32), "sender": Private(waiting=ptr)}
    holds = (Held("a packet that the socket has no room for", COUNTED, LOST),)

    def code(self) -> str:
        return super().code() + c_array("group", inet(self.cfg.mcastip, self.cfg.mcastport))

    def initialise(self) -> None:
        cfg = self.cfg
        receiver = self.open(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
        sender = self.open(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
        set_buffers(sender, sndbuf=cfg.sndbuf)
        set_buffers(receiver, rcvbuf=cfg.rcvbuf)
        set_option(receiver, socket.SOL_SOCKET, "SO_REUSEADDR", 1)
        self._bind(receiver, cfg.mcastip, cfg.mcastport)
        if cfg.sourceip != ANY:
            self._bind(sender, cfg.sourceip, cfg.sourceport)
            set_option(sender, socket.IPPROTO_IP, "IP_MULTICAST_IF", cfg.sourceip.packed)
            self.state.socket.own_address, self.state.socket.own_port = int(cfg.sourceip), sender.getsockname()[1]
        set_option(receiver, socket.IPPROTO_IP, "IP_ADD_MEMBERSHIP", cfg.mcastip.packed + cfg.sourceip.packed)
        set_option(sender, socket.IPPROTO_IP, "IP_MULTICAST_LOOP", int(cfg.loop))
        for opened in (receiver, sender):
            opened.setblocking(False)
        self.state.socket.receiver = receiver.fileno()
        self.state.socket.out = sender.fileno()

    @staticmethod
    def _bind(to: socket.socket, address: IPv4Address, port: int) -> None:
        try:
            to.bind((str(address), port))
        except OSError as error:
            raise failure("bind", error) from None
