/* The MD5 message digest (RFC 1321): it tells payloads apart, it protects nothing. */
#ifndef CLICKBPF_SUMMARY_MD5_H
#define CLICKBPF_SUMMARY_MD5_H

#include "base.h"

#define MD5_SIZE 16

void md5(const void *message, size_t length, __u8 digest[MD5_SIZE]);

#endif
