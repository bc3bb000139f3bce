#include "ipsec/cipher.h"

/* With keys not for 3DES, DES uses the first eight bytes. */
static const EVP_CIPHER *SELF(type)(const __u8 **key, __u32 *length)
{
	static __u8 thrice[3 * DES_BLOCK] SCRATCH;
	const EVP_CIPHER *des;

	if (*length == sizeof(thrice))
		return EVP_des_ede3_cbc();
	if (*length < DES_BLOCK)
		return NULL;
	*length = DES_BLOCK;
	des = cipher_des();
	if (des)
		return des;
	for (int i = 0; i < 3; i++)
		memcpy(thrice + i * DES_BLOCK, *key, DES_BLOCK);
	*key = thrice;
	*length = sizeof(thrice);
	return EVP_des_ede3_cbc();
}

#include "ipsec/cbc.inc.h"

ELEMENT(IPsecDES)
{
	const struct sa *sa = SELF(association)(p);
	__u32 length;
	__u8 *payload = SELF(payload)(p, &length);

	if (!sa)
		return DROP(NO_ASSOCIATION);
	return payload ? SELF(run_cbc)(sa, payload, length) : DROP(MALFORMED);
}
