/* xz's format, by liblzma. */
#include "codec_own.h"

/* A limit, since a file may demand any amount of memory; xz -9 needs 65 MiB. */
#define MOST_MEMORY (256u << 20)

static int begin(struct codec *c)
{
	const lzma_stream fresh = LZMA_STREAM_INIT;
	lzma_ret result;

	c->xz = fresh;
	if (c->writes)
		result = lzma_easy_encoder(&c->xz, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64);
	else
		result = lzma_stream_decoder(&c->xz, MOST_MEMORY, 0);
	return result == LZMA_OK ? 0 : -1;
}

static int step(struct codec *c, int last)
{
	lzma_stream *s = &c->xz;
	lzma_ret result;

	s->next_in = (const uint8_t *)c->in;
	s->avail_in = c->in_length;
	s->next_out = (uint8_t *)c->out;
	s->avail_out = c->room;
	result = lzma_code(s, last && c->writes ? LZMA_FINISH : LZMA_RUN);
	c->in = (const char *)s->next_in;
	c->in_length = s->avail_in;
	c->out = (char *)s->next_out;
	c->room = s->avail_out;
	if (result == LZMA_STREAM_END)
		return 1;
	return result == LZMA_OK || result == LZMA_BUF_ERROR ? 0 : -1;
}

static void end(struct codec *c)
{
	lzma_end(&c->xz);
}

const struct codec_format codec_xz = {begin, step, end};
