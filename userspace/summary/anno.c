/* Fields from packets' annotations. */
#include "summary/field.h"
#include "summary/number.h"

#define SECOND 1000000000ull

static __u64 *first_timestamp(struct pkt *p)
{
	return (__u64 *)(p->anno + FIRST_TIMESTAMP_ANNO);
}

GET_AS(timestamp, got_number(v, v->p->timestamp))
SET_AS(timestamp, true, m->p->timestamp = m->value.number)
GET_AS(ts_sec, got_number(v, (__u32)(v->p->timestamp / SECOND)))
SET_AS(ts_sec, true, m->p->timestamp = m->value.number * SECOND + m->p->timestamp % SECOND)
GET_AS(ts_usec, got_number(v, v->p->timestamp % SECOND / 1000))
SET_AS(ts_usec, true, m->p->timestamp = m->p->timestamp / SECOND * SECOND + m->value.number * 1000)

/* As in Click: written with its halves in the wrong order, read in the right one. */
GET(ts_usec1)
{
	__u64 microseconds = v->p->timestamp / 1000;

	return got_number(v, microseconds << 32 | microseconds >> 32);
}

SET_AS(ts_usec1, true, m->p->timestamp = m->value.number * 1000)
GET_AS(first_timestamp, got_number(v, *first_timestamp(v->p)))
SET_AS(first_timestamp, true, *first_timestamp(m->p) = m->value.number)
GET_AS(count, got_number(v, 1 + pkt_anno_u32(v->p, EXTRA_PACKETS_ANNO)))
SET_AS(count, true, pkt_set_anno_u32(m->p, EXTRA_PACKETS_ANNO, m->value.number ? m->value.number - 1 : 0))
GET_AS(paint, got_number(v, pkt_anno_u8(v->p, PAINT_ANNO)))
SET_AS(paint, true, pkt_set_anno_u8(m->p, PAINT_ANNO, m->value.number))
GET_AS(aggregate, got_number(v, pkt_anno_u32(v->p, AGGREGATE_ANNO)))
SET_AS(aggregate, true, pkt_set_anno_u32(m->p, AGGREGATE_ANNO, m->value.number))
GET_AS(wire_len, got_number(v, pkt_len(v->p)))
SET_AS(wire_len, true, m->length = m->value.number)

/* -- formats: times ------------------------------------------------------------------------------------------------- */

static void print_time(const struct summary_view *v, struct text *out)
{
	__s64 time = v->value.number;

	if (time < 0)
		text_char(out, '-');
	text_time(out, time < 0 ? -(__u64)time : (__u64)time);
}

static bool scan_time(struct summary_maker *m, const char *at, const char *end)
{
	return time_is(at, end, &m->value.number);
}

static void pack_microseconds(const struct summary_view *v, bool found __attribute__((unused)), struct text *out)
{
	text_big_endian(out, v->value.number / SECOND, 4);
	text_big_endian(out, v->value.number % SECOND / 1000, 4);
}

static bool unpack_microseconds(struct summary_maker *m, const __u8 *at, int length __attribute__((unused)))
{
	m->value.number = big_endian(at) * SECOND + big_endian(at + 4) * 1000ull;
	return true;
}

FORMAT(time) = {8, print_time, scan_time, pack_microseconds, unpack_microseconds};

/* In Click's records the nanoseconds come first. */
static void pack_nanoseconds(const struct summary_view *v, bool found __attribute__((unused)), struct text *out)
{
	text_big_endian(out, v->value.number % SECOND, 4);
	text_big_endian(out, v->value.number / SECOND, 4);
}

static bool unpack_nanoseconds(struct summary_maker *m, const __u8 *at, int length __attribute__((unused)))
{
	m->value.number = big_endian(at) + big_endian(at + 4) * SECOND;
	return true;
}

FORMAT(time_nano) = {8, print_time, scan_time, pack_nanoseconds, unpack_nanoseconds};

/* -- formats: which of two directions a packet went ------------------------------------------------------------------ */

static void print_direction(const struct summary_view *v, struct text *out)
{
	if (v->value.number > 1)
		text_number(out, v->value.number);
	else
		text_char(out, v->value.number ? '<' : '>');
}

static bool scan_direction(struct summary_maker *m, const char *at, const char *end)
{
	if (end - at == 1 && (*at == '>' || *at == '<')) {
		m->value.number = *at == '<';
		return true;
	}
	return scan_number(m, at, end, 32);
}

FORMAT(direction) = {1, print_direction, scan_direction, NULL, NULL};
FORMAT(link) = {1, print_number, scan_direction, NULL, NULL};
