/* Files that may be compressed, as stdio streams. Both functions take over the descriptor, even on failure: NULL, with errno. */
#pragma once

#include <stdio.h>
#include "base.h"

enum stream_format { STREAM_PLAIN, STREAM_GZIP, STREAM_BZIP2, STREAM_XZ };

/* Recognises a format by the file's first bytes; a pipe isn't expanded, since it can't be read in advance. */
FILE *stream_read(int fd);
EXPORT FILE *stream_write(int fd, enum stream_format format);
