/* Packets from a descriptor to output 0. Included once for each instance. */
#define RECEIVE_BURST 32	/* packets to read per run */

/* Make a packet from SELF(buffer): `length` bytes have arrived, at most SNAPLEN of them are there. */
static struct pkt *SELF(packet)(size_t length)
{
	__u32 kept = length < sizeof(SELF(buffer)) ? length : sizeof(SELF(buffer));
	struct pkt *p = pkt_copy_in(SELF(buffer), kept);

	if (!p)
		return NULL;
	if (length > kept)
		pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, length - kept);
	if (cfg.timestamp)
		p->timestamp = wall_clock();
	return p;
}
