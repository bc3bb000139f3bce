/* Files that may be compressed by gzip, as C's FILE. Both take the descriptor over, even if they fail: NULL, and errno. */
#ifndef CLICKBPF_STREAM_H
#define CLICKBPF_STREAM_H

#include <stdio.h>

/* A file that begins as gzip's do is expanded; a pipe, which can't be looked into, isn't. */
FILE *stream_read(int fd);
FILE *stream_write(int fd, int gzip);

#endif
