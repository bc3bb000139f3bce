/* Compressed files as stdio streams, independent of the format: buffers, descriptors, positions. */
#define _GNU_SOURCE
#include "codec_own.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int begin(struct codec *c)
{
	if (c->format->begin(c))
		return -1;
	c->running = true;
	return 0;
}

static void end(struct codec *c)
{
	if (c->running)
		c->format->end(c);
	c->running = false;
}

/* -- reading -------------------------------------------------------------------------------------------------------- */

/* Refill the buffer if it is used up. */
static int fill(struct codec *c)
{
	ssize_t length;

	if (c->in_length || c->complete)
		return 0;
	length = read(c->fd, c->buffer, sizeof(c->buffer));
	if (length < 0)
		return -1;
	c->complete = !length;
	c->in = c->buffer;
	c->in_length = length;
	return 0;
}

/* One step of the current stream, or of the next: a file may have several. 1 at the end of the file. */
static int expand(struct codec *c)
{
	size_t room = c->room, length;
	int result;

	if (fill(c))
		return -1;
	if (!c->running) {
		if (c->complete)
			return 1;
		if (begin(c))
			return -1;
	}
	length = c->in_length;
	result = c->format->step(c, c->complete);
	if (result > 0)
		end(c);
	/* The file ends within a stream. */
	if (!result && c->complete && room == c->room && length == c->in_length)
		result = -1;
	return result < 0 ? -1 : 0;
}

/* Expand until there is data, or the file ends. */
static ssize_t codec_read(void *cookie, char *bytes, size_t size)
{
	struct codec *c = cookie;
	int result = 0;

	c->out = bytes;
	c->room = size;
	while (c->room == size && !result)
		result = expand(c);
	if (result < 0) {
		errno = EIO;
		return -1;
	}
	c->position += size - c->room;
	return size - c->room;
}

static int rewind_file(struct codec *c)
{
	if (lseek(c->fd, 0, SEEK_SET) < 0)
		return -1;
	end(c);
	c->in_length = 0;
	c->complete = false;
	c->position = 0;
	return 0;
}

/* To go back, read again from the beginning; a position after the end of the file is an error. */
static int codec_seek(void *cookie, off64_t *offset, int whence)
{
	struct codec *c = cookie;
	off64_t wanted = whence == SEEK_CUR ? c->position + *offset : *offset;
	char skipped[4096];

	if (c->writes || whence == SEEK_END || wanted < 0) {
		errno = ESPIPE;
		return -1;
	}
	if (wanted < c->position && rewind_file(c))
		return -1;
	while (c->position < wanted) {
		off64_t left = wanted - c->position;
		ssize_t length = codec_read(c, skipped, left < (off64_t)sizeof(skipped) ? (size_t)left : sizeof(skipped));

		if (length <= 0) {
			errno = EINVAL;
			return -1;
		}
	}
	*offset = c->position;
	return 0;
}

/* -- writing -------------------------------------------------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno != EINTR)
			return -1;
		if (written > 0) {
			bytes += written;
			length -= written;
		}
	}
	return 0;
}

/* One step, whose output is written to the file. */
static int compress(struct codec *c, int last)
{
	int result;

	c->out = c->buffer;
	c->room = sizeof(c->buffer);
	result = c->format->step(c, last);
	return result < 0 || write_all(c->fd, c->buffer, sizeof(c->buffer) - c->room) ? -1 : result;
}

/* As stdio requires, 0 is a failure. */
static ssize_t codec_write(void *cookie, const char *bytes, size_t size)
{
	struct codec *c = cookie;

	c->in = bytes;
	c->in_length = size;
	while (c->in_length)
		if (compress(c, 0) < 0)
			return 0;
	return size;
}

static int finish(struct codec *c)
{
	int result;

	do
		result = compress(c, 1);
	while (!result);
	return result < 0 ? -1 : 0;
}

/* -- opening, closing ----------------------------------------------------------------------------------------------- */

static int codec_close(void *cookie)
{
	struct codec *c = cookie;
	int failed = c->writes && finish(c);

	end(c);
	failed |= close(c->fd);
	free(c);
	return failed ? EOF : 0;
}

FILE *codec_open(int fd, const struct codec_format *format, const char *mode)
{
	const cookie_io_functions_t functions = {codec_read, codec_write, codec_seek, codec_close};
	struct codec *c = calloc(1, sizeof(*c));
	FILE *stream;

	if (!c) {
		close(fd);
		return NULL;
	}
	c->format = format;
	c->fd = fd;
	c->writes = *mode == 'w';
	if (c->writes && begin(c))
		goto fail;
	stream = fopencookie(c, mode, functions);
	if (stream)
		return stream;
fail:
	end(c);
	close(fd);
	free(c);
	errno = ENOMEM;
	return NULL;
}
