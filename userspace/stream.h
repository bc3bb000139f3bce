/* Files that may be compressed, as C's FILE. Both calls take the descriptor over, even if they fail: NULL, and errno. */
#ifndef CLICKBPF_STREAM_H
#define CLICKBPF_STREAM_H

#include <stdio.h>
#include "base.h"

enum stream_format { STREAM_PLAIN, STREAM_GZIP, STREAM_BZIP2, STREAM_XZ };

/* A file that begins as one of the formats is expanded; a pipe, which can't be looked into, isn't. */
FILE *stream_read(int fd);
EXPORT FILE *stream_write(int fd, enum stream_format format);

#endif
