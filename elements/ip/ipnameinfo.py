from clickbpf.declare import CONTROL, Element


class IPNameInfo(Element, ports="0/0", runs=CONTROL):
    """accepted for the well-known names of IP, which need no element

    In Click this class holds these names; here they are always known, and the class does nothing. PortInfo and AddressInfo define
    other names.

      - IP protocols: icmp, igmp, ipip, tcp, udp, dccp, gre, sctp; for packet filters also tcpudp, transp and payload.
      - TCP and UDP ports: auth, bootpc, bootps, chargen, daytime, discard, dns, domain, echo, finger, ftp, ftp-data, https,
        imap3, imaps, irc, netbios-dgm, netbios-ns, netbios-ssn, nntp, ntp, pop3, pop3s, pptp, rip, route, smtp, snmp,
        snmp-trap, ssh, sunrpc, telnet, tftp, www.
      - ICMP types: echo, echo-reply, inforeq, inforeq-reply, maskreq, maskreq-reply, parameterproblem, redirect,
        routeradvert, routersolicit, sourcequench, timeexceeded, timestamp, timestamp-reply, unreachable.
      - Codes of ICMP unreachable: net, host, protocol, port, needfrag, srcroutefail, netunknown, hostunknown, isolated,
        netprohibited, hostprohibited, tosnet, toshost, filterprohibited, hostprecedence, precedencecutoff; of redirect:
        net, host, tosnet, toshost; of timeexceeded: transit, reassembly; of parameterproblem: erroratptr, missingopt, length.

    Other names are looked up in the IANA's lists, then in /etc/protocols and /etc/services.

    Example: the element has no effect:

        IPNameInfo;
        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ICMPError(10.0.0.1, unreachable, needfrag) -> Discard;
    """
