/* A compressed file, as codec.c and the formats share it. */
#pragma once

#include <bzlib.h>
#include <lzma.h>
#include <stdbool.h>
#include <sys/types.h>
#include "codec.h"

struct codec {
	const struct codec_format *format;
	int fd;
	bool writes, running;	/* `running`: between begin and end */
	bool complete;		/* reading: the file has been read to its end */
	long long position;	/* reading: bytes expanded so far */
	const char *in;
	size_t in_length;
	char *out;
	size_t room;
	union {
		bz_stream bzip2;
		lzma_stream xz;
	};
	char buffer[64 * 1024];	/* of compressed bytes */
};
