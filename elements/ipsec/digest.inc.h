/* Add or check the digest at the end of an ESP packet. Included once for each instance, after its SELF(digest)(sa, data, length,
 * digest).
 */

static int SELF(add_digest)(struct pkt *p, const struct sa *sa)
{
	const __u32 length = pkt_len(p);
	__u8 digest[SHA1_SIZE];

	if (!SELF(digest)(sa, pkt_data(p, 0, length), length, digest))
		return DROP(NO_ASSOCIATION);
	if (!pkt_put(p, ESP_DIGEST))
		return DROP(NO_MEMORY);
	memcpy(pkt_data(p, length, ESP_DIGEST), digest, ESP_DIGEST);
	return OUTPUT(0);
}

static int SELF(check_digest)(struct pkt *p, const struct sa *sa)
{
	const __u32 length = pkt_len(p) - ESP_DIGEST;
	__u8 digest[SHA1_SIZE];

	if (pkt_len(p) < ESP_DIGEST)
		return DROP(MALFORMED);
	if (!SELF(digest)(sa, pkt_data(p, 0, length), length, digest))
		return DROP(NO_ASSOCIATION);
	if (CRYPTO_memcmp(pkt_data(p, length, ESP_DIGEST), digest, ESP_DIGEST)) {
		warn(1, "Invalid SHA1 authentication digest");
		count(counters, drops, 1);
		return SELF(noutputs) > 1 ? OUTPUT(1) : DROP(UNAUTHENTIC);
	}
	pkt_trim(p, length);
	return OUTPUT(0);
}
