/* Growing texts, for building lines. When out of memory, additions are lost. */
#pragma once

#include "base.h"

struct text {
	char *bytes;
	size_t length, room;
};

/* `n` more bytes of undefined content, or NULL. */
char *text_extend(struct text *text, size_t n);
void text_add(struct text *text, const void *bytes, size_t n);
void text_string(struct text *text, const char *string);
void text_number(struct text *text, __u64 number);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
EXPORT void text_free(struct text *text);

static inline void text_clear(struct text *text)
{
	text->length = 0;
}

static inline void text_char(struct text *text, char c)
{
	text_add(text, &c, 1);
}

/* A time in ns as seconds, with six digits behind the point, or nine if they are needed. */
void text_time(struct text *text, __u64 time);
/* The low `size` bytes of a number, most significant first. */
void text_big_endian(struct text *text, __u64 number, int size);
