/* The trailer's last two bytes: padding length and next header. */
#define TRAILER 2

static __u8 SELF(next_header)(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (cfg.next_header >= 0)
		return cfg.next_header;
	return ip ? ip->protocol : 0;
}

/* RFC 4303, 2.4: padding bytes are 1, 2, 3 and so on. */
static void SELF(write_trailer)(__u8 *at, __u32 padding, __u8 next_header)
{
	for (__u32 i = 0; i < padding; i++)
		at[i] = i + 1;
	at[padding] = padding;
	at[padding + 1] = next_header;
}

ELEMENT(IPsecESPEncap)
{
	const __u32 head = ESP_HEADER + cfg.block, length = pkt_len(p);
	const __u32 padding = (cfg.block - (length + TRAILER) % cfg.block) % cfg.block;
	const __u8 next_header = SELF(next_header)(p);
	struct sa *sa = SELF(association)(p);
	struct esp_header *esp;
	__u64 sequence;

	if (!sa)
		return DROP(NO_ASSOCIATION);
	/* RFC 4303, 3.3.3: sequence numbers must not wrap around under the same keys. */
	sequence = __atomic_fetch_add(&sa->next, 1, __ATOMIC_RELAXED);
	if (sequence > 0xffffffff)
		return DROP(EXPIRED);
	if (!pkt_push(p, head) || !pkt_put(p, padding + TRAILER))
		return DROP(NO_MEMORY);
	esp = pkt_data(p, 0, head);
	esp->spi = htonl(sa->spi);
	esp->sequence = htonl((__u32)sequence);
	if (!secret_bytes(esp + 1, cfg.block))
		return DROP(NO_MEMORY);
	SELF(write_trailer)(pkt_data(p, head + length, padding + TRAILER), padding, next_header);
	return OUTPUT(0);
}
