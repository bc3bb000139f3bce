/* The time to send a packet, in microseconds, failed tries included: preamble and header, data, acknowledgement, interframe spaces,
 * and half the contention window before each try (IEEE 802.11, 10.3, 16.3.4 and 18.4; with Click's numbers).
 *
 * Runtime only.
 */
#pragma once

/* Of DSSS (1, 2, 5.5 and 11 Mbit/s), and of OFDM. */
enum { DSSS_SLOT = 20, DSSS_PAUSE = 10, DSSS_ANSWER = 304, DSSS_LONG_HEADER = 192, DSSS_SHORT_HEADER = 96 };
enum { OFDM_SLOT = 9, OFDM_PAUSE = 9, OFDM_ANSWER = 30, OFDM_HEADER = 20 };

#define WINDOW_FIRST 31
#define WINDOW_LAST 1023

static inline bool is_dsss(__u8 rate)
{
	return rate == 2 || rate == 4 || rate == 11 || rate == 22;
}

/* `rate` in units of 500 kbit/s, not 0; `length` in bytes. */
static inline __u32 airtime(__u8 rate, __u32 length, __u8 retries)
{
	const bool dsss = is_dsss(rate);
	const __u32 header = !dsss ? OFDM_HEADER : rate == 2 ? DSSS_LONG_HEADER : DSSS_SHORT_HEADER;
	const __u32 fixed = 2 * (header + length * 8) / rate + (dsss ? DSSS_PAUSE + DSSS_ANSWER : OFDM_PAUSE + OFDM_ANSWER);
	__u32 window = WINDOW_FIRST, time = 0;

	for (__u32 i = 0; i <= retries; i++) {
		time += (dsss ? DSSS_SLOT : OFDM_SLOT) * window / 2 + fixed;
		window = 2 * (window + 1) < WINDOW_LAST ? 2 * (window + 1) : WINDOW_LAST;
	}
	return time;
}
