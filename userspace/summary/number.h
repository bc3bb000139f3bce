/* Numbers and times as Click writes them in texts. */
#ifndef CLICKBPF_SUMMARY_NUMBER_H
#define CLICKBPF_SUMMARY_NUMBER_H

#include "base.h"

/* An unsigned integer of up to `bits` bits at `at`; single underscores may stand between digits. Base 0 takes 0x, 0b and
 * 0 for the bases 16, 2 and 8. Returns its end, or `at` if there is none (*number stays); a number that is too large
 * becomes the largest, and *too_large says so (which may be NULL).
 */
const char *number_at(const char *at, const char *end, int base, int bits, __u64 *number, bool *too_large);
/* A text that is one such number, which has to fit. */
bool number_is(const char *at, const char *end, int base, int bits, __u64 *number);
/* A text that is a time in seconds, or with a unit (5ms), in nanoseconds. */
bool time_is(const char *at, const char *end, __u64 *nanoseconds);

#endif
