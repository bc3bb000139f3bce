/* Cutting a packet to `kept` bytes, as Truncate does. Included once for each instance. */

static __always_inline int SELF(truncate)(struct pkt *p, __u32 kept)
{
	__u32 length = pkt_len(p);

	if (length <= kept)
		return OUTPUT(0);
	/* The kernel has no shorter frames. */
	if (!USERSPACE && kept < ETH_HLEN)
		return PUNT;
	if (!pkt_trim(p, kept))
		return DROP(MALFORMED);
	if (cfg.extra_length)
		pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, pkt_anno_u32(p, EXTRA_LENGTH_ANNO) + length - kept);
	return OUTPUT(0);
}
