/* Puts a record in front of a packet: what it carries besides its bytes. `record.py` of the harness reads it. */

#define RECORD_MAGIC 0x7c11c8bf
#define RECORD_UNSET (-32768)

struct SELF(record) {
	__be32 magic;
	__u8 input;
	__u8 type;
	__be16 device;
	__be16 mac, net, trans;
	__u8 zero[2];
	__u8 anno[ANNO_SIZE];
};

ELEMENT(TestRecorder)
{
	struct SELF(record) *place, record = {
		.magic = htonl(RECORD_MAGIC),
		.input = input,
		.type = pkt_type(p),
		.device = htons(pkt_device(p)),
		.mac = htons(pkt_has_mac_header(p) ? pkt_mac_offset(p) : RECORD_UNSET),
		.net = htons(pkt_has_network_header(p) ? pkt_network_offset(p) : RECORD_UNSET),
		.trans = htons(pkt_has_transport_header(p) ? pkt_transport_offset(p) : RECORD_UNSET),
	};

	__builtin_memcpy(record.anno, p->anno, ANNO_SIZE);
	if (!pkt_push(p, sizeof(record)))
		return DROP(NO_MEMORY);
	place = pkt_data(p, 0, sizeof(record));
	if (!place)
		return DROP(NO_MEMORY);
	*place = record;
	return OUTPUT(0);
}
