/* The descriptor of Atheros' AR5212, which the Madwifi driver can put in front of a frame: eight bytes, and six words in the
 * writer's byte order. From the third word on, received frames have other fields.
 */
#pragma once

struct athdesc {
	__u8 before[8];
	__u32 word[6];
};

_Static_assert(sizeof(struct athdesc) == 32, "Madwifi's");

/* A field of the descriptor: its word, lowest bit and number of bits. */
struct athdesc_field {
	__u8 word, low, bits;
};

#define ATH_LENGTH ((struct athdesc_field){0, 0, 12})		/* 0 for a received frame */
#define ATH_POWER ((struct athdesc_field){0, 16, 6})
#define ATH_TRIES(i) ((struct athdesc_field){2, 16 + 4 * (i), 4})
#define ATH_RATE(i) ((struct athdesc_field){3, 5 * (i), 5})
#define ATH_TOO_MANY_RETRIES ((struct athdesc_field){4, 1, 1})
#define ATH_RETRIES ((struct athdesc_field){4, 8, 4})
#define ATH_ANSWER_SIGNAL ((struct athdesc_field){5, 13, 8})
/* Fields of received frames. */
#define ATH_CAME_RATE ((struct athdesc_field){2, 15, 5})
#define ATH_CAME_SIGNAL ((struct athdesc_field){2, 20, 8})
#define ATH_CAME_WELL ((struct athdesc_field){3, 1, 1})

static __always_inline __u32 athdesc_get(const struct athdesc *desc, struct athdesc_field field)
{
	return word32(&desc->word[field.word]) >> field.low & ((1u << field.bits) - 1);
}

static __always_inline void athdesc_set(struct athdesc *desc, struct athdesc_field field, __u32 value)
{
	desc->word[field.word] |= (value & ((1u << field.bits) - 1)) << field.low;
}

/* The chip's codes of rates in units of 500 kbit/s. 802.11b rates have two codes, the one for short preambles first. */
static const struct {
	__u8 code, rate;
} athdesc_rates[] = {
	{11, 12}, {15, 18}, {10, 24}, {14, 36}, {9, 48}, {13, 72}, {8, 96}, {12, 108},
	{0x1b, 2}, {0x1e, 4}, {0x1d, 11}, {0x1c, 22}, {0x1a, 4}, {0x19, 11}, {0x18, 22},
};

#define ATH_RATES (sizeof(athdesc_rates) / sizeof(*athdesc_rates))

/* 0 for a rate or code that the chip lacks. */
static inline __u8 athdesc_code(__u8 rate)
{
	for (__u32 i = 0; i < ATH_RATES; i++) {
		if (athdesc_rates[i].rate == rate)
			return athdesc_rates[i].code;
	}
	return 0;
}

static inline __u8 athdesc_rate(__u8 code)
{
	for (__u32 i = 0; i < ATH_RATES; i++) {
		if (athdesc_rates[i].code == code)
			return athdesc_rates[i].rate;
	}
	return 0;
}
