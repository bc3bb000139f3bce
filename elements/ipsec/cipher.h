/* Block ciphers of libcrypto: AES, 3DES and DES.
 *
 * DES is in libcrypto's legacy provider, which may be missing. 3DES (encrypt, decrypt, encrypt) with three equal keys is DES, at a
 * third of the speed.
 */
#pragma once

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

#define CIPHER_KEY 32
#define DES_BLOCK 8
#define AES_BLOCK 16

struct cipher {
	EVP_CIPHER_CTX *context;
	const EVP_CIPHER *type;
	bool encrypt;
	__u8 key[CIPHER_KEY];	/* the context's current key */
	__u32 length;		/* of the key; 0 for no key yet */
};

/* The legacy provider, once for all ciphers of a router. It gets a context of its own: in the default context, loading a provider
 * by name would disable the default provider for everybody.
 */
struct outdated_ciphers {
	OSSL_LIB_CTX *context;
	EVP_CIPHER *des;
	int users;
};

LASTING_AS(struct outdated_ciphers, outdated, outdated_own);

static inline int cipher_open(struct cipher *c, bool encrypt)
{
	memset(c, 0, sizeof(*c));
	c->encrypt = encrypt;
	c->context = EVP_CIPHER_CTX_new();
	outdated->users++;
	return c->context ? 0 : -ENOMEM;
}

static inline void cipher_close(struct cipher *c)
{
	EVP_CIPHER_CTX_free(c->context);
	memset(c, 0, sizeof(*c));
	if (--outdated->users)
		return;
	EVP_CIPHER_free(outdated->des);
	OSSL_LIB_CTX_free(outdated->context);
	memset(outdated, 0, sizeof(*outdated));
}

/* DES, or NULL if the provider is missing. */
static __attribute__((unused)) const EVP_CIPHER *cipher_des(void)
{
	if (!outdated->context) {
		outdated->context = OSSL_LIB_CTX_new();
		if (outdated->context && OSSL_PROVIDER_load(outdated->context, "legacy"))
			outdated->des = EVP_CIPHER_fetch(outdated->context, "DES-CBC", NULL);
	}
	return outdated->des;
}

/* Set the key. */
static inline bool cipher_set_key(struct cipher *c, const EVP_CIPHER *type, const __u8 *key, __u32 length)
{
	if (c->type == type && c->length == length && !memcmp(c->key, key, length))
		return true;
	c->length = 0;
	if (!EVP_CipherInit_ex2(c->context, type, key, NULL, c->encrypt, NULL) || !EVP_CIPHER_CTX_set_padding(c->context, 0))
		return false;
	c->type = type;
	c->length = length;
	memcpy(c->key, key, length);
	return true;
}

/* Process whole blocks in place. */
static inline bool cipher_run(struct cipher *c, const __u8 *iv, __u8 *data, __u32 length)
{
	int done;

	return EVP_CipherInit_ex2(c->context, NULL, NULL, iv, c->encrypt, NULL) &&
	       EVP_CipherUpdate(c->context, data, &done, data, length) && (__u32)done == length;
}
