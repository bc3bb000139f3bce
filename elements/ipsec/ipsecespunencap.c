#define TRAILER 2
/* A dummy packet, for traffic flow confidentiality (RFC 4303, 2.6). */
#define NO_NEXT_HEADER 59

/* Advance the window to a new highest number. The window outlives this process, and the process may be killed between any two of
 * these stores: until the update is complete, all numbers in the window count as seen.
 */
static void SELF(advance)(struct sa *sa, __u32 sequence)
{
	const __u32 ahead = sequence - sa->last;
	const __u64 seen = ahead < sa->window ? sa->seen << ahead | 1 : 1;

	__atomic_store_n(&sa->seen, ~0ull, __ATOMIC_RELEASE);
	__atomic_store_n(&sa->last, sequence, __ATOMIC_RELEASE);
	__atomic_store_n(&sa->seen, seen, __ATOMIC_RELEASE);
}

/* RFC 4303, 3.4.3: whether the sequence number is new; marks it as seen. */
static bool SELF(is_new)(struct sa *sa, __u32 sequence)
{
	const __u32 behind = sa->last - sequence;

	if (!sequence)
		return false;
	if (sequence > sa->last) {
		SELF(advance)(sa, sequence);
		return true;
	}
	if (behind >= sa->window || sa->seen >> behind & 1)
		return false;
	sa->seen |= 1ull << behind;
	return true;
}

static bool SELF(accept)(struct sa *sa, __u32 sequence)
{
	int *lock = sa_lock_window(sa);
	const bool accepted = SELF(is_new)(sa, sequence);

	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
	return accepted;
}

/* Read and check the trailer; *padding becomes the padding length, *next_header the payload's protocol. */
static bool SELF(read_trailer)(struct pkt *p, __u32 head, __u32 *padding, __u8 *next_header)
{
	const __u32 length = pkt_len(p);
	const __u8 *trailer, *at;

	if (length < head + TRAILER)
		return false;
	trailer = pkt_data(p, length - TRAILER, TRAILER);
	*padding = trailer[0];
	*next_header = trailer[1];
	if (length - head - TRAILER < *padding)
		return false;
	at = trailer - *padding;
	for (__u32 i = 0; i < *padding; i++)
		if (at[i] != i + 1)
			return false;
	return true;
}

ELEMENT(IPsecESPUnencap)
{
	const __u32 head = ESP_HEADER + cfg.block;
	const struct esp_header *esp = pkt_data(p, 0, sizeof(*esp));
	struct sa *sa = SELF(association)(p);
	__u32 padding;
	__u8 next_header;

	if (!esp)
		return DROP(MALFORMED);
	if (!sa || (cfg.spi && ntohl(esp->spi) != cfg.spi))
		return DROP(NO_ASSOCIATION);
	if (!SELF(accept)(sa, ntohl(esp->sequence)))
		return DROP(REPLAYED);
	if (!SELF(read_trailer)(p, head, &padding, &next_header))
		return DROP(MALFORMED);
	if (next_header == NO_NEXT_HEADER)
		return DROP(DISCARDED);
	if (cfg.next_header >= 0 && next_header != cfg.next_header)
		return DROP(FILTERED);
	pkt_trim(p, pkt_len(p) - padding - TRAILER);
	pkt_pull(p, head);
	return OUTPUT(0);
}
