/* Files compressed by bzip2 or xz, as stdio streams. For gzip, zlib has its own (stream.c). */
#pragma once

#include <stdio.h>

struct codec;

/* A library's operations for compressing and expanding. */
struct codec_format {
	/* Begin a stream, to be written or read; 0 or -1. */
	int (*begin)(struct codec *codec);
	/* Process codec->in into codec->out, as long as there are input and room. `last`: `in` is the end of the input. 1 at the
	 * end of the stream, 0 before it, -1 if the stream is corrupt.
	 */
	int (*step)(struct codec *codec, int last);
	void (*end)(struct codec *codec);
};

extern const struct codec_format codec_bzip2, codec_xz;

/* Takes over the descriptor, even on failure: NULL, with errno. `mode` is "rb" or "wb". */
FILE *codec_open(int fd, const struct codec_format *format, const char *mode);
