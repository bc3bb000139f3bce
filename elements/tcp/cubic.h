/* CUBIC's window function (RFC 9438, 4.2), in segments and seconds. Runtime only. */
#pragma once

#define CUBIC_C 0.4
#define CUBIC_BETA 0.7
#define CUBIC_ALPHA (3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA))

/* W_cubic, `seconds` after K. */
static inline double cubic_window(double most, double seconds)
{
	return CUBIC_C * seconds * seconds * seconds + most;
}

/* K: the seconds for the window to grow by `segments` to W_max. By Newton's method, from above. */
static inline double cubic_k(double segments)
{
	const double cube = segments / CUBIC_C;
	double root = cube > 1 ? cube : 1;

	for (int i = 0; cube > 0 && i < 64; i++)
		root -= (root - cube / (root * root)) / 3;
	return cube > 0 ? root : 0;
}
