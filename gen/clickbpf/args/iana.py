"""Names that the IANA has registered for IP protocols and ports, so that they mean the same on every machine.

Protocols: the whole registry, in lower case, and further spellings from /etc/protocols of common systems. Ports: those of
services that are met in practice, each for all protocols that have ports.
"""

PROTOCOLS = {
    "hopopt": 0, "ip": 0, "icmp": 1, "igmp": 2, "ggp": 3, "ipv4": 4, "ipencap": 4, "st": 5, "tcp": 6, "cbt": 7, "egp": 8, "igp": 9,
    "bbn-rcc-mon": 10, "nvp-ii": 11, "pup": 12, "argus": 13, "emcon": 14, "xnet": 15, "chaos": 16, "udp": 17, "mux": 18,
    "dcn-meas": 19, "hmp": 20, "prm": 21, "xns-idp": 22, "trunk-1": 23, "trunk-2": 24, "leaf-1": 25, "leaf-2": 26, "rdp": 27,
    "irtp": 28, "iso-tp4": 29, "netblt": 30, "mfe-nsp": 31, "merit-inp": 32, "dccp": 33, "3pc": 34, "idpr": 35, "xtp": 36,
    "ddp": 37, "idpr-cmtp": 38, "tp++": 39, "il": 40, "ipv6": 41, "sdrp": 42, "ipv6-route": 43, "ipv6-frag": 44, "idrp": 45,
    "rsvp": 46, "gre": 47, "dsr": 48, "bna": 49, "esp": 50, "ah": 51, "i-nlsp": 52, "swipe": 53, "narp": 54, "mobile": 55,
    "tlsp": 56, "skip": 57, "ipv6-icmp": 58, "icmp6": 58, "ipv6-nonxt": 59, "ipv6-opts": 60, "cftp": 62, "sat-expak": 64,
    "kryptolan": 65, "rvd": 66, "ippc": 67, "sat-mon": 69, "visa": 70, "ipcv": 71, "cpnx": 72, "cphb": 73, "rspf": 73, "wsn": 74,
    "pvp": 75, "br-sat-mon": 76, "sun-nd": 77, "wb-mon": 78, "wb-expak": 79, "iso-ip": 80, "vmtp": 81, "secure-vmtp": 82,
    "vines": 83, "ttp": 84, "iptm": 84, "nsfnet-igp": 85, "dgp": 86, "tcf": 87, "eigrp": 88, "ospf": 89, "ospfigp": 89,
    "sprite-rpc": 90, "larp": 91, "mtp": 92, "ax.25": 93, "ipip": 94, "micp": 95, "scc-sp": 96, "etherip": 97, "encap": 98,
    "gmtp": 100, "ifmp": 101, "pnni": 102, "pim": 103, "aris": 104, "scps": 105, "qnx": 106, "a/n": 107, "ipcomp": 108, "snp": 109,
    "compaq-peer": 110, "ipx-in-ip": 111, "vrrp": 112, "pgm": 113, "l2tp": 115, "ddx": 116, "iatp": 117, "stp": 118, "srp": 119,
    "uti": 120, "smp": 121, "sm": 122, "ptp": 123, "isis": 124, "fire": 125, "crtp": 126, "crudp": 127, "sscopmce": 128,
    "iplt": 129, "sps": 130, "pipe": 131, "sctp": 132, "fc": 133, "rsvp-e2e-ignore": 134, "mobility-header": 135, "udplite": 136,
    "mpls-in-ip": 137, "manet": 138, "hip": 139, "shim6": 140, "wesp": 141, "rohc": 142, "ethernet": 143, "aggfrag": 144,
    "nsh": 145,
}  # fmt: skip

PORTS = {
    "tcpmux": 1, "echo": 7, "discard": 9, "systat": 11, "daytime": 13, "netstat": 15, "qotd": 17, "chargen": 19, "ftp-data": 20,
    "ftp": 21, "ssh": 22, "telnet": 23, "smtp": 25, "time": 37, "whois": 43, "tacacs": 49, "domain": 53, "bootps": 67, "bootpc": 68,
    "tftp": 69, "gopher": 70, "finger": 79, "http": 80, "kerberos": 88, "iso-tsap": 102, "pop3": 110, "sunrpc": 111, "auth": 113,
    "nntp": 119, "ntp": 123, "epmap": 135, "netbios-ns": 137, "netbios-dgm": 138, "netbios-ssn": 139, "imap": 143, "imap2": 143,
    "snmp": 161, "snmptrap": 162, "cmip-man": 163, "cmip-agent": 164, "xdmcp": 177, "bgp": 179, "irc": 194, "smux": 199,
    "qmtp": 209, "z3950": 210, "ipx": 213, "ptp-event": 319, "ptp-general": 320, "rpc2portmap": 369, "codaauth2": 370,
    "clearcase": 371, "ldap": 389, "svrloc": 427, "https": 443, "snpp": 444, "microsoft-ds": 445, "kpasswd": 464,
    "submissions": 465, "isakmp": 500, "exec": 512, "biff": 512, "login": 513, "who": 513, "shell": 514, "syslog": 514,
    "printer": 515, "talk": 517, "ntalk": 518, "router": 520, "ripng": 521, "uucp": 540, "klogin": 543, "kshell": 544,
    "dhcpv6-client": 546, "dhcpv6-server": 547, "rtsp": 554, "nntps": 563, "submission": 587, "asf-rmcp": 623, "ipp": 631,
    "ldaps": 636, "ldp": 646, "tinc": 655, "kerberos-adm": 749, "domain-s": 853, "rsync": 873, "ftps-data": 989, "ftps": 990,
    "telnets": 992, "imaps": 993, "pop3s": 995, "socks": 1080, "rmiregistry": 1099, "openvpn": 1194, "ms-sql-s": 1433,
    "ms-sql-m": 1434, "ingreslock": 1524, "l2f": 1701, "l2tp": 1701, "radius": 1812, "radius-acct": 1813, "cisco-sccp": 2000,
    "nfs": 2049, "gnunet": 2086, "gtp-control": 2123, "gtp-user": 2152, "cvspserver": 2401, "dict": 2628, "gpsd": 2947,
    "gtp-prime": 3386, "icpv2": 3130, "isns": 3205, "iscsi-target": 3260, "mysql": 3306, "ms-wbt-server": 3389, "stun": 3478,
    "nut": 3493, "distcc": 3632, "svn": 3690, "bfd-control": 3784, "bfd-echo": 3785, "sieve": 4190, "vxlan": 4789, "epmd": 4369,
    "ntske": 4460, "ipsec-nat-t": 4500, "iax": 4569, "sip": 5060, "sips": 5061, "sip-tls": 5061, "xmpp-client": 5222,
    "xmpp-server": 5269, "mdns": 5353, "llmnr": 5355, "postgresql": 5432, "amqps": 5671, "amqp": 5672, "coap": 5683, "coaps": 5684,
    "x11": 6000, "geneve": 6081, "redis": 6379, "syslog-tls": 6514, "babel": 6696, "ircs-u": 6697, "afs3-fileserver": 7000,
    "http-alt": 8080, "puppet": 8140, "git": 9418, "amanda": 10080, "zabbix-agent": 10050, "zabbix-trapper": 10051, "hkp": 11371,
}  # fmt: skip
