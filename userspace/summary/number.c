/* Reading and writing numbers and times in Click's notation. */
#include "summary/number.h"
#include <ctype.h>
#include <string.h>

#define SECOND 1000000000ull

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 99;
}

/* The base of a prefix, and the start of the digits. A prefix needs a digit after it. */
static const char *skip_prefix(const char *at, const char *end, int *base)
{
	const char *digits = at;
	int prefixed = 0;

	if (end - at > 2 && at[0] == '0') {
		if ((*base == 0 || *base == 16) && (at[1] == 'x' || at[1] == 'X'))
			prefixed = 16;
		else if (*base == 0 && (at[1] == 'b' || at[1] == 'B'))
			prefixed = 2;
	}
	if (prefixed && digit_value(at[2]) < prefixed) {
		*base = prefixed;
		digits = at + 2;
	} else if (*base == 0) {
		*base = end > at && *at == '0' ? 8 : 10;
	}
	return digits;
}

const char *number_at(const char *at, const char *end, int base, int bits, __u64 *number, bool *too_large)
{
	const __u64 largest = bits == 64 ? ~0ull : (1ull << bits) - 1;
	const char *digits = at + (at < end && *at == '+');
	const char *last;
	bool overflow = false;
	__u64 value = 0;

	digits = skip_prefix(digits, end, &base);
	last = digits;
	for (const char *s = digits; s < end; s++) {
		int digit = digit_value(*s);

		if (*s == '_' && s == last && s > digits)
			continue;
		if (digit >= base)
			break;
		overflow |= __builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value);
		overflow |= value > largest;
		last = s + 1;
	}
	if (last == digits)
		return at;
	*number = overflow ? largest : value;
	if (too_large)
		*too_large = overflow;
	return last;
}

bool number_is(const char *at, const char *end, int base, int bits, __u64 *number)
{
	bool too_large;
	__u64 value;

	if (at == end || number_at(at, end, base, bits, &value, &too_large) != end || too_large)
		return false;
	*number = value;
	return true;
}

/* The unit at the end of a time, in nanoseconds; *end moves before it. */
static __u64 unit_at_end(const char *at, const char **end)
{
	static const struct {
		const char *name;
		__u64 value;
	} units[] = {
		{"msec", 1000000}, {"usec", 1000}, {"nsec", 1}, {"sec", SECOND}, {"min", 60 * SECOND}, {"hr", 3600 * SECOND},
		{"day", 86400 * SECOND}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}, {"s", SECOND}, {"m", 60 * SECOND},
		{"h", 3600 * SECOND}, {"d", 86400 * SECOND},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t length = strlen(units[i].name);

		if ((size_t)(*end - at) > length && !memcmp(*end - length, units[i].name, length)) {
			*end -= length;
			return units[i].value;
		}
	}
	return SECOND;
}

/* Whether s[0] is an underscore between two digits, to be ignored. */
static bool is_separator(const char *at, const char *s, const char *end)
{
	return *s == '_' && s > at && s + 1 < end && isdigit((unsigned char)s[-1]) && isdigit((unsigned char)s[1]);
}

bool time_is(const char *at, const char *end, __u64 *nanoseconds)
{
	__u64 unit = unit_at_end(at, &end), seconds = 0, fraction = 0, weight = SECOND;
	bool behind_point = false, digits = false;

	for (const char *s = at; s < end; s++) {
		int digit = *s - '0';

		if (*s == '.' && !behind_point) {
			behind_point = true;
		} else if (isdigit((unsigned char)*s)) {
			digits = true;
			if (!behind_point)
				seconds = 10 * seconds + digit;
			else if (weight == 1)	/* rounded to the nanosecond, by the first digit beyond */
				fraction += digit >= 5, weight = 0;
			else
				fraction += (weight /= 10) * digit;
		} else if (!is_separator(at, s, end)) {
			return false;
		}
	}
	*nanoseconds = seconds * unit + (unsigned __int128)fraction * unit / SECOND;
	return digits;
}
