from clickbpf.declare import (
    ETHERNET, MARKED, NETWORK, PUSH, USER, ArgError, Bytes, Element, Form, IPAddress, Integer, Keyword, ListOf, OwnEtherAddress, Required,
)

#: Codes of RFC 3046: the option and its sub-options.
AGENT, CIRCUIT_ID, REMOTE_ID = 82, 1, 2
#: The most bytes of an option.
ROOM = 255


class DHCPRelay(Element, ports="2/2", processing=PUSH, flow="xy/xy", runs=USER):
    """relays DHCP between hosts and servers of other networks

    Hosts that have no address yet broadcast their requests. A relay agent on their network (RFC 1542, RFC 2131) forwards the
    requests to the servers as packets of its own, and the answers to the hosts. It adds its address on that network, from which
    servers know the network to choose an address for. BOOTP is relayed in the same way. Click has no such element.

    With CIRCUIT or REMOTE, the first relay of a request adds an option that says where the request came from (RFC 3046), and
    removes the option from the answer. Requests that would exceed 1500 bytes are forwarded without the option.

    Drops: MALFORMED for truncated messages and those of the wrong direction; EXPIRED for requests after more than HOPS relays;
    FILTERED for requests that already have IP as the relay's address, or have the option but no relay's address, and for answers to
    another relay.

    Ports: push input 0 for requests from the network, UDP/IP packets to port 67, and push output 0 for packets to servers, with
    their destination address annotation set; push input 1 for servers' answers, IP packets to IP and port 67, and push output 1 for
    Ethernet frames to the hosts. All IP headers have to be marked; CheckUDPHeader before the inputs keeps broken ones out.

    Example: hosts at eth0, the server 10.9.0.2 at eth1; all other packets are Linux's:

        AddressInfo(site 10.1.0.1/24 02:00:00:00:00:10, uplink 10.9.0.1/24 02:00:00:00:01:10);
        relay :: DHCPRelay(site, site, 10.9.0.2, CIRCUIT "floor 1");
        from_site :: FromDevice(eth0) -> c :: Classifier(12/0800, -);
        c[0] -> MarkIPHeader(14) -> asks :: IPClassifier(udp dst port 67 and dst host 255.255.255.255, -);
        asks[0] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> [0] relay;
        from_uplink :: FromDevice(eth1) -> d :: Classifier(12/0806 20/0002, 12/0800, -);
        d[1] -> MarkIPHeader(14) -> answers :: IPClassifier(udp dst port 67 and dst host site, -);
        answers[0] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> [1] relay;
        relay[0] -> arpq :: ARPQuerier(uplink) -> Queue -> ToDevice(eth1);
        relay[1] -> Queue -> ToDevice(eth0);
        d[0] -> arp :: Tee -> [1] arpq;
        arp[1], c[1], d[2], asks[1], answers[1] -> ToHost;
    """

    takes = (MARKED,)
    args = (
        Required("IP", IPAddress(), "the router's address on the hosts' network"),
        Required("ETH", OwnEtherAddress(), "its Ethernet address there"),
        Required("SERVERS", ListOf(IPAddress(), least=1), "servers' addresses, separated by spaces; each gets all requests"),
        Keyword("CIRCUIT", Bytes(), b"", "String. The circuit ID in the option: a name of the network"),
        Keyword("REMOTE", Bytes(), b"", "String. The remote ID in the option: for instance a customer's name"),
        Keyword("HOPS", Integer(high=16), 4, "how many relays a request may have passed before, 0 to 16"),
    )
    derived = {"option_length": ("__u32", lambda self: len(self.option)), "count": ("__u32", lambda self: len(self.cfg.servers))}

    def gives_by(self, output: int, form: Form | None) -> Form:
        return Form(begins=ETHERNET) if output else Form(begins=NETWORK, marked=True)

    def configure(self) -> None:
        given = [(CIRCUIT_ID, self.cfg.circuit), (REMOTE_ID, self.cfg.remote)]
        parts = b"".join(bytes([code, min(len(text), ROOM)]) + text for code, text in given if text)
        if len(parts) > ROOM:
            raise ArgError("CIRCUIT and REMOTE are too long", f"an option has room for {ROOM - 4} bytes of both", argument="CIRCUIT")
        self.option = bytes([AGENT, len(parts)]) + parts if parts else b""

    def code(self) -> str:
        option = ", ".join(map(str, self.option or b"\0"))
        servers = ", ".join(f"IPV4({str(address).replace('.', ', ')})" for address in self.cfg.servers)
        return f"static const __u8 SELF(option)[] = {{ {option} }};\nstatic const __be32 SELF(servers)[] = {{ {servers} }};\n"
