/* bzip2's format, by libbz2. */
#include "codec_own.h"
#include <limits.h>
#include <string.h>

/* The largest blocks, as bzip2(1) uses; they take 7.6 MB. */
static int begin(struct codec *c)
{
	memset(&c->bzip2, 0, sizeof(c->bzip2));
	return (c->writes ? BZ2_bzCompressInit(&c->bzip2, 9, 0, 0) : BZ2_bzDecompressInit(&c->bzip2, 0, 0)) == BZ_OK ? 0 : -1;
}

static unsigned int length(size_t length)
{
	return length < UINT_MAX ? length : UINT_MAX;
}

static int step(struct codec *c, int last)
{
	unsigned int given = length(c->in_length), room = length(c->room);
	bz_stream *s = &c->bzip2;
	int result;

	s->next_in = (char *)c->in;
	s->avail_in = given;
	s->next_out = c->out;
	s->avail_out = room;
	result = c->writes ? BZ2_bzCompress(s, last ? BZ_FINISH : BZ_RUN) : BZ2_bzDecompress(s);
	c->in += given - s->avail_in;
	c->in_length -= given - s->avail_in;
	c->out += room - s->avail_out;
	c->room -= room - s->avail_out;
	if (result == BZ_STREAM_END)
		return 1;
	return result < 0 ? -1 : 0;
}

static void end(struct codec *c)
{
	if (c->writes)
		BZ2_bzCompressEnd(&c->bzip2);
	else
		BZ2_bzDecompressEnd(&c->bzip2);
}

const struct codec_format codec_bzip2 = {begin, step, end};
