/* Opens files that may be compressed, through zlib and other codecs. */
#define _GNU_SOURCE
#include "stream.h"
#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>
#include "codec.h"

static ssize_t read_gzip(void *file, char *bytes, size_t size)
{
	return gzread(file, bytes, size);
}

static ssize_t write_gzip(void *file, const char *bytes, size_t size)
{
	return gzwrite(file, bytes, size);
}

static int seek_gzip(void *file, off64_t *offset, int whence)
{
	z_off_t position = gzseek(file, *offset, whence);

	*offset = position;
	return position < 0 ? -1 : 0;
}

static int close_gzip(void *file)
{
	return gzclose(file) == Z_OK ? 0 : EOF;
}

static FILE *open_gzip(int fd, const char *mode)
{
	const cookie_io_functions_t functions = {read_gzip, write_gzip, seek_gzip, close_gzip};
	gzFile file = gzdopen(fd, mode);
	FILE *stream;

	if (!file) {
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	stream = fopencookie(file, mode, functions);
	if (!stream)
		gzclose(file);
	return stream;
}

static FILE *open_plain(int fd, const char *mode)
{
	FILE *stream = fdopen(fd, mode);

	if (!stream)
		close(fd);
	return stream;
}

static FILE *open_as(enum stream_format format, int fd, const char *mode)
{
	switch (format) {
	case STREAM_GZIP:
		return open_gzip(fd, mode);
	case STREAM_BZIP2:
		return codec_open(fd, &codec_bzip2, mode);
	case STREAM_XZ:
		return codec_open(fd, &codec_xz, mode);
	default:
		return open_plain(fd, mode);
	}
}

FILE *stream_read(int fd)
{
	static const struct {
		enum stream_format format;
		size_t length;
		const char *bytes;
	} beginnings[] = {{STREAM_GZIP, 2, "\x1f\x8b"}, {STREAM_BZIP2, 3, "BZh"}, {STREAM_XZ, 6, "\xfd""7zXZ"}};
	char found[8] = "";
	ssize_t length = pread(fd, found, sizeof(found), 0);

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (length >= (ssize_t)beginnings[i].length && !memcmp(found, beginnings[i].bytes, beginnings[i].length))
			return open_as(beginnings[i].format, fd, "rb");
	return open_plain(fd, "rb");
}

FILE *stream_write(int fd, enum stream_format format)
{
	return open_as(format, fd, "wb");
}
