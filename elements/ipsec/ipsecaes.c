#include "ipsec/cipher.h"

/* Click's own chaining encrypts single blocks. */
static const EVP_CIPHER *SELF(type)(const __u8 **key, __u32 *length)
{
	const bool chained = cfg.block == AES_BLOCK;

	(void)key;
	switch (*length) {
	case 16:
		return chained ? EVP_aes_128_cbc() : EVP_aes_128_ecb();
	case 24:
		return chained ? EVP_aes_192_cbc() : EVP_aes_192_ecb();
	case 32:
		return chained ? EVP_aes_256_cbc() : EVP_aes_256_ecb();
	}
	return NULL;
}

#include "ipsec/cbc.inc.h"

static void SELF(mix)(__u8 *block, const __u8 *feed)
{
	for (int i = 0; i < DES_BLOCK; i++)
		block[i] ^= feed[i];
}

/* Chain blocks of 16 bytes as Click does: only a block's first half is mixed with its predecessor, the vector of 8 bytes or the
 * first half of the last encrypted block.
 */
static bool SELF(half_chain)(const __u8 *vector, __u8 *data, __u32 length)
{
	__u8 feed[DES_BLOCK], next[DES_BLOCK];
	int done;

	memcpy(feed, vector, sizeof(feed));
	for (; length; data += AES_BLOCK, length -= AES_BLOCK) {
		memcpy(next, data, sizeof(next));
		if (cfg.encrypt)
			SELF(mix)(data, feed);
		if (!EVP_CipherUpdate(SELF(cipher)->context, data, &done, data, AES_BLOCK))
			return false;
		if (!cfg.encrypt)
			SELF(mix)(data, feed);
		memcpy(feed, cfg.encrypt ? data : next, sizeof(feed));
	}
	return true;
}

/* An incomplete last block is completed with bytes of the digest after it. */
static int SELF(run_half_chained)(struct pkt *p, const struct sa *sa, __u8 *payload, __u32 length)
{
	const __u8 *key = sa->cipher_key;
	__u32 key_length = sa->cipher_length;
	const EVP_CIPHER *type;
	bool done = false;

	length += length % AES_BLOCK ? DES_BLOCK : 0;
	if (length % AES_BLOCK || length > pkt_len(p) - ESP_HEADER - cfg.block)
		return DROP(MALFORMED);
	type = SELF(type)(&key, &key_length);
	if (type && cipher_set_key(SELF(cipher), type, key, key_length))
		done = SELF(half_chain)(payload - cfg.block, payload, length);
	return done ? OUTPUT(0) : DROP(NO_ASSOCIATION);
}

ELEMENT(IPsecAES)
{
	const struct sa *sa = SELF(association)(p);
	__u32 length;
	__u8 *payload = SELF(payload)(p, &length);

	if (!sa)
		return DROP(NO_ASSOCIATION);
	if (!payload)
		return DROP(MALFORMED);
	if (cfg.block == AES_BLOCK)
		return SELF(run_cbc)(sa, payload, length);
	return SELF(run_half_chained)(p, sa, payload, length);
}
