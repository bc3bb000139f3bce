"""Packet annotations: their names in configurations, and their offsets in a packet's 48 bytes, which are Click's."""

#: Bytes of annotations that every packet carries.
SIZE = 48

#: (offset, length) of a traced packet's number, after the annotations and the timestamp (bpf/traced.h).
TRACE = (56, 8)

#: Name -> (offset, length) in bytes. Some share bytes, as in Click: a packet uses them for one purpose at a time.
ANNOTATIONS: dict[str, tuple[int, int]] = {
    "DST_IP": (0, 4),
    "DST_IP6": (0, 16),
    "PAINT": (16, 1),
    "WIFI_EXTRA": (16, 24),
    "ICMP_PARAMPROB": (17, 1),
    "FIX_IP_SRC": (19, 1),
    "VLAN_TCI": (20, 2),
    "AGGREGATE": (20, 4),
    "FWD_RATE": (20, 4),
    "MISC_IP": (20, 4),
    "EXTRA_PACKETS": (24, 4),
    "REV_RATE": (24, 4),
    "SEND_ERR": (26, 1),
    "IPREASSEMBLER": (28, 4),
    "EXTRA_LENGTH": (28, 4),
    "FIRST_TIMESTAMP": (32, 8),
    "PACKET_NUMBER": (32, 4),
    "IPSEC_SPI": (32, 4),
    "SEQUENCE_NUMBER": (36, 4),
    "IPSEC_SA_DATA_REFERENCE": (40, 8),
    "PERFCTR": (40, 8),
}

#: What is carried from one executor to another if an element may write it: annotations, and after them the packet's timestamp.
CARRIED = {**ANNOTATIONS, "TIMESTAMP": (SIZE, 8)}
