#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>
#include "ip/ip.h"

#define SHA1_SIZE 20

LASTING(EVP_MD *, sha1);

static bool SELF(digest)(const struct sa *sa, const __u8 *data, __u32 length, __u8 *digest)
{
	(void)sa;
	return EVP_Digest(data, length, digest, NULL, *SELF(sha1), NULL);
}

#include "ipsec/digest.inc.h"

INIT()
{
	*SELF(sha1) = EVP_MD_fetch(NULL, "SHA1", NULL);
	return *SELF(sha1) ? 0 : -ENOMEM;
}

CLEANUP()
{
	EVP_MD_free(*SELF(sha1));
}

ELEMENT(IPsecAuthSHA1)
{
	return cfg.verify ? SELF(check_digest)(p, NULL) : SELF(add_digest)(p, NULL);
}
