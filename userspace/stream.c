#define _GNU_SOURCE
#include "stream.h"
#include <errno.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

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

FILE *stream_read(int fd)
{
	unsigned char magic[2];

	if (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && magic[0] == 0x1f && magic[1] == 0x8b)
		return open_gzip(fd, "rb");
	return open_plain(fd, "rb");
}

FILE *stream_write(int fd, int gzip)
{
	return gzip ? open_gzip(fd, "wb") : open_plain(fd, "wb");
}
