#include <errno.h>
#include <string.h>

/* The arguments of the handler `send` (tcpipsend.py). */
struct SELF(request) {
	__u32 count;
	__u8 packet[40];
};

CONTROL()
{
	const struct SELF(request) *request = (const struct SELF(request) *)argument;

	for (__u32 i = 0; i < request->count; i++) {
		struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(request->packet));

		if (!p)
			return -ENOMEM;
		memcpy(p->data, request->packet, sizeof(request->packet));
		pkt_set_network_header(p, 0);
		pkt_set_transport_header(p, sizeof(struct iphdr));
		emit(p, 0);
	}
	return 0;
}
