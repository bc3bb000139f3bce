/* Numbers and times in Click's notation. */
#pragma once

#include "base.h"

/* Read an unsigned integer of up to `bits` bits at `at`; single underscores may separate digits. Base 0 accepts the prefixes 0x, 0b
 * and 0 for the bases 16, 2 and 8. Returns the number's end, or `at`, with *number unchanged, if there is none. A number that is
 * too large becomes the largest, and sets *too_large unless that is NULL.
 */
const char *number_at(const char *at, const char *end, int base, int bits, __u64 *number, bool *too_large);
/* Whether the whole text is one such number, and fits. */
bool number_is(const char *at, const char *end, int base, int bits, __u64 *number);
/* Whether the whole text is a time in seconds, or with a unit (5ms); the result is in nanoseconds. */
bool time_is(const char *at, const char *end, __u64 *nanoseconds);
