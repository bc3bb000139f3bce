"""What the manual pages of all rewriters say; parts of their text, which begin where the page indents them."""

POLICY = """When there are as many flows as MAPPING_CAPACITY, a new one takes the place of the one whose time is over first; but not
    of a flow that had a packet within the time of its guarantee. If there are only such, the new one is refused, its packet
    dropped, and counted as a failure.

    The kernel path rewrites the packets of flows that it finds in the table. A flow's first packet, and those that
    change what is known about it, are the runtime's. Flows outlive the runtime."""
PORT_PATTERN = """- PATTERN: `SADDR SPORT DADDR DPORT`, where `-` leaves a field as it is, or a name that IPRewriterPatterns defines.
        SPORT may be a range `LOW-HIGH`; then no two flows that have the same peer get the same port. The packet's own port
        is preferred, then one is chosen at random; with `LOW-HIGH?` always at random, with `LOW-HIGH#` in order. Without a
        free port the packet is dropped."""
TCP_TIMES = """- TCP_TIMEOUT (or TIMEOUT): how long TCP flows with data in both directions stay without packets. Default 24 hours.
      - TCP_GUARANTEE (or GUARANTEE): how long a TCP flow stays for sure after a packet. Default 5 seconds."""
CAPACITY = """- MAPPING_CAPACITY (or CAPACITY): how many flows there may be, at most 4194304, or another rewriter, with which this
        one then shares its capacity. Default 65536. Each has 64 bytes, and 32 to 64 in an index.
      - REAP_INTERVAL (or REAP_TIME): how often flows are removed whose time is over; 0 for never. Default 15 minutes. Until
        then a packet may bring them back."""
FILTER = """- FILTER: which packets begin flows on an input that is `drop`, to an address and port that a source has with
        INDEPENDENT: `flow`, none; `address`, those from addresses that the source has flows to; `any`, all (RFC 4787, 5). Of
        TCP only packets that open connections do. These flows are as if the source had begun them, once it has answered (a reset is
        no answer). Until then such a flow has no guarantee and makes room for any other, ends none but its like, isn't counted
        for HOST_CAPACITY, stays for no longer than without packets, and of TCP for 6 seconds at most (RFC 6146, 3.5.2.2). Nobody can
        begin one after the last flow of the source's own. Default `flow`."""
REPLY = "- REPLY_ANNO: an annotation of one byte. Replies get the value that the flow's first packet had."
ANNOTATIONS = f"""- DST_ANNO: whether the destination annotation becomes the new destination address. Default true.
      {REPLY}"""
PORTS = """Ports: a push input for each INPUTSPEC; push outputs. IP header annotations have to be set.

    Handlers:"""
TABLE = """- `table` (read): a line for each direction of a flow: what packets have and get, both outputs, this
        direction's starred, the input that made it, and the seconds until its time is over. `mappings` is an older name."""
HANDLERS = """- `table_size` (read): how many flows there are; `nmappings` is the same.
      - `size`, `capacity` (read): flows there are and may be, of all rewriters that share the capacity. `capacity` can be
        written, up to what was configured.
      - `clear` (write): all flows end."""
WAYS = """FromDevice(inside) -> Strip(14) -> CheckIPHeader -> [0] nat;
        FromDevice(outside) -> Strip(14) -> CheckIPHeader -> [1] nat;
        nat[0] -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(outside);
        nat[1] -> EtherEncap(0x0800, 02:00:00:00:00:03, 02:00:00:00:00:04) -> Queue -> ToDevice(inside);"""
ADDRESS_PATTERN = """- PATTERN: `SADDR DADDR`, where `-` leaves a field as it is, or a name that IPRewriterPatterns defines. SADDR may be a
        range `LOW-HIGH` or a prefix `ADDR/LENGTH` (without its first and last address); a free address is chosen at random,
        or in order with `LOW-HIGH#`. Without a free address the packet is dropped."""
