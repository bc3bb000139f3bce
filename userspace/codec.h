/* Files compressed by bzip2 or xz, as C's FILE. zlib has the same for gzip's (stream.c). */
#ifndef CLICKBPF_CODEC_H
#define CLICKBPF_CODEC_H

#include <stdio.h>

struct codec;

/* How a library compresses and expands. */
struct codec_format {
	/* Begin a stream, to be written or read; 0 or -1. */
	int (*begin)(struct codec *codec);
	/* Take from codec->in and give to codec->out, as much as there is of the one and room in the other. `last`: nothing follows
	 * what is in `in`. 1 at the end of the stream, 0 before it, -1 if the stream is corrupt.
	 */
	int (*step)(struct codec *codec, int last);
	void (*end)(struct codec *codec);
};

extern const struct codec_format codec_bzip2, codec_xz;

/* Takes the descriptor over, even if it fails: NULL, and errno. `mode` is "rb" or "wb". */
FILE *codec_open(int fd, const struct codec_format *format, const char *mode);

#endif
