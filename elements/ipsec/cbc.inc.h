/* Encrypt or decrypt the payload of an ESP packet. `cfg` needs `encrypt`, `block` and `ignore`. Included once for each instance. */

LASTING(struct cipher, cipher);

/* The encrypted part: all after the initialisation vector except the last IGNORE bytes. NULL if the packet is too short. */
static inline __u8 *SELF(payload)(struct pkt *p, __u32 *length)
{
	const __u32 head = ESP_HEADER + cfg.block;

	if (pkt_len(p) < head + cfg.ignore)
		return NULL;
	*length = pkt_len(p) - head - cfg.ignore;
	return pkt_data(p, head, *length);
}

/* Cipher block chaining of whole blocks, with the vector before them. */
static int SELF(run_cbc)(const struct sa *sa, __u8 *payload, __u32 length)
{
	const EVP_CIPHER *type;
	const __u8 *key = sa->cipher_key;
	__u32 key_length = sa->cipher_length;
	bool done = false;

	if (length % cfg.block)
		return DROP(MALFORMED);
	type = SELF(type)(&key, &key_length);
	if (type && cipher_set_key(SELF(cipher), type, key, key_length))
		done = cipher_run(SELF(cipher), payload - cfg.block, payload, length);
	return done ? OUTPUT(0) : DROP(NO_ASSOCIATION);
}

INIT()
{
	return cipher_open(SELF(cipher), cfg.encrypt);
}

CLEANUP()
{
	cipher_close(SELF(cipher));
}
