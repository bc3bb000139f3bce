/* Files that may be compressed, as C's FILE. Both calls take over the descriptor, even on failure: NULL, with errno. */
#pragma once

#include <stdio.h>
#include "base.h"

enum stream_format { STREAM_PLAIN, STREAM_GZIP, STREAM_BZIP2, STREAM_XZ };

/* A file that begins like one of the formats is expanded; a pipe isn't, since its beginning can't be read in advance. */
FILE *stream_read(int fd);
EXPORT FILE *stream_write(int fd, enum stream_format format);
