/* Texts that grow at the end. */
#include "summary/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *text_extend(struct text *text, size_t n)
{
	size_t room = text->room ?: 256;
	char *bytes;

	while (room - text->length < n)
		room *= 2;
	if (room != text->room) {
		bytes = realloc(text->bytes, room);
		if (!bytes)
			return NULL;
		text->bytes = bytes;
		text->room = room;
	}
	text->length += n;
	return text->bytes + text->length - n;
}

void text_add(struct text *text, const void *bytes, size_t n)
{
	char *to = text_extend(text, n);

	if (to && n)
		memcpy(to, bytes, n);
}

void text_string(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void text_number(struct text *text, __u64 number)
{
	char digits[20], *at = digits + sizeof(digits);

	do
		*--at = '0' + number % 10;
	while (number /= 10);
	text_add(text, at, digits + sizeof(digits) - at);
}

void text_format(struct text *text, const char *format, ...)
{
	char line[256];
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(line, sizeof(line), format, values);
	va_end(values);
	text_add(text, line, length < (int)sizeof(line) ? length : (int)sizeof(line) - 1);
}

void text_time(struct text *text, __u64 time)
{
	const __u64 part = time % 1000000000;

	if (part % 1000)
		text_format(text, "%llu.%09llu", time / 1000000000, part);
	else
		text_format(text, "%llu.%06llu", time / 1000000000, part / 1000);
}

void text_big_endian(struct text *text, __u64 number, int size)
{
	while (size--)
		text_char(text, number >> (8 * size));
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){0};
}
