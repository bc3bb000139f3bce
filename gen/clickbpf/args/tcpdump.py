"""Checks filters in tcpdump's language (pcap-filter(7)) before libpcap compiles them.

libpcap asks the resolver about any word that it doesn't know and that may be a host's, a network's or an Ethernet address's name. A text
that is only read must not make a process wait for the network, or have it ask about names that somebody else has chosen. So such words
are refused here; ports and protocols may have names, which are in files of this machine.
"""

import re
from ipaddress import AddressValueError, IPv6Address

from clickbpf.args.error import ArgError

#: The longest text; libpcap takes more than linear time.
LONGEST = 4096

#: Words of the language that connect expressions: qualifiers before them also apply after them.
_CONNECTING = frozenset(("and", "or", "not"))
#: Words after which a name is a port, a protocol, or known to libpcap itself; and all other words, as of libpcap 1.10.
_NAMING_WORDS = "port portrange proto protochain llc type subtype direction dir on ifname rset ruleset reason action"
_OTHER_WORDS = """
    dst src link ether ppp slip fddi tr wlan arp rarp ip sctp tcp udp icmp igmp igrp pim vrrp carp radio ip6 icmp6 ah esp atalk aarp
    decnet lat sca moprc mopdl iso esis es-is isis is-is l1 l2 iih lsp snp csnp psnp clnp stp ipx netbeui host net mask gateway
    address1 addr1 address2 addr2 address3 addr3 address4 addr4 ra ta less greater byte broadcast multicast len length inbound outbound
    ifindex vlan mpls pppoed pppoes geneve lane metac bcc oam oamf4 oamf4ec oamf4sc sc ilmic vpi vci connectmsg metaconnect
    rnr rulenum srnr subrulenum fisu lssu lsu msu hfisu hlssu hmsu sio opc dpc sls hsio hopc hdpc hsls
    icmptype icmpcode icmp-echoreply icmp-unreach icmp-sourcequench icmp-redirect icmp-echo icmp-routeradvert icmp-routersolicit
    icmp-timxceed icmp-paramprob icmp-tstamp icmp-tstampreply icmp-ireq icmp-ireqreply icmp-maskreq icmp-maskreply icmp6type icmp6code
    icmp6-destinationunreach icmp6-packettoobig icmp6-timeexceeded icmp6-parameterproblem icmp6-echo icmp6-echoreply
    icmp6-multicastlistenerquery icmp6-multicastlistenerreportv1 icmp6-multicastlistenerdone icmp6-routersolicit icmp6-routeradvert
    icmp6-neighborsolicit icmp6-neighboradvert icmp6-redirect icmp6-routerrenum icmp6-nodeinformationquery
    icmp6-nodeinformationresponse icmp6-ineighbordiscoverysolicit icmp6-ineighbordiscoveryadvert icmp6-multicastlistenerreportv2
    icmp6-homeagentdiscoveryrequest icmp6-homeagentdiscoveryreply icmp6-mobileprefixsolicit icmp6-mobileprefixadvert
    icmp6-certpathsolicit icmp6-certpathadvert icmp6-multicastrouteradvert icmp6-multicastroutersolicit icmp6-multicastrouterterm
    tcpflags tcp-fin tcp-syn tcp-rst tcp-push tcp-ack tcp-urg tcp-ece tcp-cwr
"""
_NAMING, _OTHERS = frozenset(_NAMING_WORDS.split()), frozenset(_OTHER_WORDS.split())

_TOKEN = re.compile(
    r"""(?P<colons>[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*)
    | (?P<word>[A-Za-z0-9](?:[-_.A-Za-z0-9]*[.A-Za-z0-9])?)
    | \\(?P<quoted>[^ !()\n\t]+)
    | .""",
    re.VERBOSE | re.DOTALL,
)
_BYTE = "[0-9A-Fa-f]{1,2}"
_ETHER = re.compile(
    rf"{_BYTE}(?P<between>[-:.]){_BYTE}(?:(?P=between){_BYTE}){{4}}|[0-9A-Fa-f]{{4}}(?:\.[0-9A-Fa-f]{{4}}){{2}}|[0-9A-Fa-f]{{12}}"
)
_NUMBER = "(?:[0-9]+|0[xX][0-9A-Fa-f]+)"
_NUMBERS = re.compile(rf"{_NUMBER}(?:\.{_NUMBER}){{0,3}}")


def check_filter(text: str) -> None:
    """Raise ArgError for a text that is too long, and for a word that libpcap would ask the resolver about."""
    if len(text) > LONGEST:
        raise ArgError(f"the filter has {len(text)} characters, and may have {LONGEST}", "use IPFilter for the rest")
    about = ""
    for found in _TOKEN.finditer(text):
        word = found["colons"] or found["word"]
        name = found["quoted"]
        if word in _NAMING or word in _OTHERS:
            about = word
        elif word and word not in _CONNECTING and not _is_value(word):
            name = word
        if name and about not in _NAMING:
            raise ArgError(
                f"the filter has the name '{name}', and names aren't looked up",
                "write the address in its place; only ports and protocols may have names, after 'port' or 'proto'",
            )


def _is_value(word: str) -> bool:
    """A number or an address, also a wrong one that libpcap complains about by itself."""
    if _NUMBERS.fullmatch(word) or _ETHER.fullmatch(word):
        return True
    try:
        return ":" in word and bool(IPv6Address(word))
    except AddressValueError:
        return False
