#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>
#include "ip/ip.h"

#define SHA1_SIZE 20

struct SELF(prepared) {
	EVP_MAC_CTX *context;
	__u8 key[64];		/* the context's current key */
	__u32 length;		/* of the key; 0 for no key yet */
};

LASTING(struct SELF(prepared), mac);

/* Begin a digest; prepare the key only if it has changed. */
static bool SELF(begin)(const struct sa *sa)
{
	const bool same = SELF(mac)->length == sa->digest_length && !memcmp(SELF(mac)->key, sa->digest_key, sa->digest_length);

	if (same)
		return EVP_MAC_init(SELF(mac)->context, NULL, 0, NULL);
	SELF(mac)->length = 0;
	if (!EVP_MAC_init(SELF(mac)->context, sa->digest_key, sa->digest_length, NULL))
		return false;
	memcpy(SELF(mac)->key, sa->digest_key, sa->digest_length);
	SELF(mac)->length = sa->digest_length;
	return true;
}

static bool SELF(digest)(const struct sa *sa, const __u8 *data, __u32 length, __u8 *digest)
{
	size_t size;

	return sa->digest_length && SELF(begin)(sa) && EVP_MAC_update(SELF(mac)->context, data, length) &&
	       EVP_MAC_final(SELF(mac)->context, digest, &size, SHA1_SIZE);
}

#include "ipsec/digest.inc.h"

INIT()
{
	char sha1[] = "SHA1";
	const OSSL_PARAM parameters[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, sha1, 0), OSSL_PARAM_END};
	EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);

	SELF(mac)->context = hmac ? EVP_MAC_CTX_new(hmac) : NULL;
	EVP_MAC_free(hmac);
	return SELF(mac)->context && EVP_MAC_CTX_set_params(SELF(mac)->context, parameters) ? 0 : -ENOMEM;
}

CLEANUP()
{
	EVP_MAC_CTX_free(SELF(mac)->context);
	memset(SELF(mac), 0, sizeof(*SELF(mac)));
}

ELEMENT(IPsecAuthHMACSHA1)
{
	const struct sa *sa = SELF(association)(p);

	if (!sa)
		return DROP(NO_ASSOCIATION);
	return cfg.verify ? SELF(check_digest)(p, sa) : SELF(add_digest)(p, sa);
}
