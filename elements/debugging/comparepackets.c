#include <string.h>

static bool SELF(unlike)(struct SELF(pair) *pair, int difference, bool differs)
{
	pair->by[difference] += differs;
	return differs;
}

static int SELF(header_length)(struct pkt *p)
{
	return pkt_has_transport_header(p) ? pkt_transport_offset(p) - pkt_network_offset(p) : 0;
}

static bool SELF(headers_differ)(struct SELF(pair) *pair, struct pkt *p, struct pkt *q)
{
	bool differ;

	if (!pkt_has_network_header(p) || !pkt_has_network_header(q))
		return SELF(unlike)(pair, SELF(HEADER), pkt_has_network_header(p) != pkt_has_network_header(q));
	differ = SELF(unlike)(pair, SELF(OFFSET), pkt_network_offset(p) != pkt_network_offset(q));
	return SELF(unlike)(pair, SELF(HEADER_LENGTH), SELF(header_length)(p) != SELF(header_length)(q)) || differ;
}

/* Compares two packets. If their lengths differ, only the common length of data is compared. */
static void SELF(compare)(struct SELF(pair) *pair, struct pkt *p, struct pkt *q)
{
	const __u32 length = pkt_len(p) < pkt_len(q) ? pkt_len(p) : pkt_len(q);
	bool differ = SELF(unlike)(pair, SELF(LENGTH), pkt_len(p) != pkt_len(q));

	differ |= SELF(unlike)(pair, SELF(DATA), memcmp(p->data, q->data, length) != 0);
	differ |= SELF(unlike)(pair, SELF(TIME), cfg.timestamp && pkt_timestamp(p) != pkt_timestamp(q));
	differ |= SELF(headers_differ)(pair, p, q);
	pair->different += differ;
}

/* Compare the packet pulled from this input, if any, with the other input's waiting packet. */
static void SELF(judge)(struct SELF(pair) *pair, int here)
{
	if (pair->held[here]) {
		SELF(compare)(pair, pair->held[0], pair->held[1]);
		pair->compared[here] = true;
	} else {
		SELF(unlike)(pair, here ? SELF(MORE_IN_0) : SELF(MORE_IN_1), true);
		pair->different++;
	}
	pair->compared[!here] = true;
	wake_pullers();
}

PULL()
{
	struct SELF(pair) *pair = private(pair);
	struct pkt *p = pair->held[output];

	if (p && !pair->compared[output])
		return NULL;
	pair->held[output] = pull(output);
	pair->compared[output] = false;
	if (pair->held[!output] && !pair->compared[!output])
		SELF(judge)(pair, output);
	if (p || !pair->compared[output])
		return p;
	p = pair->held[output];
	pair->held[output] = NULL;
	return p;
}

CLEANUP()
{
	for (int i = 0; i < 2; i++)
		if (private(pair)->held[i])
			pkt_free(private(pair)->held[i]);
}
