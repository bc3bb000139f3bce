/* IP and TCP options in texts: the common part. Options 0 (end) and 1 (padding) have one byte; all others have their total length
 * in their second byte.
 */
#pragma once

#include "summary/field.h"

#define OPTION_END 0
#define OPTION_PADDING 1
#define OPTIONS_MAX 40

/* Print one option of at least two bytes. Its end, at + at[1], is within the options; `mask` selects options to print. False if it
 * is malformed.
 */
typedef bool print_option(const __u8 *at, int mask, const char *separator, struct text *out);

/* Options as text: separated by semicolons; "." if there are none, "?" if one is malformed. */
void print_options(const struct summary_view *v, print_option *print, int mask, struct text *out);

/* Scan the option at *at into bytes, and move *at to its end; false if it is invalid. */
typedef bool scan_option(const char **at, const char *end, int mask, struct text *out);
bool scan_options(struct summary_maker *m, const char *at, const char *end, scan_option *scan, int mask);

/* For the files for either header: print and scan options as bytes, and 32-bit numbers. */
void print_other_option(const __u8 *at, const char *separator, struct text *out);
bool scan_other_option(const char **at, const char *end, struct text *out);
bool scan_one_byte_option(const char **at, const char *end, struct text *out);

/* If *at begins with the word, and more follows, skip the word. */
bool skip_word(const char **at, const char *end, const char *word);

/* Options in records: a byte with their length, then those that `wanted` selects, or all if it is NULL. */
void pack_options(const struct summary_view *v, bool found, bool wanted(__u8 kind), struct text *out);
bool unpack_options(struct summary_maker *m, const __u8 *at, int length);
